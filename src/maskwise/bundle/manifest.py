"""SHA-256 of every bundled data file, so that a damaged or altered install is noticed.

python -m maskwise.bundle.manifest   # write it again after a data file changed
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "manifest.json"
_NOT_DATA = {".py", ".pyc"}


def hashes() -> dict[str, str]:
    """Data files of the bundle, by path below it, with their hash."""
    found = (
        p
        for p in sorted(FOLDER.rglob("*"))
        if p.is_file() and p != MANIFEST and p.suffix not in _NOT_DATA
    )
    return {
        p.relative_to(FOLDER).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in found
    }


def recorded() -> dict[str, str]:
    """What the hashes were when the package was made."""
    found: dict[str, str] = json.loads(MANIFEST.read_text("utf-8"))
    return found


def problems() -> list[str]:
    """Files that are missing, new or different, in words."""
    now, then = hashes(), recorded()
    missing = [f"{name} is missing" for name in then if name not in now]
    changed = [
        f"{name} differs from the release" for name in now if then.get(name, now[name]) != now[name]
    ]
    new = [f"{name} is not part of the release" for name in now if name not in then]
    return missing + changed + new


if __name__ == "__main__":
    MANIFEST.write_text(json.dumps(hashes(), indent=1) + "\n", "utf-8")

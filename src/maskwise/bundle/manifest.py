"""SHA-256 of every bundled data file, so that a damaged or altered install is noticed.

python -m maskwise.bundle.manifest   # write the manifest again after a data file has changed
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "manifest.json"
_NOT_DATA = {".py", ".pyc"}


def compute_hashes() -> dict[str, str]:
    """The hash of each data file of the bundle, by its path below the bundle."""
    found = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and path != MANIFEST and path.suffix not in _NOT_DATA:
            name = path.relative_to(FOLDER).as_posix()
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def read_recorded() -> dict[str, str]:
    """The hashes at the time the package was made."""
    found: dict[str, str] = json.loads(MANIFEST.read_text("utf-8"))
    return found


def find_problems() -> list[str]:
    """Files that are missing, new or different, in words."""
    now, then = compute_hashes(), read_recorded()
    missing = [f"{name} is missing" for name in then if name not in now]
    both = [name for name in now if name in then]
    changed = [f"{name} differs from the release" for name in both if now[name] != then[name]]
    new = [f"{name} is not part of the release" for name in now if name not in then]
    return missing + changed + new


if __name__ == "__main__":
    text = json.dumps(compute_hashes(), indent=1)
    MANIFEST.write_text(f"{text}\n", "utf-8")

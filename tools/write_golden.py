"""Write the golden outputs of the fifteen pasted texts again, after a new model or rule.

    python tools/write_golden.py

Read the difference before you commit it: `tests/test_pasted.py` says what must be masked and what must stay.
"""

from __future__ import annotations

import re
from pathlib import Path

from maskwise import Sanitizer

DATA = Path(__file__).parent.parent / "tests" / "data"
MARK = re.compile(r"⟦\??[A-Z|]*:([^⟧]*)⟧")


def main() -> None:
    sanitizer = Sanitizer()
    for path in sorted((DATA / "pasted").glob("*.txt")):
        text = MARK.sub(r"\1", path.read_text("utf-8"))
        masked = sanitizer.sanitize(text).text
        (DATA / "golden" / "pasted" / path.name).write_text(masked, "utf-8")


if __name__ == "__main__":
    main()

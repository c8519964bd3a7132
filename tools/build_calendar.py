"""Write the names of months and weekdays of twelve European languages from CLDR.

    pip install babel && python tools/build_calendar.py

Babel carries the CLDR data (Unicode License v3). Only names are taken: one line each of language, kind and number.
"""

from __future__ import annotations

from pathlib import Path

from babel import Locale

LANGUAGES = ("cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv")
TARGET = Path("src/maskwise/bundle/knowledge/calendar.tsv")


def main() -> None:
    rows: set[tuple[str, str, int, str]] = set()
    for code in LANGUAGES:
        locale = Locale(code)
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in locale.months[context][width].items():
                    rows.add((code, "month", number, name.strip(".").lower()))
            for number, name in locale.days[context]["wide"].items():
                rows.add((code, "day", number, name.lower()))
    kept = sorted(row for row in rows if len(row[3]) > 2 and row[3].isalpha())
    TARGET.write_text("".join("\t".join(map(str, row)) + "\n" for row in kept), "utf-8")
    print(len(kept), "names")


if __name__ == "__main__":
    main()

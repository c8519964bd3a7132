"""Every place of every format that can hide text, with a secret planted in it: cleaned, refused or leaked.

    python benchmarks/places.py [--only docx eml] [--json docs/figures/places.json]

Places and oracle are those of tests/io/hiding. Each place is tried with a protected name, a phone number and a code,
alone and beside the same one in the body, and once with harmless words: a place whose file is refused even then is
listed as never read. The run ends with exit code 1 if a secret leaked.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "io"))

import hiding  # type: ignore[import-not-found]

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

OUTCOMES = ("cleaned", "refused", "leaked")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", help="file endings")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    name, _ = hiding.SECRETS["name"]
    sanitizer = Sanitizer(Policy.parse({"name": "places", "protect": [name]}))
    places: dict[str, list[hiding.Place]] = defaultdict(list)
    for place in hiding.all_places():
        if not options.only or place.suffix in options.only:
            places[place.suffix].append(place)
    rows = []
    leaked: list[str] = []
    print("format", "places", *OUTCOMES, "never read", "seconds", sep="\t")
    for suffix in sorted(places):
        began = time.perf_counter()
        ends: Counter[str] = Counter()
        for place in places[suffix]:
            for kind, beside in hiding.TRIALS:
                outcome = hiding.judge(sanitizer, place, kind, beside)
                ends[outcome] += 1
                if outcome == "leaked":
                    leaked.append(
                        f"{suffix}: {place.name} ({kind}, {'beside' if beside else 'alone'})"
                    )
            ends["never read"] += not hiding.is_read(sanitizer, place)
        counts = [ends[end] for end in (*OUTCOMES, "never read")]
        rows.append([suffix, len(places[suffix]), *counts])
        print(*rows[-1], round(time.perf_counter() - began, 1), sep="\t", flush=True)
    total = ["all", *(sum(row[at] for row in rows) for at in range(1, 6))]
    print(*total, sep="\t")
    print(*(f"leaked in {where}" for where in leaked), sep="\n")
    if options.json:
        figures = {
            "title": "Places of file formats that can hide text, with a secret planted in each",
            "command": "python benchmarks/places.py",
            "columns": ["format", "places", *OUTCOMES, "never read"],
            "rows": [*rows, total],
            "note": "Each place is tried with a protected name, a phone number and a code, alone and beside a masked "
            "one: six trials. Nothing is drawn at random.",
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    sys.exit(1 if leaked else 0)


if __name__ == "__main__":
    main()

"""Distil raw open lists and tables written by hand into the facts of generalisation ladders. Same input, same bytes.

    python tools/build_knowledge.py RAW_FOLDER [--out src/maskwise/bundle/knowledge]

RAW_FOLDER holds `cities15000.tsv` (GeoNames), `occupations_ons_soc.txt` (ONS) and `diseases_do.txt` (Disease Ontology);
`tools/knowledge` holds the tables written for Maskwise. SOURCES.md beside the output says what was taken.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter, defaultdict
from pathlib import Path

from maskwise.mask.generalise.facts import fold_name

OWN = Path(__file__).parent / "knowledge"
COPIED = (
    "districts.tsv",
    "features.tsv",
    "fields.tsv",
    "kinds.tsv",
    "languages.tsv",
    "occupation_groups.tsv",
    "offences.tsv",
    "organisations.tsv",
    "regions.tsv",
    "religions.tsv",
    "roles.tsv",
)
LATIN = re.compile(r"[A-ZÀ-ÞĀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ' .’-]{3,}")
ALTERNATIVES_FROM = 100_000  # inhabitants: the other names of smaller cities add size and no recall
GREAT = 500  # thousands of inhabitants
CITY_FROM = 50_000  # inhabitants; below, a town
# Words that name no occupation by themselves: the index files them under one trade of the many that use them.
VAGUE = frozenset(
    "manager director officer assistant operator supervisor worker clerk leader executive administrator controller "
    "coordinator agent consultant adviser advisor inspector owner partner proprietor head chief technician member "
    "representative specialist associate foreman hand man operative labourer apprentice trainee student secretary "
    "president governor captain master principal dean doctor engineer analyst examiner examinator server setter "
    "chairman chairwoman chairperson commissioner superintendent keeper tender reader fellow resident general major "
    "private runner caller cutter finisher maker producer presenter editor planner tester trainer mayor minister "
    "founder recorder conductor porter guard warden attendant bishop keyworker striker shot winger".split()
)


def read_rows(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").split("\n")
    return [line.split("\t") for line in lines if line and line[0] != "#"]


def read_cities(raw: Path) -> list[tuple[str, str, int, list[str]]]:
    """Name, country, inhabitants, other names."""
    known = {
        row[0] for row in read_rows(OWN / "countries.tsv")
    }  # all but bases in the southern seas
    found = (row for row in read_rows(raw / "cities15000.tsv") if row[1] in known)
    return [(r[0], r[1], int(r[2] or 0), r[3].split("|") if len(r) > 3 else []) for r in found]


def write_places(raw: Path) -> tuple[str, Counter[str]]:
    """Each folded name with all places that bear it, largest first: `paris	FR2138,US24` (thousands of inhabitants)."""
    named: defaultdict[str, set[tuple[int, int, str]]] = defaultdict(set)
    also: defaultdict[str, set[tuple[int, int, str]]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for number, (name, country, inhabitants, others) in enumerate(read_cities(raw)):
        bearer = (-(inhabitants // 1000), number, country)
        named[fold_name(name)].add(bearer)
        if inhabitants >= ALTERNATIVES_FROM:
            for other in others:
                if LATIN.fullmatch(other):
                    also[fold_name(other)].add(bearer)
        size = (
            "million"
            if inhabitants >= 1_000_000
            else "city"
            if inhabitants >= CITY_FROM
            else "town"
        )
        counts[f"{country} {size}"] += 1
    lines = []
    for name in sorted(named.keys() | also.keys()):
        if len(name) > 2:
            found = find_bearers(named[name], also[name])
            lines.append(
                f"{name}\t" + ",".join(f"{country}{-minus}" for minus, _, country in sorted(found))
            )
    return "\n".join(lines) + "\n", counts


def find_bearers(
    named: set[tuple[int, int, str]], also: set[tuple[int, int, str]]
) -> set[tuple[int, int, str]]:
    """Who a name may mean: all whose main name it is, and of those it is another name of (transliterations, languages,
    history) the ones not far smaller than the largest, unless it is the main name of a great city."""
    if named and -min(named)[0] >= GREAT:
        return named
    largest = -min(named | also)[0]
    return named | {bearer for bearer in also if -bearer[0] * 10 >= largest}


def write_countries(counts: Counter[str]) -> str:
    """The table written by hand, and how many cities over a million, other cities and towns GeoNames knows there."""
    lines = []
    for row in sorted(read_rows(OWN / "countries.tsv")):
        numbers = [str(counts[f"{row[0]} {size}"]) for size in ("million", "city", "town")]
        lines.append("\t".join([*row, *[""] * (7 - len(row)), *numbers]))
    return "\n".join(lines) + "\n"


def write_occupations(raw: Path) -> str:
    """Titles of the coding index with the number of their minor group; the index lists each group after its name."""
    groups = {row[0]: number for number, row in enumerate(read_rows(OWN / "occupation_groups.tsv"))}
    number = -1
    found: dict[str, int] = {}
    for line in (raw / "occupations_ons_soc.txt").read_text("utf-8").split("\n"):
        title = line.strip()
        number = groups.get(title, number)
        plain = re.fullmatch(r"[a-z' -]{3,}", title) and title.count(" ") <= 3
        if (
            plain
            and title not in groups
            and title not in VAGUE
            and not title.endswith("occupations")
        ):
            found.setdefault(title, number)
    for titles, group in read_rows(OWN / "occupations.tsv"):
        found.update(dict.fromkeys(titles.split("|"), groups[group]))
    return "".join(f"{title}\t{group}\n" for title, group in sorted(found.items()))


def write_diseases(raw: Path) -> str:
    """The families written by hand, and to how many names of the Disease Ontology each applies."""
    families = read_rows(OWN / "diseases.tsv")
    patterns = [re.compile(pattern) for _, pattern in families]
    counts: Counter[int] = Counter()
    for line in (raw / "diseases_do.txt").read_text("utf-8").split("\n"):
        name = line.strip().lower()
        if name and not name.startswith("obsolete "):
            counts[next((i for i, p in enumerate(patterns) if p.search(name)), -1)] += 1
    lines = [f"{family}\t{pattern}\t{counts[i]}\n" for i, (family, pattern) in enumerate(families)]
    return "".join(lines) + f"\t\t{counts[-1]}\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("raw", type=Path, help="folder of raw lists")
    parser.add_argument("--out", type=Path, default=Path("src/maskwise/bundle/knowledge"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    places, counts = write_places(args.raw)
    plain = {"countries.tsv": write_countries(counts), "diseases.tsv": write_diseases(args.raw)}
    plain |= {name: "".join("\t".join(r) + "\n" for r in read_rows(OWN / name)) for name in COPIED}
    packed = {"places.tsv.gz": places, "occupations.tsv.gz": write_occupations(args.raw)}
    contents = {name: text.encode() for name, text in plain.items()}
    contents |= {name: gzip.compress(text.encode(), 9, mtime=0) for name, text in packed.items()}
    for name, content in sorted(contents.items()):
        (args.out / name).write_bytes(content)
        print(f"{name:24} {len(content):8} bytes")


if __name__ == "__main__":
    main()

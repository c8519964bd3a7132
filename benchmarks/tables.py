"""Tables: how well columns are typed, what is left in numeric cells, and whether one customer keeps one pseudonym.

    python benchmarks/tables.py [--rows 1000000] [--json docs/figures/tables.json]

The bank of `table_bank.py` has 60 invented tables. Figures come from the 30 held-out ones; the others were for
development. `--rows` also masks one table of so many rows from a file to a file, and prints rows per second of
processor time and the peak of memory. The run ends with exit code 1 if an identifier is left or
pseudonyms are mixed up.
"""

from __future__ import annotations

import csv
import json
import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import figures
from maskwise.files import sanitize_file
from maskwise.io.column_typing import type_column
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.streaming import sanitize_stream
from table_bank import DEVELOPMENT, HELD_OUT, BankTable, build_bank

SEED, RESAMPLES = 20, 1000
SECRET = ("code", "position", "birth")  # kinds whose numbers identify
SHORT = 16  # rows of a table that is masked
Pairs = list[tuple[str, str]]  # the kind of a column, and the one that it was given


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--rows", type=int, default=0, help="rows of the large table")
    options = parser.parse_args()
    tables = build_bank(seed=SEED)
    halves = {
        "development": [table for table in tables if table.domain in DEVELOPMENT],
        "held out": [table for table in tables if table.domain in HELD_OUT],
    }
    rows: list[list[Any]] = []
    left = 0
    for name, half in halves.items():
        pairs = [type_table(table) for table in half]
        wrong = count_left(half)
        left += wrong[0]
        together = [pair for own in pairs for pair in own]
        rows.append([name, len(half), len(together), measure_f1(pairs), macro_f1(together), *wrong])
        print(*rows[-1], sep="\t", flush=True)
    notes = "Invented tables; both halves were written before the rules, by the same hand, and the rules were changed "
    notes += "only by what went wrong in the development half. A numeric cell is one that JSON writes as a number."
    mixed = 0
    if options.rows:
        speed, peak, mixed, customers = mask_large_table(options.rows)
        said = f"{options.rows:,} rows of {customers:,} customers: {speed:,.0f} rows per second of processor time, "
        said += (
            f"peak {peak:,.0f} MiB, {mixed} customers with two pseudonyms or one of somebody else."
        )
        print(said)
        notes += " " + said
    columns = [
        "half",
        "tables",
        "columns",
        "F1",
        "macro F1",
        "identifiers left",
        "numeric identifiers",
    ]
    command = f"python benchmarks/tables.py --rows {options.rows}"
    found = figures.build_figure(
        "Columns of the table bank", command, columns, rows, note=notes, seeds=[SEED]
    )
    figures.save_figure(options.json, found)
    sys.exit(1 if left or mixed else 0)


def type_table(table: BankTable) -> Pairs:
    found = []
    for at, kind in enumerate(table.kinds):
        values = [row[at] for row in table.rows]
        found.append((kind, type_column(table.headers[at], values).kind.value))
    return found


def measure_f1(tables: Sequence[Pairs]) -> dict[str, float]:
    """Micro F1, which for one kind per column is the share of columns that are right; resampled by table."""
    draw = random.Random(SEED)
    samples = sorted(_share_right(draw.choices(tables, k=len(tables))) for _ in range(RESAMPLES))
    low, high = samples[int(0.025 * RESAMPLES)], samples[int(0.975 * RESAMPLES)]
    return {"value": _share_right(tables), "low": low, "high": high}


def _share_right(tables: Sequence[Pairs]) -> float:
    pairs = [pair for own in tables for pair in own]
    return round(sum(kind == found for kind, found in pairs) / len(pairs), 4)


def macro_f1(pairs: Pairs) -> float:
    """The mean over kinds of the F1 of each."""
    scores = []
    for kind in sorted({kind for kind, _ in pairs}):
        hits = sum(true == found == kind for true, found in pairs)
        wanted = sum(true == kind for true, _ in pairs)
        given = sum(found == kind for _, found in pairs)
        scores.append(2 * hits / (wanted + given))
    return round(sum(scores) / len(scores), 4)


def count_left(tables: Sequence[BankTable]) -> tuple[int, int]:
    """Identifiers that JSON writes as numbers: how many are left after masking, and how many there are."""
    rules = {"name": "rules", "detectors": [{"kind": "patterns"}]}
    sanitizer = Sanitizer(Policy.parse(rules))
    left = count = 0
    for table in tables:
        values = [_write_numbers(table, row) for row in table.rows[:SHORT]]
        raw = "\n".join(map(json.dumps, values)).encode()
        lines = sanitize_file(sanitizer, raw, "table.jsonl").data.decode().split("\n")
        for old, line in zip(values, lines, strict=True):
            new = json.loads(line)
            for header, kind in zip(table.headers, table.kinds, strict=True):
                if kind in SECRET and not isinstance(old[header], str):
                    count += 1
                    left += new[header] == old[header]
    return left, count


def _write_numbers(table: BankTable, row: Sequence[str]) -> dict[str, Any]:
    """A row as JSON with numbers where a value is one."""
    found: dict[str, Any] = {}
    for header, value in zip(table.headers, row, strict=True):
        is_whole = value.isdecimal() and not value.startswith("0")
        is_number = is_whole or value.replace(".", "", 1).removeprefix("-").isdecimal()
        found[header] = json.loads(value) if is_number and not value.startswith("0") else value
    return found


def list_customers(rows: int) -> Iterator[tuple[int, str, str, str]]:
    """Who is in each row: the number of a customer, and a name, a telephone and an invoice. Many share a name."""
    draw = random.Random(SEED)
    given = "Anna Piotr Maria John Lars Ingrid Ewa Omar Lucia Hugo Clara Felix".split()
    family = "Berg Kowal Smith Dal Souza Lund Novak Moss Rossi Garcia Weber Haugen".split()
    for number in range(rows):
        who = draw.randrange(max(20, rows // 20))
        name = f"{given[who % 12]} {family[who // 12 % 12]}"
        yield 100_000 + who, name, f"44163296{who:06d}", f"INV-{number:08d}"


def mask_large_table(rows: int) -> tuple[float, float, int, int]:
    """Rows per second, peak memory in MiB, customers whose pseudonym is not theirs alone, and customers."""
    tables = {"key": "customer_id", "header": "yes"}
    policy = {"name": "large", "extends": "balanced", "formats": {"tables": tables}}
    sanitizer = Sanitizer(Policy.parse(policy))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.csv", Path(folder) / "out.csv"
        with source.open("w") as file:
            file.write("customer_id,name,phone,invoice,amount,booked,status\n")
            for who, name, phone, invoice in list_customers(rows):
                more = f"{who % 900}.{who % 90 + 10},2024-0{who % 9 + 1}-1{who % 9},{'open' if who % 2 else 'closed'}"
                file.write(f"{who},{name},{phone},{invoice},{more}\n")
        began = time.process_time()
        with source.open("rb") as opened, target.open("wb") as sink:
            sanitize_stream(sanitizer, opened, sink, "in.csv")
        seconds = time.process_time() - began
        with target.open(newline="") as file:
            mixed, customers = compare_pseudonyms(rows, csv.reader(file))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return rows / seconds, peak, mixed, customers


def compare_pseudonyms(rows: int, masked: Iterator[list[str]]) -> tuple[int, int]:
    """How many customers have two pseudonyms or share one."""
    next(masked)
    by_customer: dict[int, set[str]] = defaultdict(set)
    by_pseudonym: dict[str, set[int]] = defaultdict(set)
    for (who, name, phone, invoice), new in zip(list_customers(rows), masked, strict=True):
        assert {name, phone, invoice, str(who)}.isdisjoint(new), "an identifier is left"
        by_customer[who].add(new[1])
        by_pseudonym[new[1]].add(who)
    wrong = {who for who, own in by_customer.items() if len(own) > 1}
    for owners in by_pseudonym.values():
        wrong |= owners if len(owners) > 1 else set()
    return len(wrong), len(by_customer)


if __name__ == "__main__":
    main()

"""k-anonymity and l-diversity of tables: quasi-identifiers are made less specific until people hide in classes.

The classes come from Mondrian multidimensional partitioning (LeFevre et al. 2006) as the library anonypy does it (extra
`anonymity`). What is written for a class, what is suppressed and the check of the result are ours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from maskwise.errors import InputError, OutputError, PluginError

SUPPRESSED = "*"
SHOWN = 3  # values of a class that are named one by one
Row = Mapping[str, str]


@dataclass(frozen=True)
class AnonymousTable:
    """A table whose classes are large enough, and how large they are. `suppressed` rows show no quasi-identifier."""

    rows: list[dict[str, str]] = field(repr=False)
    sizes: tuple[int, ...]
    diversity: tuple[int, ...]
    suppressed: int

    def to_json(self) -> dict[str, Any]:
        """The report: how many classes have each size, distinct sensitive values in them, and what was suppressed."""
        middle = self.sizes[len(self.sizes) // 2] if self.sizes else 0
        return {
            "classes": len(self.sizes),
            "smallest": min(self.sizes, default=0),
            "median": middle,
            "largest": max(self.sizes, default=0),
            "least_diverse": min(self.diversity, default=0),
            "sizes": {str(size): count for size, count in sorted(Counter(self.sizes).items())},
            "suppressed": self.suppressed,
            "rows": len(self.rows),
        }


def anonymise_rows(
    rows: Sequence[Row],
    quasi: Sequence[str],
    k: int,
    sensitive: str | None = None,
    diversity: int = 1,
) -> AnonymousTable:
    """Make a table k-anonymous over the columns `quasi`, and l-diverse in `sensitive` where `diversity` is 2 or more.

    A row without a value in one of these columns, and rows whose class would be too small, are suppressed: their
    quasi-identifiers become stars.
    """
    _check_columns(rows, [*quasi, *([sensitive] if sensitive else [])])
    quasi = list(dict.fromkeys(quasi))
    whole = [at for at, row in enumerate(rows) if all(row[name].strip() for name in quasi)]
    _check_bounds([rows[at] for at in whole], quasi, k, sensitive, diversity)
    classes = _partition(rows, whole, quasi, k, sensitive, diversity) if whole else []
    written = [dict(row) for row in rows]
    hidden = set(range(len(rows)))
    for members in classes:
        values = {rows[at][sensitive] for at in members} if sensitive else set()
        if len(members) < k or (sensitive and len(values) < diversity):
            continue
        hidden -= set(members)
        for name in quasi:
            text = _write_class([rows[at][name] for at in members])
            for at in members:
                written[at][name] = text
    for at in hidden:
        written[at] |= dict.fromkeys(quasi, SUPPRESSED)
    return _check_result(written, sorted(hidden), quasi, k, sensitive, diversity)


def _check_columns(rows: Sequence[Row], names: Sequence[str]) -> None:
    missing = [name for name in names if rows and name not in rows[0]]
    if missing:
        raise InputError(f"no column {missing[0]!r}; there are {', '.join(map(repr, rows[0]))}")


def _check_bounds(
    whole: Sequence[Row], quasi: Sequence[str], k: int, sensitive: str | None, diversity: int
) -> None:
    """Refuse what no table of these rows can keep, rather than write stars alone."""
    if k > len(whole):
        raise InputError(
            f"no class can have {k} rows: {len(whole)} rows have a value in each column that identifies; "
            "lower k or name fewer columns"
        )
    if sensitive in quasi:
        raise InputError(f"column {sensitive!r} cannot be both generalised and sensitive")
    if diversity > 1 and not sensitive:
        raise InputError("l-diversity needs a sensitive column")
    values = {row[sensitive] for row in whole} if sensitive else set()
    if sensitive and len(values) < diversity:
        raise InputError(
            f"no class can have {diversity} values of {sensitive!r}: the column has {len(values)}"
        )


def _partition(
    rows: Sequence[Row],
    whole: Sequence[int],
    quasi: Sequence[str],
    k: int,
    sensitive: str | None,
    diversity: int,
) -> list[list[int]]:
    """The classes, as numbers of rows."""
    try:
        import pandas as pd
        from anonypy.mondrian import Mondrian
    except ImportError:
        raise PluginError(
            "k-anonymity of tables needs `pip install 'maskwise[anonymity]'`"
        ) from None
    columns: dict[str, Any] = {}
    for name in quasi:
        numbers = [_read_number(rows[at][name]) for at in whole]
        if None in numbers:
            columns[name] = pd.Categorical([rows[at][name] for at in whole])
        else:
            columns[name] = numbers
    if sensitive:
        columns["\0sensitive"] = pd.Categorical([rows[at][sensitive] for at in whole])
    frame = pd.DataFrame(columns)
    # A column that is the same everywhere splits nothing, and its span of 0 would be divided by.
    varied = [name for name in quasi if frame[name].nunique() > 1]
    if not varied:
        return [list(whole)]
    mondrian = Mondrian(frame, varied, "\0sensitive" if sensitive else None)
    parts = mondrian.partition(k, diversity if sensitive else 0)
    return [[whole[at] for at in part] for part in parts]


def _read_number(text: str) -> float | None:
    """A number, or a date as a number of days; nothing for any other text."""
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return float(date.fromisoformat(text.strip()).toordinal())
    except ValueError:
        return None


def _write_class(values: Sequence[str]) -> str:
    """The text that all members of a class share: a value, a range of numbers or dates, or a short list.

    >>> _write_class(["31", "47", "39"]), _write_class(["Oslo", "Bergen", "Oslo"])
    ('31–47', 'Bergen, Oslo')
    """
    distinct = sorted(set(values))
    if len(distinct) == 1:
        return distinct[0]
    numbers = {value: _read_number(value) for value in distinct}
    if None not in numbers.values():
        ordered = sorted(distinct, key=lambda value: numbers[value] or 0.0)
        return f"{ordered[0]}–{ordered[-1]}"
    return ", ".join(distinct) if len(distinct) <= SHOWN else SUPPRESSED


def _check_result(
    rows: list[dict[str, str]],
    hidden: Sequence[int],
    quasi: Sequence[str],
    k: int,
    sensitive: str | None,
    diversity: int,
) -> AnonymousTable:
    """Count the classes as a reader of the table sees them, without what made them."""
    left = set(hidden)
    sizes: Counter[tuple[str, ...]] = Counter()
    values: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for at, row in enumerate(rows):
        if at not in left:
            seen = tuple(row[name] for name in quasi)
            sizes[seen] += 1
            values[seen].add(row[sensitive] if sensitive else "")
    diverse = [len(found) for found in values.values()]
    if min(sizes.values(), default=k) < k or (
        sensitive and min(diverse, default=diversity) < diversity
    ):
        raise OutputError("the table would not be anonymous enough; nothing is written")
    return AnonymousTable(rows, tuple(sorted(sizes.values())), tuple(sorted(diverse)), len(hidden))

"""Policies x kinds of values x layouts: the share of generated values that each policy masks, or keeps, as it promises.

    python benchmarks/contracts.py [--policy hipaa-safe-harbor] [--count 20] [--seed 0] [--misses 20]

Values, layouts and promises are those of tests/contracts: each kind with `count` values in five layouts (prose, form,
table, log, chat), as written, in capitals and in lower case. A line ends with `all` where the promise holds for every
value. Exit code 1 says that a promise is broken: a value to mask stayed visible, or one to keep was masked and not
taken for a person. `told` and `spared` are kinds that a model judges.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from contracts.judge import Outcome, run
from contracts.layouts import CASES, LAYOUTS
from contracts.promises import PROMISES, Promise, holds
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer


def show(
    policy: str, what: str, kinds: tuple[str, ...], outcomes: list[Outcome], misses: int
) -> tuple[int, int]:
    """Print a line per kind; returns how many values held and how many there are."""
    held: Counter[tuple[str, str, str]] = Counter()
    total: Counter[tuple[str, str, str]] = Counter()
    missed: dict[str, list[Outcome]] = {kind: [] for kind in kinds}
    for one in outcomes:
        if one.kind not in missed:
            continue
        is_held = not one.is_touched if what in ("kept", "spared") else one.is_masked
        key = one.kind, one.layout, one.case
        total[key] += 1
        held[key] += is_held
        if not is_held:
            missed[one.kind].append(one)
    for kind in kinds:
        cells = []
        for layout in LAYOUTS:
            counts = [held[kind, layout, case] for case in CASES]
            cells.append("/".join(f"{count:2}" for count in counts))
        own = sum(n for (name, _, _), n in held.items() if name == kind)
        of = sum(n for (name, _, _), n in total.items() if name == kind)
        print(
            f"{policy:18} {what:7} {kind:19} {'  '.join(cells)}  {own:4} of {of:4}{' all' if own == of else ''}"
        )
        for one in missed[kind][:misses]:
            print(f"    {one.layout}, {one.case}: {one.value!r} in {one.output!r}")
    return sum(held.values()), sum(total.values())


def _list_parts(promise: Promise) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((what, getattr(promise, what)) for what in ("masked", "told", "kept", "spared"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--policy", nargs="+", default=list(PROMISES), choices=list(PROMISES))
    parser.add_argument("--count", type=int, default=20, help="values per kind, layout and case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--misses", type=int, default=0, help="values to show per kind whose promise did not hold"
    )
    args = parser.parse_args()
    print(f"seed {args.seed}, {args.count} values per kind, layout and case")
    layouts = "  ".join(f"{name:8}" for name in LAYOUTS)
    print(f"{'policy':18} {'promise':7} {'kind':19} {layouts}  (as written/upper/lower)")
    broken = 0
    for policy in args.policy:
        promise = PROMISES[policy]
        began = time.perf_counter()
        alone = Policy.load(policy).model_copy(update={"crowd": None})  # a crowd only masks more
        outcomes = list(run(Sanitizer(alone), promise, args.count, args.seed))
        sums = {
            what: show(policy, what, kinds, outcomes, args.misses)
            for what, kinds in _list_parts(promise)
        }
        said = ", ".join(f"{what} {held} of {total}" for what, (held, total) in sums.items())
        print(f"{policy}: {said}, {time.perf_counter() - began:.1f} s\n", flush=True)
        broken += sum(not holds(promise, one) for one in outcomes)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

"""How often a truthful replacement breaks its sentence, in ten slots: modifier, possessive, title, cell and others.

    python benchmarks/slots.py [--model] [--json FILE]

400 cases, 200 written by hand and 200 made from a seeded grammar (`slot_grammar.py`). Every level of the ladder of a
mention is written into its sentence, and the kind alone. A reader marked every sentence in the files of cases
(`slot_cases.py`): a case is broken when any of its sentences is, and unread when one is not among those that were read.

With `--model` a second judge looks: the masked language model's mean -log p of the words beside a mention after the
replacement, less that before. Its threshold is set on the even lines of `slot_labels.tsv`, sentences labelled by hand
that are no cases, so that at most a tenth of the good ones is flagged; the odd lines say how much it sees. The run
ends with exit code 1 if more than 2 % of the cases are broken or a sentence is unread.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import figures
from maskwise.attack.trir import estimate_rate
from maskwise.evaluate.weights import load_language_model
from maskwise.lm.masked import MaskedLM
from slot_cases import Case, read_cases
from slot_grammar import SLOTS, write_cases

CASES = figures.ROOT / "tests" / "data" / "generalise"
FILES = {"written by hand": CASES / "slots_written.txt", "made": CASES / "slots_made.txt"}
LABELS = Path(__file__).parent / "slot_labels.tsv"
SEED, MOST = 20, 0.02
NEAR = 30  # characters on either side of a replacement
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_LABEL = re.compile(r"\[[A-Z]+ \d+\]")


class Verdict(NamedTuple):
    """What is known of a case: its sentences, those read as broken, and those nobody read."""

    case: Case
    texts: list[str]

    @property
    def broken(self) -> list[str]:
        return [text for text in self.texts if self.case.read.get(text)]

    @property
    def unread(self) -> list[str]:
        return [text for text in self.texts if text not in self.case.read]


def judge_cases() -> dict[str, list[Verdict]]:
    """The cases of each file as the operator writes them now."""
    found = {}
    for name, path in FILES.items():
        cases = read_cases(path)
        if name == "made" and [case.head for case in cases] != list(write_cases(SEED)):
            sys.exit(f"{path.name} does not hold the cases of seed {SEED}")
        found[name] = [Verdict(case, case.write()) for case in cases]
    return found


def measure_strangeness(model: MaskedLM, before: str, after: str) -> float:
    """How much less the words beside a mention in brackets are expected, once it is replaced."""
    left, mention, right = re.split(r"[\[\]]", before)
    # An article before the mention may have changed, so both ends are looked for.
    end = len(after) - len(right)
    start = min(_count_shared(left, after), end)
    old = (len(left), len(left) + len(mention))
    return _measure_around(model, after, (start, end)) - _measure_around(
        model, left + mention + right, old
    )


def _count_shared(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), len(one))


def _measure_around(model: MaskedLM, text: str, span: tuple[int, int]) -> float:
    start, end = span
    words = [found.span() for found in _WORD.finditer(text)]
    near = [w for w in words if start - NEAR < w[1] <= start or end <= w[0] < end + NEAR]
    if not near:
        return 0.0
    return float(np.mean(model.measure_information(text, near, pool="max")))


def fit_threshold(model: MaskedLM) -> tuple[float, str]:
    """The threshold, and what it sees on the labelled sentences that it was not set on."""
    lines = LABELS.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    scored = [(label, measure_strangeness(model, *texts)) for label, *texts in rows]
    good = sorted(score for label, score in scored[::2] if label == "good")
    threshold = good[int(0.9 * len(good))]
    flagged = {
        label: [score > threshold for name, score in scored[1::2] if name == label]
        for label in ("broken", "good")
    }
    seen, wrong = (f"{sum(flags)} of {len(flags)}" for flags in flagged.values())
    return threshold, f"of other labelled sentences it flags {seen} broken and {wrong} good ones"


def build_row(name: str, verdicts: Sequence[Verdict]) -> list[Any]:
    texts = [text for one in verdicts for text in one.texts]
    broken = estimate_rate(sum(bool(one.broken) for one in verdicts), len(verdicts))
    labelled = estimate_rate(sum(bool(_LABEL.search(text)) for text in texts), len(texts))
    return [
        name,
        len(verdicts),
        figures.describe_score(broken),
        len(texts),
        sum(len(one.broken) for one in verdicts),
        sum(len(one.unread) for one in verdicts),
        figures.describe_score(labelled),
    ]


def show(rows: Sequence[Sequence[Any]]) -> None:
    print(f"{'cases':16}{'':>5}  {'broken':22}{'sentences':>10}{'broken':>8}{'unread':>8}  a label")
    for name, cases, broken, texts, bad, unread, labelled in rows:
        share = f"{broken['value']:.3f} [{broken['low']:.3f}, {broken['high']:.3f}]"
        print(
            f"{name:16}{cases:>5}  {share:22}{texts:>10}{bad:>8}{unread:>8}  {labelled['value']:.3f}"
        )


def describe_model(verdicts: Sequence[Verdict]) -> str:
    """What the language model makes of the sentences."""
    model = load_language_model("lm")
    threshold, seen = fit_threshold(model)
    flagged = 0
    pairs = [(one, text) for one in verdicts for text in one.texts if not _LABEL.search(text)]
    for one, text in pairs:
        before = one.case.head.partition(": ")[2]
        flagged += measure_strangeness(model, before, text) > threshold
    return f"The language model flags {flagged} of {len(pairs)} sentences without a label; {seen}."


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", action="store_true", help="ask the language model too")
    args = parser.parse_args()
    found = judge_cases()
    verdicts = [one for several in found.values() for one in several]
    rows = [build_row(name, several) for name, several in found.items()]
    rows += [build_row(slot, [v for v in verdicts if v.case.slot == slot]) for slot in SLOTS]
    rows.append(build_row("all", verdicts))
    show(rows)
    for one in verdicts:
        for text in (*one.broken, *one.unread):
            print(f"{'broken' if text in one.broken else 'unread'}: {one.case.head} -> {text}")
    note = describe_model(verdicts) if args.model else ""
    print(note)
    columns = "cases|n|broken|sentences|broken sentences|unread|with a label".split("|")
    figures.save_figure(
        args.json,
        figures.build_figure(
            "Truthful replacements that break their sentence",
            f"python benchmarks/slots.py {'--model ' * args.model}--json docs/figures/slots.json",
            columns,
            rows,
            seeds=[SEED],
            note=f"Broken: by reading, Wilson intervals over cases. {note}".strip(),
        ),
    )
    share = sum(bool(one.broken) for one in verdicts) / len(verdicts)
    sys.exit(1 if share > MOST or any(one.unread for one in verdicts) else 0)


if __name__ == "__main__":
    main()

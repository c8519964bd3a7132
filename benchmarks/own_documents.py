"""What documents of one's own add to the model that ships, in a domain that it never saw: loan contracts.

    python benchmarks/own_documents.py --data $MASKWISE_DATA [--model small] [--counts 10 50 200] [--json FILE]

The model is taken back to trainable weights (`maskwise train import`) and learns the types of named entities from
passages of five contracts (`ner/contracts_sec.jsonl.xz`), drawn with seed 7, as far as contracts held out among these
gain (`train.adapt`); it is measured on the other three. F1 is
of words that have the right one of the types PERSON, LOC and ORG, the three that are annotated there. Masks are not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

import figures
from maskwise.lm import folder
from maskwise.text import EntityType
from maskwise.train.adapt import Adaptation, adapt_network
from maskwise.train.checkpoint import load_checkpoint
from maskwise.train.data import Example, Span, read_rows
from maskwise.train.loop import TrainingPlan
from maskwise.train.model import Network
from maskwise.train.predict import predict_targets
from maskwise.train.restore import restore_checkpoint
from maskwise.train.stream import build_gold_stream
from maskwise.train.tagger import TrainingSource, train_tagger

CONTRACTS = "ner/contracts_sec.jsonl.xz"
TAUGHT = 5  # contracts to learn from; the others are measured
LONG = 600  # characters of a passage at least, up to the end of a line
ROLES = frozenset(
    "bank borrower lender company agent".split()
)  # marked there as if they were names
NAMED = (EntityType.PERSON, EntityType.LOC, EntityType.ORG)
SIZE, ROWS, SEED = 190, 8, 3


def cut_passages(row: dict[str, Any]) -> list[Example]:
    """Returns a contract as passages, each with its spans."""
    text, found, start = row["text"], [], 0
    while start < len(text):
        end = text.find("\n", min(start + LONG, len(text))) + 1 or len(text)
        spans = tuple(
            Span(first - start, last - start, EntityType(kind))
            for first, last, kind in row["spans"]
            if start <= first and last <= end and text[first:last].lower() not in ROLES
        )
        found.append(Example(f"{row['id']} {start}", text[start:end], (spans,), judged=False))
        start = end
    return found


def choose_types(tags: torch.Tensor) -> np.ndarray:
    """Returns for each piece the number of its likeliest named type, or 0."""
    by_type = tags[:, 1:].float().reshape(len(tags), -1, 2).sum(-1)
    named = [list(EntityType).index(kind) for kind in NAMED]
    others = [at for at in range(by_type.shape[1]) if at not in named]
    outside = torch.maximum(tags[:, 0].float(), by_type[:, others].max(1).values)
    columns = torch.stack([outside, *(by_type[:, at] for at in named)], 1)
    return columns.argmax(1).cpu().numpy()


def measure_types(model: Network, passages: Sequence[Example], tokenizer: Path) -> float:
    """Returns the F1 of types over word pieces."""
    stream = build_gold_stream(passages, tokenizer).to(next(model.parameters()).device)
    assert stream.targets is not None
    found = choose_types(predict_targets(model, stream, size=SIZE, overlap=32, rows=ROWS).tags)
    wanted = choose_types(stream.targets.tags)
    right = int(((found == wanted) & (wanted > 0)).sum())
    return 2 * right / max(int((found > 0).sum() + (wanted > 0).sum()), 1)


def teach(start: Path, passages: Sequence[Example], device: str) -> tuple[Network, Adaptation]:
    """Returns the model after it learnt from the passages as far as contracts held out gain, and how far that was."""

    def learn(model: Network, examples: Sequence[Example]) -> None:
        stream = build_gold_stream(examples, start).to(device)
        steps = min(max(20, len(examples) // 2), 60)
        plan = TrainingPlan(1e-4, steps, heads=2, warmup=0.1, seed=SEED)
        source = TrainingSource(stream, mask=0.0, direct=0.0)
        train_tagger(model, [source], plan=plan, size=SIZE, rows=ROWS)

    def score(model: Network, examples: Sequence[Example]) -> float:
        return measure_types(model, examples, start)

    network = load_checkpoint(start).to(device)
    return adapt_network(network, passages, learn, score, group=name_contract)


def name_contract(passage: Example) -> str:
    """Returns the contract that a passage is of."""
    return passage.id.split()[0]


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", default="small", help="a model's name or folder")
    parser.add_argument("--counts", type=int, nargs="+", default=[10, 50, 200])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    source = figures.require_source(args.data, CONTRACTS)
    rows = list(read_rows(source))
    taught = [passage for row in rows[:TAUGHT] for passage in cut_passages(row)]
    unseen = [passage for row in rows[TAUGHT:] for passage in cut_passages(row)]
    Random(7).shuffle(taught)
    with tempfile.TemporaryDirectory() as scratch:
        start = restore_checkpoint(folder.find_model(args.model), Path(scratch) / "start")
        model = load_checkpoint(start).to(args.device)
        shares = {0: 0.0}
        found = {0: measure_types(model, unseen, start)}
        print(f"before: {found[0]:.3f}", flush=True)
        for count in args.counts:
            model, how = teach(start, taught[:count], args.device)
            found[count] = measure_types(model, unseen, start)
            shares[count] = how.share
            print(f"after {count} passages: {found[count]:.3f}, share {how.share}", flush=True)
    figures.save_figure(
        args.json,
        figures.build_figure(
            f"Passages of one's own, model {Path(args.model).name}: types in contracts that it never saw",
            "python benchmarks/own_documents.py --data $MASKWISE_DATA --json docs/figures/own_documents.json",
            ["passages learnt from", "share of the step taken", "F1 of types on unseen contracts"],
            [[count, shares[count], value] for count, value in found.items()],
            files=[source],
            seeds=[7, SEED],
            note=f"Measured on {len(unseen)} passages of {len(rows) - TAUGHT} contracts.",
        ),
    )


if __name__ == "__main__":
    main()

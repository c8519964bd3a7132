"""Helpers that the training commands share: options, domains of files, texts as streams, scores on annotated documents.

PyTorch is imported when a command runs, because `maskwise --help` must be fast and work without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maskwise.cli.options import note
from maskwise.errors import InputError, PluginError

if TYPE_CHECKING:
    import torch

    from maskwise.train.data import Example
    from maskwise.train.loop import Progress
    from maskwise.train.model import Network
    from maskwise.train.run import RunRecord
    from maskwise.train.stream import Stream

CheckpointArgument = Annotated[
    Path, typer.Argument(help="Checkpoint folder to start from.", metavar="CHECKPOINT")
]
OutOption = Annotated[
    Path, typer.Option("--out", "-o", help="Checkpoint folder to write.", metavar="FOLDER")
]
SeedOption = Annotated[int, typer.Option(help="Seed of everything drawn at random.")]
DeviceOption = Annotated[str, typer.Option(help="cpu, cuda, or auto: cuda where there is one.")]
SecondsOption = Annotated[
    float | None,
    typer.Option("--max-seconds", help="Stop training after S seconds.", metavar="S"),
]
StepsOption = Annotated[
    int | None, typer.Option(help="Steps; by default --max-seconds, or one pass.", metavar="N")
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(
        help="Keep the run's state here; a stopped run continues from it.", metavar="FOLDER"
    ),
]
EveryOption = Annotated[
    int,
    typer.Option(
        help="Steps between two evaluations on held-out texts; each also saves the state.",
        metavar="N",
    ),
]
DevOption = Annotated[
    Path | None,
    typer.Option(help="Annotated corpus to score on; the best state is kept.", exists=True),
]
SizeOption = Annotated[int, typer.Option(help="Word pieces per row.")]
RowsOption = Annotated[int, typer.Option(help="Rows per batch.")]
RateOption = Annotated[float, typer.Option("--lr", help="Highest learning rate.")]
HeadsOption = Annotated[
    float, typer.Option(help="How many times faster the heads learn than the encoder.")
]
DropOption = Annotated[
    str | None,
    typer.Option(
        help="Leave out rows in which this key is set, such as those held back.", metavar="KEY"
    ),
]
ShareOption = Annotated[
    list[str] | None,
    typer.Option(help="Share of a batch per domain; equal by default.", metavar="DOMAIN=X"),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(help="Encode texts in N processes; by default one per core.", metavar="N"),
]
PiecesOption = Annotated[
    int | None, typer.Option(help="Use at most N word pieces per file.", metavar="N")
]
UNTIL_TIME = 1_000_000  # steps that no run reaches before its time is up


def require_modules(*modules: str, extra: str = "train") -> None:
    """Raises an error that says what to install, if a package of the extra is missing."""
    for module in modules or ("torch", "safetensors", "onnx", "tqdm"):
        try:
            import_module(module)
        except ImportError:
            raise PluginError(
                f'training needs {module}, which is not here: pip install "maskwise[{extra}]"'
            ) from None


@dataclass(frozen=True)
class DomainFile:
    """A file or folder of a domain: `court=facts.jsonl`. Without the prefix it has no domain."""

    path: Path
    domain: str = ""


def parse_files(values: Sequence[str] | None) -> list[DomainFile]:
    found = []
    for value in values or ():
        domain, sign, path = value.partition("=")
        one = DomainFile(Path(value))
        if sign and domain.isidentifier():
            one = DomainFile(Path(path), domain)
        if not one.path.exists():
            raise InputError(f"{one.path}: no such file or folder")
        found.append(one)
    return found


def parse_numbers(
    values: Sequence[str] | None, known: Sequence[DomainFile], option: str
) -> dict[str, float]:
    """Returns values by domain. Some file must have each of these domains."""
    found = {}
    for value in values or ():
        domain, _, number = value.rpartition("=")
        try:
            found[domain] = float(number)
        except ValueError:
            raise InputError(f"{option} {value!r}: expected DOMAIN=NUMBER") from None
        if domain not in {one.domain for one in known}:
            raise InputError(
                f"{option} {value!r}: no file has the domain {domain!r}; write DOMAIN=FILE"
            )
    return found


def parse_shares(values: Sequence[str] | None, files: Sequence[DomainFile]) -> list[float]:
    """Returns the share of each file in a batch, 1 for a file whose domain has none."""
    shares = parse_numbers(values, files, "--share")
    return [shares.get(one.domain, 1.0) for one in files]


def collect_settings(context: typer.Context) -> dict[str, Any]:
    """Returns every option of the running command, for its record."""
    return {name: value for name, value in context.params.items() if name not in ("folder", "seed")}


@contextmanager
def record_command(
    context: typer.Context,
    stage: str,
    folder: Path,
    data: Sequence[Path],
    seed: int = 0,
    file: str = "",
) -> Iterator[RunRecord]:
    """Records the run of a command, with every option it was given, in `folder`; in `run.json` by default."""
    from maskwise.train.run import FILE, record_run

    settings = collect_settings(context)
    with record_run(folder, stage, data=data, seed=seed, file=file or FILE, **settings) as run:
        yield run


def finish_run(
    run: RunRecord,
    model: Network,
    progress: Progress,
    out: Path,
    start: Path,
    corpora: Sequence[Path] = (),
    **metrics: Any,
) -> None:
    """Writes the checkpoint of a trained model and notes how the training went.

    It has the tokenizer of the checkpoint `start`, and remembers the annotated corpora that both learnt from.
    """
    from maskwise.lm.learnt import hash_corpora
    from maskwise.train.checkpoint import read_trained_on, save_checkpoint

    learnt = read_trained_on(start) | hash_corpora(corpora)
    save_checkpoint(model, out, start, notes={"trained_on": learnt} if learnt else None)
    reached = {"steps": progress.step, "best_step": progress.best_step}
    run.note(**reached, **metrics, history=progress.history)
    note(f"{progress.step} steps; checkpoint written to {out}")


def pick_device(device: str) -> torch.device:
    """Returns the device of a name, or the best one for `auto`."""
    import torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        found = torch.device(device)
        torch.empty(0, device=found)
    except (RuntimeError, AssertionError):
        raise InputError(f"--device {device}: not usable here; take cpu, cuda or auto") from None
    torch.backends.cuda.matmul.allow_tf32 = True
    return found


def read_stream(
    one: DomainFile,
    tokenizer: Path,
    *,
    drop: str | None = None,
    key: str = "text",
    pieces: int | None = None,
    workers: int | None = None,
) -> tuple[list[dict[str, Any]], Stream]:
    """Reads the rows of a file that have `key` and not `drop`. Returns them and their texts as a stream."""
    from maskwise.train.data import read_rows
    from maskwise.train.encode import encode_texts
    from maskwise.train.stream import build_raw_stream

    rows = [row for row in read_rows(one.path) if key in row and not (drop and row.get(drop))]
    if not rows:
        raise InputError(f"{one.path}: no row with {key!r} there")
    flat = encode_texts((row["text"] for row in rows), tokenizer, workers=workers)
    stream = build_raw_stream(flat, tokenizer, one.domain)
    if pieces is None or pieces >= len(stream):
        return rows, stream
    documents = max(int(stream.bounds.searchsorted(pieces)), 1)
    return rows[:documents], stream.select_documents(0, documents)


def build_scorer(
    examples: Sequence[Example], tokenizer: Path, device: torch.device, size: int
) -> Callable[..., Any]:
    """Returns a function that scores a model on annotated documents. `select` is the F1 of its masks at .5."""
    from maskwise.train.predict import predict_targets
    from maskwise.train.score import align_truth, score_detection, sweep_thresholds
    from maskwise.train.stream import build_gold_stream

    stream = build_gold_stream(examples, tokenizer).to(device)
    wanted = align_truth(examples, tokenizer)

    def score_model(model: Network) -> dict[str, float]:
        found = predict_targets(model, stream, size=size, overlap=min(64, size // 4))
        row = sweep_thresholds(wanted, found.mask.float().cpu().numpy(), [0.5])[0]
        types = score_detection(wanted, found.tags.float().cpu().numpy())
        named = {f"dev_{key}": row[key] for key in ("p", "r", "f1", "er_direct", "er_quasi")}
        return {
            **named,
            "dev_detection": types["f1"],
            "dev_detection_label": types["f1_label"],
            "select": row["f1"],
        }

    return score_model


def choose_scorer(
    examples: Sequence[Example], tokenizer: Path, device: torch.device, size: int
) -> Callable[..., Any]:
    """Returns a scorer on annotated documents, or one that scores nothing if there are none."""
    return build_scorer(examples, tokenizer, device, size) if examples else score_nothing


def read_gold(files: Sequence[DomainFile]) -> list[Example]:
    """Reads the annotated documents of all files. Silver rows do not say what to mask, so they are refused."""
    from maskwise.train.data import read_examples

    read = [read_examples(one.path, one.domain) for one in files]
    examples = list(chain.from_iterable(read))
    if not examples or not all(example.judged for example in examples):
        raise InputError(
            "no document that says what to mask; give annotated corpora here, silver rows with --silver"
        )
    return examples


def choose_steps(steps: int | None, max_seconds: float | None, one_pass: int) -> int:
    """Returns the steps asked for, else as many as the time allows, else one pass."""
    return steps or (UNTIL_TIME if max_seconds else one_pass)


def score_nothing(_: Network) -> dict[str, float]:
    """Returns no scores, for runs without held-out texts whose state must be saved all the same."""
    return {}

"""What the training commands share: options, domains of files, texts as streams, scores on annotated documents.

PyTorch is imported when a command runs, never before: `maskwise --help` must stay fast and work without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maskwise.errors import InputError, PluginError

if TYPE_CHECKING:
    import torch

    from maskwise.train.data import Example
    from maskwise.train.model import Network
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
    typer.Option("--max-seconds", help="Stop training after so many seconds.", metavar="S"),
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
    int | None, typer.Option(help="Encode texts in so many processes; by default one per core.")
]
PiecesOption = Annotated[
    int | None, typer.Option(help="Use at most N word pieces per file.", metavar="N")
]
UNTIL_TIME = 1_000_000  # steps that no run reaches before its time is up


def require_modules(*modules: str, extra: str = "train") -> None:
    """Raises an error that says what to install, where a package of the extra is missing."""
    for module in modules or ("torch", "safetensors", "onnx", "tqdm"):
        try:
            import_module(module)
        except ImportError:
            raise PluginError(
                f'training needs {module}, which is not here: pip install "maskwise[{extra}]"'
            ) from None


@dataclass(frozen=True)
class DomainFile:
    """A file or folder of a domain: `court=facts.jsonl`; of none without the prefix."""

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
    """Values by domain, each of which some file must have."""
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


def collect_settings(context: typer.Context) -> dict[str, Any]:
    """Every option of the running command, for its record."""
    return {name: value for name, value in context.params.items() if name not in ("folder", "seed")}


def pick_device(device: str) -> torch.device:
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
    """The rows of a file that have `key` and not `drop`, and their texts as a stream of its domain."""
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
    """A function from a model to its scores on annotated documents; `select` is the F1 of its masks at .5."""
    from maskwise.train.predict import predict_targets
    from maskwise.train.score import align_truth, score_detection, sweep_thresholds
    from maskwise.train.stream import build_gold_stream

    stream = build_gold_stream(examples, tokenizer).to(device)
    wanted = align_truth(examples, tokenizer)

    def scores(model: Network) -> dict[str, float]:
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

    return scores


def read_gold(files: Sequence[DomainFile]) -> list[Example]:
    """Annotated documents of all files; silver has no judgement of what to mask and is refused."""
    from maskwise.train.data import read_examples

    examples = [example for one in files for example in read_examples(one.path, one.domain)]
    if not examples or not all(example.judged for example in examples):
        raise InputError(
            "no document that says what to mask; give annotated corpora here, silver rows with --silver"
        )
    return examples


def choose_steps(steps: int | None, max_seconds: float | None, one_pass: int) -> int:
    """Steps asked for; else as many as the time allows; else one pass."""
    return steps or (UNTIL_TIME if max_seconds else one_pass)


def score_nothing(_: Network) -> dict[str, float]:
    """Returns no scores, where there are no held-out texts but the state must be saved."""
    return {}

"""Texts that a user masks or keeps: as options, in files of one text per line, or in the JSON of `attack --top`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from maskwise.cli.options import note
from maskwise.errors import InputError
from maskwise.inputs import read_small
from maskwise.link.listed import check_texts
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

_SHOWN = 10  # numbers of texts in a line

KeepOption = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        help="Keep this text wherever it stands. `@FILE` reads texts, one per line; `re:` begins a pattern. "
        "Can be repeated.",
        metavar="TEXT|@FILE",
    ),
]
MaskOption = Annotated[
    list[str] | None,
    typer.Option(
        "--mask",
        help="Mask this text wherever it stands. `@FILE` reads lines, or the JSON of `attack --top`. Can be repeated.",
        metavar="TEXT|@FILE",
    ),
]
MustMaskOption = Annotated[
    list[Path] | None,
    typer.Option("--must-mask", help="The same as `--mask @FILE`.", metavar="FILE"),
]

MASK, KEEP = "must_mask", "must_keep"
_LARGEST = 1 << 26  # bytes of a list


@dataclass(frozen=True)
class TextList:
    """Texts of one key of the policy that came from one place: a file, an option or the policy."""

    key: str
    source: str
    texts: tuple[str, ...] = field(repr=False)
    path: Path | None = None


def read_lists(
    mask: Sequence[str] | None, keep: Sequence[str] | None, files: Sequence[Path] | None = None
) -> list[TextList]:
    """The lists of the command line: texts as they are, and those of each file."""
    lists: list[TextList] = []
    for key, option, given in ((MASK, "--mask", mask), (KEEP, "--keep", keep)):
        texts = tuple(text.strip() for text in given or () if not text.startswith("@"))
        paths = [Path(text[1:]) for text in given or () if text.startswith("@")]
        paths += files or () if key == MASK else ()
        if texts:
            _expect_letters(texts, option)
            lists.append(TextList(key, option, texts))
        lists += (TextList(key, path.name, read_list(path), path) for path in paths)
    return lists


def read_list(path: Path) -> tuple[str, ...]:
    """The texts of one file. Its first sign tells JSON from lines."""
    try:
        text = read_small(path, _LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name}: not UTF-8 at byte {error.start}") from None
    if text.lstrip()[:1] in ("{", "["):
        found = _parse_json(text, path.name)
    else:
        found = [line.strip() for line in text.splitlines()]
    texts = tuple(dict.fromkeys(one for one in found if one))
    _expect_letters(texts, path.name)
    return texts


def _expect_letters(texts: Sequence[str], source: str) -> None:
    try:
        check_texts(texts)
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None


def list_texts(policy: Policy, lists: Sequence[TextList]) -> Policy:
    """The policy with the texts of the lists in its `must_mask` and `must_keep`."""
    if not lists:
        return policy
    raw = policy.model_dump(mode="json")
    for one in lists:
        raw[one.key] = [*raw[one.key], *one.texts]
    return Policy.parse(raw, "--keep, --mask")


def note_unseen(policy: Policy, lists: Sequence[TextList], sanitizer: Sanitizer) -> None:
    """Say how many texts of the policy and of each list masked or kept nothing. `policy` is as it was without lists."""
    own = [TextList(MASK, MASK, policy.listed), TextList(KEEP, KEEP, policy.kept)]
    unseen = set(sanitizer.unseen)
    for one in [*(each for each in own if each.texts), *lists]:
        numbers = [str(at) for at, text in enumerate(one.texts, 1) if text in unseen]
        missed = len(numbers)
        if not one.texts:
            note(f"{one.source} lists no text")
        elif missed:
            verb = "is" if missed == 1 else "are"
            where = "in any document" if one.key == MASK else "to be kept in any document"
            shown = ", ".join(numbers[:_SHOWN]) + ", ..." * (missed > _SHOWN)
            told = f"{missed} of {len(one.texts)} texts of {one.source} {verb} not {where}"
            note(f"{told}: {'number' if missed == 1 else 'numbers'} {shown}")


def list_paths(lists: Sequence[TextList]) -> list[Path]:
    """The files that hold texts."""
    return [one.path for one in lists if one.path]


def _parse_json(text: str, source: str) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{source}: not JSON; write one text per line") from None
    found = value if isinstance(value, list) else list(_collect_texts(value))
    if not all(isinstance(one, str) for one in found):
        raise InputError(f"{source}: a list of texts holds something that is no text")
    if not isinstance(value, list) and not _has_list(value):
        raise InputError(
            f"{source}: no list {MASK!r} in it; write it with `maskwise attack --top N --json`"
        )
    return [one.strip() for one in found]


def _collect_texts(value: Any) -> Iterator[Any]:
    """Every text under a key `must_mask`, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == MASK and isinstance(inner, list):
                yield from inner
            else:
                yield from _collect_texts(inner)


def _has_list(value: Any) -> bool:
    """Whether the JSON is of an attack that listed what gave people away, or holds a list itself."""
    return isinstance(value, dict) and ("clues" in value or isinstance(value.get(MASK), list))

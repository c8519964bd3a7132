"""The MCP server: tools that mask, analyse and evaluate files below allowed folders. Needs the extra `[mcp]`.

A tool gives masked text. Originals are given only by a server that was started for it, to a call that asks for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from maskwise import io
from maskwise.errors import InputError, MaskwiseError
from maskwise.evaluate.tab import summarise_counts, tally_documents
from maskwise.files import read_file_texts, sanitize_file
from maskwise.sanitizer import Sanitizer
from maskwise.server.recorder import stop_tracing
from maskwise.text import Person, tab

T = TypeVar("T")
INSTRUCTIONS = (
    "Masks personal information. Prefer mask_file and read_masked to reading files yourself: what they return holds "
    "no names. Paths must lie below the folders that the user allowed."
)


@dataclass(frozen=True)
class AllowedFolders:
    """Folders below which files may be read and written. Links that lead out of them are refused."""

    roots: tuple[Path, ...]

    def find(self, path: str, must_exist: bool = True) -> Path:
        """The real path of a file. What lies outside is answered like what does not exist."""
        try:
            whole = Path(path) if Path(path).is_absolute() else self.roots[0] / path
            found = whole.resolve(strict=must_exist)
        except (OSError, ValueError, RuntimeError):
            raise InputError("no such file below the allowed folders") from None
        if not any(found.is_relative_to(root) for root in self.roots):
            raise InputError("no such file below the allowed folders")
        return found


def build_mcp(
    roots: Sequence[Path], sanitizer: Sanitizer, with_originals: bool = False
) -> MCPServer[Any]:
    """Build the server. `with_originals` adds the tool that reads files unmasked."""
    folders = AllowedFolders(tuple(root.resolve(strict=True) for root in roots))
    tools = MaskTools(folders, sanitizer)
    server: MCPServer[Any] = MCPServer(
        "maskwise", version=version("maskwise"), instructions=INSTRUCTIONS, log_level="CRITICAL"
    )
    stop_tracing(server.middleware)
    chosen: list[Callable[..., Any]] = [
        tools.mask_text,
        tools.mask_file,
        tools.read_masked,
        tools.analyse_file,
        tools.evaluate_policy,
    ]
    if with_originals:
        chosen.append(tools.read_original)
    for tool in chosen:
        server.add_tool(tool)
    return server


@dataclass(frozen=True)
class MaskTools:
    """The tools. The docstring of each is what a model reads about it."""

    folders: AllowedFolders
    sanitizer: Sanitizer

    async def mask_text(self, text: str, protect: list[str] | None = None) -> str:
        """Mask the personal information in a text. `protect` names people who must not be recognisable."""
        return await _run(
            lambda: sanitize_file(
                self.sanitizer, text.encode(), "a.txt", _name(protect)
            ).data.decode()
        )

    async def mask_file(
        self, path: str, output: str, protect: list[str] | None = None
    ) -> dict[str, Any]:
        """Write a masked copy of a file in the same format. `output` is a new file; nothing is overwritten."""

        def work() -> dict[str, Any]:
            source, target = self.folders.find(path), self.folders.find(output, must_exist=False)
            if target.exists():
                raise InputError("the output exists already; choose another name")
            if target.suffix.casefold() != source.suffix.casefold():
                raise InputError("the output needs the same ending as the file")
            raw = self.sanitizer.policy.formats.limits.read_file(source, "the file")
            done = sanitize_file(self.sanitizer, raw, f"file{source.suffix}", _name(protect))
            io.write_file(target, done.data)
            masks = sum(len(result.masks) for result in done.results)
            return {"masks": masks, "texts": len(done.results), "left_out": list(done.notes)}

        return await _run(work)

    async def read_masked(self, path: str, protect: list[str] | None = None) -> list[str]:
        """Read the texts of a file, masked. Works for all formats, also office files and PDFs."""
        done = await _run(lambda: self._sanitize(path, protect))
        return [result.text for result in done]

    async def analyse_file(self, path: str) -> list[dict[str, Any]]:
        """List what is personal in a file: types, offsets and decisions, without the words themselves."""
        done = await _run(lambda: self._sanitize(path, None))
        return [
            {
                "text": at,
                "id": entity.id,
                "type": entity.type.value,
                "mentions": [list(mention.span) for mention in entity.mentions],
                "decision": result.plan.by_entity[entity.id].action.value,
            }
            for at, result in enumerate(done)
            for entity in result.findings
        ]

    async def evaluate_policy(self, corpus: str) -> dict[str, float | None]:
        """Score the policy on an annotated corpus (TAB JSON) with the metrics of the benchmark."""

        def work() -> dict[str, float | None]:
            documents = tab.load_corpus(self.folders.find(corpus))
            results = list(self.sanitizer.run([each.document for each in documents]))
            spans = {
                result.document.id: [(start, end) for start, end, _ in result.masks]
                for result in results
            }
            counts = tally_documents(documents, spans, None)
            scores = summarise_counts(counts, resamples=1, seed=0)
            return {name: score.value for name, score in scores.items()}

        return await _run(work)

    async def read_original(self, path: str, reason: str) -> list[str]:
        """Read the texts of a file UNMASKED. Only if the user asked for the original; `reason` says why."""
        if not reason.strip():
            raise ToolError("say why the original is needed")

        def work() -> list[str]:
            source = self.folders.find(path)
            raw = self.sanitizer.policy.formats.limits.read_file(source, "the file")
            return list(read_file_texts(raw, f"file{source.suffix}", self.sanitizer.policy))

        return await _run(work)

    def _sanitize(self, path: str, protect: list[str] | None) -> Sequence[Any]:
        source = self.folders.find(path)
        raw = self.sanitizer.policy.formats.limits.read_file(source, "the file")
        return sanitize_file(self.sanitizer, raw, f"file{source.suffix}", _name(protect)).results


def _name(protect: list[str] | None) -> tuple[Person, ...]:
    names = protect or []
    if not all(any(map(str.isalnum, name)) for name in names):
        raise InputError("a name to protect has at least one letter")
    return tuple(map(Person, names))


async def _run(work: Callable[[], T]) -> T:
    """Run a tool in a thread. Its errors are ours or say nothing but their kind."""

    def run_hidden() -> T:
        with hide_errors():
            return work()

    return await asyncio.to_thread(run_hidden)


@contextmanager
def hide_errors() -> Iterator[None]:
    """Turn any failure into one line for the model, without text."""
    try:
        yield
    except ToolError:
        raise
    except MaskwiseError as error:
        raise ToolError(str(error)) from None
    except Exception as error:
        raise ToolError(f"internal error ({type(error).__name__})") from None

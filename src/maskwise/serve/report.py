"""A self-contained HTML page: original and masked text side by side, spans coloured by type, reasons on hover.

No script, no request to anywhere: it opens from a disk that has no network. It shows the original text, so it is as
confidential as the original.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from maskwise.result import Result
from maskwise.text import Entity, EntityType


def page(results: Sequence[Result], policy: str) -> str:
    """The page for one or more results."""
    folder = files("maskwise.serve")
    frame = Template(folder.joinpath("report.html").read_text("utf-8"))
    return frame.substitute(
        style=folder.joinpath("report.css").read_text("utf-8"),
        title=f"{len(results)} document{'s' if len(results) != 1 else ''}, policy {escape(policy)}",
        legend="".join(f'<li class="{t}">{t}</li>' for t in EntityType),
        documents="\n".join(_document(result) for result in results),
    )


def _document(result: Result) -> str:
    counts = Counter(result.plan.by_entity[e.id].masked for e in result.entities)
    coverage = ", ".join(
        f"{escape(name)} read {read} of {result.coverage.characters} characters"
        for name, read in result.coverage.read.items()
    )
    facts = f"{counts[True]} entities masked, {counts[False]} kept; {coverage}."
    return f"""<section class="document">
<h2>{escape(result.document.id or "text")}</h2>
<p class="facts">{facts}</p>
<div class="columns">
<article aria-label="original"><h3>Original</h3><div class="text">{"".join(_original(result))}</div></article>
<article aria-label="masked"><h3>Masked</h3><div class="text">{"".join(_masked(result))}</div></article>
</div>
{_table(result)}
</section>"""


def _original(result: Result) -> Iterator[str]:
    text, cursor = result.document.text, 0
    spans = sorted((m.start, m.end, entity) for entity in result.entities for m in entity.mentions)
    for start, end, entity in spans:
        yield escape(text[cursor:start])
        yield _mark(result, entity, text[start:end])
        cursor = end
    yield escape(text[cursor:])


def _masked(result: Result) -> Iterator[str]:
    owner = {m.start: entity for entity in result.entities for m in entity.mentions}
    cursor = 0
    for edit in result.rendering.alignment.edits:
        yield escape(result.text[cursor : edit.at])
        yield _mark(result, owner[edit.start], edit.replacement)
        cursor = edit.until
    yield escape(result.text[cursor:])


def _mark(result: Result, entity: Entity, shown: str) -> str:
    decision = result.plan.by_entity[entity.id]
    state = "masked" if decision.masked else "kept"
    why = escape(f"{entity.type}, {decision.identifier}, {decision.action}: {'; '.join(decision.reasons)}")
    return f'<mark class="{entity.type} {state}" tabindex="0" title="{why}">{escape(shown)}</mark>'


def _table(result: Result) -> str:
    rows = []
    for entity in result.entities:
        decision = result.plan.by_entity[entity.id]
        cells = (
            entity.longest.text,
            entity.type,
            decision.identifier,
            str(len(entity.mentions)),
            decision.action,
            result.rendering.replacements.get(entity.id, ""),
            "; ".join(decision.reasons),
        )
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    heads = ("text", "type", "identifier", "mentions", "decision", "replacement", "reason")
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f"<details><summary>All entities and reasons</summary>{table}</details>"

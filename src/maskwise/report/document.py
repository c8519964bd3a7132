"""A self-contained HTML page: original and masked text side by side, with the reasons and alternatives per span.

The page requests nothing and runs only its own script, whose hash stands in its content security policy. It shows the
original text, so it is as confidential as the original. The same results give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template
from types import MappingProxyType

from maskwise.report.summary import build_summary
from maskwise.report.texts import AnchoredResult, build_columns
from maskwise.result import Result
from maskwise.text import Entity, EntityType, Evidence, Level

FindLevels = Callable[[Entity], tuple[Level, ...]]  # what the ladder of an entity's operator offers


def build_document_page(
    results: Sequence[Result],
    policy: str,
    find_levels: FindLevels = lambda _: (),
    *,
    notes: Mapping[str, Sequence[str]] = MappingProxyType({}),
    missing: Sequence[str] = (),
) -> str:
    """The page for one or more results. Results of one file share a section.

    `find_levels` gives the alternatives of an entity. `notes` say per document what was left out of it. `missing` says
    what was asked for and is not on the page.

    >>> from maskwise import sanitize
    >>> build_document_page([sanitize("Mr Lee left.")], "balanced").startswith("<!doctype html>")
    True
    """
    style = _read_asset("document.css")
    script = _read_asset("document.js")
    frame = Template(_read_asset("document.html"))
    by_document = groupby(results, key=lambda result: result.document.id)
    documents = []
    for at, (name, group) in enumerate(by_document):
        documents.append(_build_section(at, tuple(group), find_levels, notes.get(name, ())))
    plural = "s" if len(documents) != 1 else ""
    indicators = sorted({e.indicator for result in results for e in result.evidence})
    return frame.substitute(
        style=style,
        script=script,
        style_hash=_hash_source(style),
        script_hash=_hash_source(script),
        title=f"{len(documents)} document{plural}, policy {escape(policy)}",
        types="".join(map(_build_type_box, EntityType)),
        indicators="".join(map(_build_option, indicators)),
        missing=_list_missing(missing),
        documents="\n".join(documents),
    )


def _read_asset(name: str) -> str:
    return files("maskwise.report").joinpath(name).read_text("utf-8")


def _hash_source(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _build_type_box(kind: EntityType) -> str:
    return f'<label class="{kind}"><input type="checkbox" name="type" value="{kind}" checked> {kind}</label>'


def _build_option(indicator: str) -> str:
    name = escape(indicator)
    return f'<option value="{name}">{name}</option>'


def _list_missing(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    items = "".join(f"<li>{escape(line)}</li>" for line in missing)
    return f'<div class="missing"><p>Asked for, and not on this page:</p><ul>{items}</ul></div>'


def _build_section(
    at: int, results: Sequence[Result], find_levels: FindLevels, notes: Sequence[str]
) -> str:
    anchored = [AnchoredResult(result, f"d{at}-{n}") for n, result in enumerate(results)]
    original, masked = build_columns(anchored)
    cards = "".join(card for one in anchored for card in _list_cards(one, find_levels))
    name = escape(results[0].document.id or "text")
    return f"""<section class="document" aria-labelledby="d{at}">
<h2 id="d{at}">{name}</h2>
{build_summary(results, notes)}
<div class="columns">
<article><h3>Original</h3><div class="text" tabindex="0" role="region" aria-label="Original">{original}</div></article>
<article><h3>Masked</h3><div class="text" tabindex="0" role="region" aria-label="Masked">{masked}</div></article>
</div>
<details class="entities"><summary>All entities, their evidence and alternatives</summary>
<ul class="cards">{cards}</ul>
</details>
</section>"""


def _list_cards(anchored: AnchoredResult, find_levels: FindLevels) -> Iterator[str]:
    """Yields what is known about each entity, to be shown beside its spans and listed under the texts."""
    about: dict[str, list[Evidence]] = {}
    for item in anchored.result.evidence:
        for member in item.entities:
            about.setdefault(member, []).append(item)
    for entity in anchored.result.findings:
        evidence = about.get(entity.id, [])
        yield _build_card(anchored, entity, evidence, find_levels(entity))


def _build_card(
    anchored: AnchoredResult, entity: Entity, evidence: Sequence[Evidence], levels: Sequence[Level]
) -> str:
    decision = anchored.result.plan.by_entity[entity.id]
    level = f", level {decision.level}" if decision.level else ""
    written = anchored.result.rendering.replacements.get(entity.id, "the original")
    rows = {
        "Decision": escape(f"{decision.action}{level}"),
        "Written as": escape(written),
        "Identifier": escape(decision.identifier.lower()),
        "Why": "<br>".join(map(escape, decision.reasons)),
        "Evidence": "".join(map(_format_evidence, evidence)) or "no indicator judged it",
        "Information": f"{decision.lost:.2f} of {decision.information:.2f} lost",
        "Alternatives": _list_alternatives(levels, decision.level) or "no ladder: masked or kept",
    }
    details = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows.items())
    times = f", {len(entity.mentions)} mentions" if len(entity.mentions) > 1 else ""
    kinds = ", ".join(sorted(entity.subtypes))
    subtypes = escape(f" ({kinds})" if kinds else "")
    head = f"<strong>{escape(entity.longest.text)}</strong> {entity.type}{subtypes}{times}"
    return f'<li class="card {entity.type}" id="{anchored.anchors[entity.id]}"><p>{head}</p><dl>{details}</dl></li>'


def _format_evidence(item: Evidence) -> str:
    verdict = "no opinion" if item.silent else "safe"
    if item.risky:
        verdict = "risky"
    together = f", with {len(item.entities) - 1} more" if len(item.entities) > 1 else ""
    figures = f"score {item.score:.2f}, threshold {item.threshold:.2f}: {verdict}{together}"
    return f"<p><b>{escape(item.indicator)}</b> {figures}<br>{escape(item.reason)}</p>"


def _list_alternatives(levels: Sequence[Level], chosen: int) -> str:
    """The levels of the ladder from the most specific on, with what each loses. The chosen one is bold."""
    steps = [f"{escape(level.text)} <small>loses {level.loss:.0%}</small>" for level in levels]
    if not steps:
        return ""
    shown = [f"<b>{step}</b>" if at == chosen else step for at, step in enumerate(steps, 1)]
    items = "".join(f"<li>{step}</li>" for step in shown)
    return f"<ol>{items}</ol>"

"""A self-contained page of evaluation figures: tables, plots, and what is needed to make them again.

It has no script and requests nothing. It holds text of documents only where mistakes in context were asked for.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from pathlib import Path

from maskwise.evaluate.mistakes import Mistake
from maskwise.report import plots

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #24292f;
  background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #d0d7de; text-align: left; vertical-align: top; }
th { background: #f6f8fa; } dt { font-weight: 600; } dd { margin: 0 0 .4rem; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; } mark { background: #ffe08a; }
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the HTML under it."""

    title: str
    body: str


def build_page(title: str, facts: Mapping[str, str], sections: Iterable[Section]) -> str:
    """The whole page."""
    body = "\n".join(f"<section><h2>{escape(s.title)}</h2>\n{s.body}\n</section>" for s in sections)
    about = "".join(
        f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts.items()
    )
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style></head>
<body>
<h1>{escape(title)}</h1>
{body}
<section><h2>How it was made</h2><dl>{about}</dl></section>
</body>
</html>
"""


def list_facts(files: Iterable[Path], settings: Mapping[str, object]) -> dict[str, str]:
    """Date, versions, settings, and the SHA-256 of every file that was read."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("maskwise", "numpy", "onnxruntime"))
    found = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": f"{packages}, Python {platform.python_version()}",
    }
    found |= {key: str(value) for key, value in settings.items()}
    for path in files:
        found[f"SHA-256 of {path.name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def build_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    body = "".join(_build_row(row) for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _build_row(row: Sequence[object]) -> str:
    cells = "".join(f"<td>{_format_cell(cell)}</td>" for cell in row)
    return f"<tr>{cells}</tr>"


def build_figure(svg: str) -> str:
    return f"<figure>{plots.inline_svg(svg)}</figure>"


def list_in_context(found: Sequence[Mistake]) -> str:
    """Mistakes with the text around them."""
    rows = [
        f"<tr><td>{escape(m.document)}</td><td>{m.start}</td><td>{m.kind}</td><td>{escape(m.type)}</td>"
        f"<td>{m.annotators} of {m.of}</td>"
        f"<td>{escape(m.before)}<mark>{escape(m.text)}</mark>{escape(m.after)}</td></tr>"
        for m in found
    ]
    heads = ("document", "at", "kind", "type", "annotators who mask it", "in context")
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _format_cell(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))

"""Places of Markdown."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import quote

from . import Place

TEMPLATES = {
    "paragraph": "{p}",
    "heading": "## {p}",
    "underlined heading": "{p}\n===",
    "emphasis": "**{a}**{b}",
    "emphasis inside": "{a}*{b}*",
    "emphasis of a part": "*{a}***{b}**",
    "strike": "~~{p}~~",
    "code": "`{p}`",
    "code block": "```\n{p}\n```",
    "code language": "```{word}\nx\n```",
    "code title": '```python title="{p}"\nx\n```',
    "indented code": "    {p}",
    "link text": "[{p}](https://example.org/)",
    "link target": "[x](https://example.org/{url})",
    "link target in brackets": "[x](<https://example.org/{p}>)",
    "link title": '[x](https://example.org/ "{p}")',
    "link in base64": "[x](https://example.org/?q={base64})",
    "link to data": "[x](data:text/plain;base64,{base64})",
    "link with parentheses": "[x](https://example.org/a_(b)/{url})",
    "reference": "[x][{p}]\n\n[{p}]: https://example.org/",
    "reference target": "[x][1]\n\n[1]: https://example.org/{url}",
    "reference title": "[x][1]\n\n[1]: https://example.org/ '{p}'",
    "unused reference": "[//]: # ({p})",
    "shortcut reference": "[{p}]\n\n[{p}]: x",
    "autolink": "<https://example.org/{url}>",
    "picture text": "![{p}](x.png)",
    "picture target": "![x](/img/{url}.png)",
    "picture data": "![x](data:image/png;base64,{base64})",
    "footnote": "x[^1]\n\n[^1]: {p}",
    "footnote label": "x[^{word}]\n\n[^{word}]: y",
    "table": "| a | b |\n|---|---|\n| {p} | x |",
    "table head": "| {p} | b |\n|---|---|\n| 1 | 2 |",
    "list": "- a\n  - {p}",
    "numbered list": "1. {p}",
    "task": "- [ ] {p}",
    "quotation": "> {p}",
    "definition": "x\n: {p}",
    "abbreviation": "*[HTML]: {p}",
    "front matter": "FRONT---\nauthor: {p}\n---",
    "front matter key": "FRONT---\n{p}: x\n---",
    "front matter list": 'FRONT---\ntags: ["{p}", x]\n---',
    "front matter in base64": "FRONT---\nkey: {base64}\n---",
    "toml front matter": 'FRONT+++\nauthor = "{p}"\n+++',
    "comment": "<!-- {p} -->",
    "text over a comment": "{a}<!-- -->{b}",
    "tag": "<b>{p}</b>",
    "text over tags": "{a}<b>{b}</b>",
    "text over a span": "{a}<span>{b}</span>",
    "attribute of a tag": '<p title="{p}">x</p>',
    "picture tag": '<img alt="{p}" src="/img/{url}.png">',
    "script": "<script>var a = '{p}'</script>",
    "style": "<style>p::after { content: '{p}' }</style>",
    "references": "{decimal}",
    "named references": "{nbsp}",
    "backslashes": "{escaped}",
    "identifier": "# x {#{slug}}",
    "class": "# x {.{slug} key='{p}'}",
    "directive": "::: note {p}\nx\n:::",
    "mathematics": "$$ \\text{ {p} } $$",
    "citation": "[@{slug}, p. 5]",
    "wiki link": "[[{p}]]",
    "highlight": "=={p}==",
    "hard break": "{p}  \nx",
    "home folder": "/home/{slug}/notes.md",
}


def _build(template: str) -> Callable[[str, str], bytes]:
    def make(planted: str, body: str) -> bytes:
        half = len(planted) // 2 + 3
        forms = {
            "p": planted,
            "a": planted[:half],
            "b": planted[half:],
            "word": planted.replace(" ", "-"),
            "slug": planted.replace(" ", "-"),
            "url": quote(planted),
            "base64": base64.b64encode(planted.encode()).decode(),
            "decimal": "".join(f"&#{ord(c)};" for c in planted),
            "nbsp": planted.replace(" ", "&nbsp;"),
            "escaped": planted.replace("+", "\\+"),
        }
        text = template
        for name, form in forms.items():
            text = text.replace("{" + name + "}", form)
        if text.startswith("FRONT"):
            return f"{text.removeprefix('FRONT')}\n\n{body}\n".encode()
        return f"{body}\n\n{text}\n".encode()

    return make


PLACES = [Place(f"md {name}", "md", _build(template)) for name, template in TEMPLATES.items()]

"""Writes the parts of the documentation that repeat what the code says, so that they cannot go stale.

    python tools/write_docs.py            # write
    python tools/write_docs.py --check    # write nothing, exit 1 and name the pages that are out of date

Whole pages: patterns.md, cli.md, and one page per file of figures in docs/tables. Inside other pages: what stands
between `<!-- generated:NAME -->` and `<!-- generated:end -->`. Figures come from docs/figures/*.json, which the
benchmarks write.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import typer
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from maskwise import plugins
from maskwise.cli import app
from maskwise.detect import patterns
from maskwise.detect.gazetteer import BUNDLED, UserList
from maskwise.detect.patterns import Family, Rule
from maskwise.io import Limits
from maskwise.io.column_typing import ColumnKind
from maskwise.policy import Policy, list_shipped
from maskwise.settings import READERS, FormatSettings, read_reader_options
from maskwise.text import EntityType

DOCS = Path(__file__).parent.parent / "docs"
NOTE = "<!-- Written by tools/write_docs.py. Do not edit: change the code and run it again. -->\n\n"
PATTERNS = """# Pattern families

Rules find things with a shape: identifiers, contacts, dates, amounts, names with a title. Each family is one file in
`src/maskwise/detect/patterns/`, and its tables of true and false examples are its test.

`only` and `without` of the `patterns` detector switch families. The subtypes stand with type and score; a
[policy](policies.md) can give a subtype a threshold of its own. ✓: the rules refuse what fails a checksum or a
validator. In an example «» marks what the rules find.

"""
CLI = """Results go to standard output, everything else to standard error. Exit codes are in
[Contracts](contracts.md#exit-codes). `maskwise COMMAND --help` prints what stands here (of `maskwise train` more), with
more examples; `maskwise --version` prints the version.

`maskwise --install-completion` teaches your shell (bash, zsh, fish or PowerShell) to complete commands and options with
the Tab key; `maskwise --show-completion` prints the script instead.

Before a command writes, it compares every path it would write with every file it uses: inputs, vault, key, audit log,
policy and index. Where two are the same file, also by a link, it writes nothing.

Arguments come before options, in the order shown. Several commands share these options, which they then list after
"Also":

"""
COMMON = 3  # commands that share an option before it is described once
PART_KEYS = {
    "detectors": "detectors",
    "linkers": "linker",
    "indicators": "indicators",
    "indexes": "index",
    "combinations": "combine",
    "solvers": "decide",
    "operators": "operator",
}
MADE = ("data", "seeds", "seconds", "machine", "versions")  # of a file of figures: how it was made
BLOCK = re.compile(r"(<!-- generated:(\w+) -->\n).*?(<!-- generated:end -->)", re.DOTALL)


def format_code(text: str) -> str:
    """Inline code, whatever is in it, on one line."""
    text = text.replace("\n", "⏎")
    fence = "``" if "`" in text else "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines
    )


def join_paragraph(text: str | None) -> str:
    return " ".join((text or "").split())


# --- patterns.md -----------------------------------------------------------------------------------------------------


def write_patterns_page() -> str:
    homes = [(module.__doc__ or "", family) for module, family in _list_families()]
    rules = sum(len(family.rules) for _, family in homes)
    parts = [NOTE + PATTERNS + f"There are {len(homes)} families with {rules} rules.\n\n"]
    parts += [_describe_family(doc, family) for doc, family in homes]
    return "".join(parts).rstrip() + "\n"


def _list_families() -> Iterator[tuple[Any, Family]]:
    modules = [
        importlib.import_module(f"{patterns.__name__}.{info.name}")
        for info in pkgutil.iter_modules(patterns.__path__)
    ]
    found = [(m, m.FAMILY) for m in modules if isinstance(getattr(m, "FAMILY", None), Family)]
    yield from sorted(found, key=lambda pair: pair[1].name)


def _describe_family(doc: str, family: Family) -> str:
    by_type: dict[str, dict[str, list[Rule]]] = {}
    for rule in family.rules:
        by_type.setdefault(str(rule.type), {}).setdefault(rule.name, []).append(rule)
    subtypes = [f"{kind}: {_list_subtypes(rules)}" for kind, rules in by_type.items()]
    about = _take_first_sentence(doc)
    example = "" if '"' in about else _quote_first_example(family)
    return f"## {family.name}\n\n{about}\n\n{'; '.join(subtypes)}.\n\n{example}"


def _take_first_sentence(text: str) -> str:
    return re.split(r"(?<=\.) (?=[A-Z])", join_paragraph(text), maxsplit=1)[0]


def _list_subtypes(rules: Mapping[str, Sequence[Rule]]) -> str:
    return ", ".join(f"{format_code(name)} {_format_scores(own)}" for name, own in rules.items())


def _format_scores(rules: Sequence[Rule]) -> str:
    """The lowest and the highest score of the rules of one subtype, with a mark if all of them check what they find."""
    lowest, highest = min(rule.score for rule in rules), max(rule.score for rule in rules)
    shown = f"{lowest:.2f}" if lowest == highest else f"{lowest:.2f}–{highest:.2f}"
    return f"{shown}✓" if all(rule.check for rule in rules) else shown


def _quote_first_example(family: Family) -> str:
    found = ((text, spans) for text, spans in family.positive if spans and len(text) < 160)
    return next((f"{format_code(_quote(text, spans))}\n\n" for text, spans in found), "")


def _quote(text: str, spans: Sequence[str]) -> str:
    """The text with marks around what is found in it."""
    shown, rest = "", text
    for span in spans:
        before, _, rest = rest.partition(span)
        shown += f"{before}«{span}»"
    return shown + rest


# --- cli.md ----------------------------------------------------------------------------------------------------------


def write_cli_page() -> str:
    group: Any = typer.main.get_command(app)
    common = _list_common(group)
    parts = [f"{NOTE}# Command line\n\n{join_paragraph(group.help)}\n\n{CLI}", *common, "\n"]
    parts += [
        _describe_command(name, command, common)
        for name, command in _list_commands("maskwise", group)
    ]
    return "".join(parts).rstrip() + "\n"


def _list_common(group: Any) -> list[str]:
    """The lines of options that several commands share, one line per name of an option."""
    lines = [line for _, command in _list_commands("", group) for line in _list_options(command)]
    often = [(line, n) for line, n in Counter(lines).most_common() if n >= COMMON]
    by_name = {line.split()[1]: line for line, _ in reversed(often) if line.startswith("- `--")}
    return sorted(by_name.values())


def _list_commands(name: str, group: Any) -> Iterator[tuple[str, Any]]:
    """The commands of a group, each followed by those below it."""
    for own, command in getattr(group, "commands", {}).items():
        if not command.hidden:
            yield f"{name} {own}", command
            yield from _list_commands(f"{name} {own}", command)


def _describe_command(name: str, command: Any, common: Sequence[str]) -> str:
    # Few readers train: the options of these commands stand in `--help` alone.
    lines = [] if name.startswith("maskwise train ") else _list_options(command)
    own = "".join(line for line in lines if line not in common)
    shared = [line[2:].partition(": ")[0] for line in lines if line in common]
    also = f"Also {', '.join(shared)}.\n" if shared else ""
    about = _escape(join_paragraph(_strip_markup(command.help or "")))
    listed = "\n".join(filter(None, (own, also, _format_examples(command))))
    text = f"{name}\n\n{about}\n\n{listed}".rstrip()
    return "#" * len(name.split()) + f" {text}\n\n"


def _list_options(command: Any) -> list[str]:
    """One line per argument and option, with its meaning and its default."""
    params = [p for p in command.params if p.name != "help"]
    return [
        f"- {_format_names(p)}: {join_paragraph(_strip_markup(p.help))}{_format_default(p)}\n"
        for p in params
    ]


def _format_examples(command: Any) -> str:
    """The first example of a command that does not stand again below its commands; --help has all."""
    below = [line for _, each in _list_commands("", command) for line in _list_examples(each)]
    lines = [line for line in _list_examples(command) if line not in below]
    return f"```console\n$ {lines[0]}\n```\n" if lines else ""


def _list_examples(command: Any) -> list[str]:
    lines = _strip_markup(command.epilog or "").splitlines()
    return [line for line in lines if line.startswith(("maskwise", "cat "))]


def _describe_argument(param: Any) -> str:
    name = param.metavar or param.name.upper()
    return name if param.nargs == 1 or name.endswith("...") else f"{name}..."


def _format_names(param: Any) -> str:
    if param.param_type_name == "argument":
        return format_code(_describe_argument(param))
    flag = getattr(param, "is_flag", False)
    value = (
        ""
        if flag
        else " " + (param.metavar or _format_choices(param.default) or param.name.upper())
    )
    longest = max(param.opts, key=len)
    short = [opt for opt in param.opts if len(opt) == 2 and opt != longest]
    return ", ".join(map(format_code, [f"{longest}{value}", *short]))


def _format_choices(default: Any) -> str:
    return "/".join(str(each.value) for each in type(default)) if isinstance(default, Enum) else ""


def _format_default(param: Any) -> str:
    """What holds without the option; of an argument only whether it may be left out."""
    if param.param_type_name == "argument":
        return "" if param.required else " Optional."
    if param.required:
        return " Required."
    value = param.default.value if isinstance(param.default, Enum) else param.default
    is_nothing = value is None or value is False or value == "" or callable(value)
    return "" if is_nothing else f" Default {format_code(str(value))}."


def _strip_markup(markup: str) -> str:
    return re.sub(r"\[/?(?:bold|italic|dim)\]", "", markup).replace("\\[", "[")


def _escape(text: str) -> str:
    return text.replace("<", "&lt;").replace("[", "\\[")


# --- blocks ----------------------------------------------------------------------------------------------------------


def write_policy_keys() -> str:
    rows = [_describe_key(name, field) for name, field in Policy.model_fields.items()]
    rows.insert(2, (format_code("extends"), "name or path of a policy", ""))
    rows.insert(3, (format_code("weakens"), "texts", ""))
    return _format_keys(rows)


def write_policy_parts() -> str:
    """Every part of ours, by group, with the options of its constructor."""
    sections = [
        _describe_part(group, key, name)
        for group, key in PART_KEYS.items()
        for name in list_own_parts(group)
    ]
    types = get_type_hints(UserList, include_extras=True)
    rows = [
        (format_code(name), _format_type(types[name]), _format_default_value(each.default))
        for name, each in _list_fields(UserList)
    ]
    sections.append(
        f"#### Entries of `extra`\n\n{join_paragraph(UserList.__doc__)}\n\n{_format_keys(rows)}\n"
    )
    return "".join(sections)


def _list_fields(model: Any) -> list[tuple[str, Any]]:
    return [(each.name, each) for each in dataclasses.fields(model)]


def list_own_parts(group: str) -> list[str]:
    """Return the parts of a group that this package has, by name."""
    available = plugins.list_available(group).items()
    return sorted(name for name, point in available if point.value.startswith("maskwise."))


def _describe_part(group: str, key: str, name: str) -> str:
    options = plugins.read_options(group, name)
    inherited = [format_code(option) for option, info in options.items() if info.is_inherited]
    rows = [
        (format_code(option), _format_type(info.type), _format_default_value(info.default))
        for option, info in options.items()
        if not info.is_inherited
    ]
    rows += [(", ".join(inherited), "the policy's")] if inherited else []
    about = join_paragraph(
        (inspect.getdoc(plugins.load_part(group, name)) or "").partition(">>>")[0]
    )
    return f"#### {format_code(f'kind: {name}')} ({key})\n\n{about}\n\n{_format_keys(rows)}\n"


def _format_keys(rows: Sequence[Sequence[str]]) -> str:
    """One line per key, with its kind of value and its default."""
    return "".join(f"- {key}: {', '.join(filter(None, about))}\n" for key, *about in rows)


def _format_default_value(default: Any) -> str:
    if default in (inspect.Parameter.empty, dataclasses.MISSING):
        return "required"
    return _format_unless_empty(default)


def _format_unless_empty(default: Any) -> str:
    """A default, unless it is nothing: no value, no text, an empty list or mapping."""
    return "" if default in (None, "", (), {}) else format_code(_format_shown(default))


def write_policy_formats() -> str:
    """The keys below `formats`, one table per group."""
    own = [_describe_key("leak_check", FormatSettings.model_fields["leak_check"])]
    limits = _format_options("limits", Limits, plugins.read_constructor(Limits))
    readers = [
        _format_options(key, plugins.load_part("readers", suffix), read_reader_options(key))
        for key, suffix in READERS.items()
    ]
    return "".join(
        (
            f"#### `formats`\n\n{join_paragraph(FormatSettings.__doc__)}\n\n{_format_keys(own)}\n",
            limits,
            *readers,
        )
    )


def _format_options(key: str, owner: Any, options: Mapping[str, plugins.OptionInfo]) -> str:
    rows = [
        (format_code(name), _format_type(info.type), _format_default_value(info.default))
        for name, info in options.items()
    ]
    return f"#### `formats.{key}`\n\n{join_paragraph(owner.__doc__)}\n\n{_format_keys(rows)}\n"


def _describe_key(name: str, field: Any) -> tuple[str, str, str]:
    return format_code(name), _format_type(field.annotation), _format_value(field)


NAMES: Mapping[Any, str] = {
    str: "text",
    Path: "text",
    float: "number",
    int: "int",
    bool: "bool",
    EntityType: "type",
    ColumnKind: "kind",
}


def _format_type(hint: Any) -> str:
    """A Python type in words a reader of YAML knows."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _format_type(inner[0])
    if origin is Literal:
        return "/".join(map(str, inner))
    if origin in (Union, UnionType):
        named = [_format_type(each) for each in inner if each is not type(None)]
        return " or ".join(dict.fromkeys(name for name in named if name))
    if origin is tuple:
        return {"part": "parts", "text": "texts"}.get(
            _format_type(inner[0]), f"list of {_format_type(inner[0])}"
        )
    if inner:
        key, value = map(_format_type, inner)
        return "parts by type" if value == "part" else f"{value} by {key}"
    if hint is plugins.Part:
        return "part"
    return NAMES.get(
        hint, "" if getattr(hint, "_is_protocol", False) else getattr(hint, "__name__", str(hint))
    )


def _format_value(field: Any) -> str:
    if field.default is PydanticUndefined:
        return "required"
    return _format_unless_empty(field.default)


def _format_shown(value: Any) -> str:
    if isinstance(value, plugins.Part):
        return value.kind
    if isinstance(value, BaseModel):
        return "{}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_format_shown, value)) + "]"
    return json.dumps(value, default=str)


def write_policy_shipped() -> str:
    """What each shipped policy does with each type, after everything it extends."""
    loaded = [Policy.load(name) for name in list_shipped()]
    described = format_table(
        ("policy", "what it is for"),
        [(format_code(p.name), join_paragraph(p.description)) for p in loaded],
    )
    rows = [(str(kind), *(_format_threshold(p, kind) for p in loaded)) for kind in EntityType]
    rows.append(("written as", *(p.operator.kind for p in loaded)))
    subtypes = "".join(
        f"- {format_code(p.name)}: {_list_own_subtypes(p)}\n" for p in loaded if _has_subtypes(p)
    )
    thresholds = format_table(("", *(p.name for p in loaded)), rows)
    return f"{described}\n{thresholds}\nSubtypes with a threshold of their own:\n\n{subtypes}"


def _has_subtypes(policy: Policy) -> bool:
    return policy.decide.has_option("subtypes") and bool(policy.decide.get("subtypes"))


def _list_own_subtypes(policy: Policy) -> str:
    """The subtypes of a policy, by what happens to them: always first, then by number, never last."""
    by_threshold: dict[float, list[str]] = {}
    for name, threshold in sorted(policy.decide.get("subtypes").items()):
        by_threshold.setdefault(float(threshold), []).append(format_code(name))
    return "; ".join(
        f"{_describe_threshold(threshold)} {', '.join(names)}"
        for threshold, names in sorted(by_threshold.items())
    )


def _format_threshold(policy: Policy, kind: EntityType) -> str:
    decide = policy.decide
    return (
        _describe_threshold(decide.get("thresholds").get(kind, decide.get("default")))
        if decide.has_option("thresholds")
        else decide.kind
    )


def _describe_threshold(threshold: float | None) -> str:
    return (
        ""
        if threshold is None
        else {0.0: "always", 2.0: "never"}.get(float(threshold), f"{threshold:g}")
    )


def write_gazetteer_lists() -> str:
    """The bundled lists by type, one line per list."""
    by_type: dict[str, list[str]] = {}
    for each in BUNDLED:
        context = ", only after a cue" if each.after else ""
        line = f"- {format_code(each.name)}: {format_code(each.subtype)}, {each.case}, {each.score:.2f}{context}\n"
        by_type.setdefault(str(each.type), []).append(line)
    return "\n".join(f"**{kind}**\n\n{''.join(lines)}" for kind, lines in by_type.items())


class Headline(NamedTuple):
    """A question, and the cell of a file of figures that answers it."""

    question: str
    figure: str
    row: tuple[str, ...]  # how the cells of the row begin
    column: str


CROSSED = "TAB dev, two models"
DEFAULT = "balanced, without"
SEARCH = "exchange against bm25+dense+dense-c+dense-e, words, K = 24"
HEADLINES = (
    Headline("Court judgments: F1 against annotators", "model", (CROSSED, DEFAULT), "f1"),
    Headline(
        "the same, a human annotator against the others", "evaluate", ("each annotator",), "f1"
    ),
    Headline("the same, Presidio", "peers", ("TAB dev", "Presidio 2.2.366, spaCy"), "f1"),
    Headline(
        "Court judgments: direct identifiers found",
        "model",
        (CROSSED, DEFAULT),
        "entity recall direct",
    ),
    Headline("Biographies: F1 against annotators", "model", ("biographies", DEFAULT), "f1"),
    Headline(
        "Sixty invented mails, notes, chats: recall", "model", ("domains", "all, without"), "recall"
    ),
    Headline(
        "50 actors: share found by any attacker", "attack", ("maskwise, default",), "any of these"
    ),
    Headline("50 actors: information kept (TPI)", "attack", ("maskwise, default",), "TPI"),
    Headline("49,471 people, K = 24: share found", "kanonymity", (SEARCH,), "re-identified"),
    Headline("49,471 people, K = 24: words masked", "kanonymity", (SEARCH,), "words masked"),
    Headline(
        "Characters per second, two cores, 10 kB",
        "neural",
        ("pipeline, documents of 10 kB",),
        "characters/s",
    ),
    Headline("the same, divided by Presidio's", "neural", ("pipeline / Presidio",), "characters/s"),
)


def write_headlines() -> str:
    """The figures that matter most, each with a link to its whole table."""
    return format_table(
        ("what", "figure", "table"), [_describe_headline(each) for each in HEADLINES]
    )


def _describe_headline(headline: Headline) -> tuple[str, str, str]:
    path = DOCS / "figures" / f"{headline.figure}.json"
    link = f"[{headline.figure}](tables/{headline.figure}.md)"
    if not path.exists():
        return headline.question, "unavailable", link
    data = json.loads(path.read_text("utf-8"))
    matching = [row for row in data["rows"] if _is_beginning(row, headline.row)]
    value = matching[0][data["columns"].index(headline.column)] if matching else None
    return headline.question, _format_number(value), link


def _is_beginning(row: Sequence[Any], starts: Sequence[str]) -> bool:
    return all(str(cell).startswith(start) for cell, start in zip(row, starts, strict=False))


def write_figure_pages() -> dict[Path, str]:
    """One page per file of figures."""
    files = sorted((DOCS / "figures").glob("*.json"))
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in files}
    return {
        DOCS / "tables" / f"{name}.md": NOTE + _write_figure(name, data)
        for name, data in found.items()
    }


def _write_figure(name: str, data: Mapping[str, Any]) -> str:
    """`columns` and `rows` as they are, with `title`, `command` and `note`; any other object as figure and value."""
    head = f"# {data.get('title', name.replace('_', ' ').replace('-', ' '))}\n\n"
    command = f"```console\n$ {data['command']}\n```\n\n" if "command" in data else ""
    note = f"\n{data['note']}\n" if "note" in data else ""
    if "rows" in data:
        body = _format_rows(data)
    else:
        known = ("title", "command", "note", "plot", *MADE)
        plain = {k: v for k, v in data.items() if k not in known and not isinstance(v, list)}
        body = format_table(
            ("figure", "value"),
            [(k.replace("_", " "), _format_number(v)) for k, v in plain.items()],
        )
    return head + command + body + _format_plot(data) + note + _describe_origin(data)


def _format_rows(data: Mapping[str, Any]) -> str:
    return format_table(
        data["columns"], [[_format_number(cell) for cell in row] for row in data["rows"]]
    )


def _format_plot(data: Mapping[str, Any]) -> str:
    return f"\n![{data['title']}](../assets/{data['plot']})\n" if "plot" in data else ""


def _describe_origin(data: Mapping[str, Any]) -> str:
    """What is needed to make the figures again, on one line."""
    told = [f"{name} {_format_origin(data[name])}" for name in MADE if data.get(name)]
    return f"\n<small>{'; '.join(told)}</small>\n" if told else ""


def _format_origin(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else _format_number(value)


def _format_number(value: Any) -> str:
    if value is None:
        return "unavailable"
    if isinstance(value, Mapping):
        inner = {k: _format_number(v) for k, v in value.items()}
        interval = f" [{inner['low']}, {inner['high']}]" if {"low", "high"} <= inner.keys() else ""
        return (
            inner["value"] + interval
            if "value" in inner
            else ", ".join(f"{k} {v}" for k, v in inner.items())
        )
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


BLOCKS: Mapping[str, Callable[[], str]] = {
    "policy_keys": write_policy_keys,
    "policy_parts": write_policy_parts,
    "policy_formats": write_policy_formats,
    "policy_shipped": write_policy_shipped,
    "gazetteer_lists": write_gazetteer_lists,
    "headlines": write_headlines,
}
PAGES: Mapping[str, Callable[[], str]] = {
    "patterns.md": write_patterns_page,
    "cli.md": write_cli_page,
}


def mark_block(name: str) -> str:
    return BLOCKS[name]()


def write_pages() -> dict[Path, str]:
    """Every generated page as it should be."""
    found = {DOCS / name: write() for name, write in PAGES.items()} | write_figure_pages()
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        if path.name not in PAGES and BLOCK.search(text):
            found[path] = BLOCK.sub(
                lambda m: m[1] + "\n" + mark_block(m[2]).rstrip() + "\n\n" + m[3], text
            )
    return found


def find_stale() -> list[str]:
    """Names of the pages that differ from what the code says."""
    return [
        path.name
        for path, text in write_pages().items()
        if not path.exists() or path.read_text("utf-8") != text
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="only say which pages are out of date")
    if not parser.parse_args().check:
        for path, text in write_pages().items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    elif old := find_stale():
        sys.exit(f"out of date: {', '.join(old)}; run python tools/write_docs.py")


if __name__ == "__main__":
    main()

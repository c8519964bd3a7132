"""Errors travel to logs: whatever is wrong with a file, none of them quotes it."""

import ast
import random
import re
from pathlib import Path

import office
import pytest
import samples

import fuzz
import maskwise
from maskwise import io
from maskwise.errors import MaskwiseError

SOURCE = Path(maskwise.__file__).parent
SECRET = "Wilhelmina Quarrington"
WORDS = re.compile("wilhelmina|quarrington|zbigniew|kowalczyk", re.IGNORECASE)
SAMPLES = {
    "letter.txt": samples.TXT,
    "page.html": samples.HTML,
    "data.json": samples.JSON,
    "rows.jsonl": samples.JSONL,
    "table.csv": samples.CSV,
    "table.tsv": samples.TSV,
    **office.with_one(SECRET),
}


def read(raw, name):
    """What is said of a file that cannot be read."""
    try:
        io.build_reader(Path(name).suffix).read(raw, "file")
    except MaskwiseError as error:
        return str(error)
    except Exception as error:  # `sanitize_file` tells its kind alone
        return type(error).__name__
    return ""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_broken_file_is_not_quoted(name):
    raw = SAMPLES[name]
    change = fuzz.mutate_package if raw.startswith(b"PK") else fuzz.mutate
    said = {read(change(raw, random.Random(f"{name} {seed}")), name) for seed in range(60)}
    assert not [message for message in said if WORDS.search(message)]


@pytest.mark.parametrize("suffix", ["docx", "xlsx", "odt"])
@pytest.mark.parametrize("content", ["<w>", "<!DOCTYPE x><w/>", "<a>" * 300 + "</a>" * 300, ""])
@pytest.mark.parametrize(
    "part", [f"{SECRET}/x.xml", f"word/{SECRET}.xml", f"{SECRET}.xml", f"xl/{SECRET}/{SECRET}"]
)
def test_a_part_is_not_called_by_its_name(suffix, part, content):
    """The name of a part is written by whoever made the file."""
    types = f'<Types><Override PartName="/{part}" ContentType="application/xml"/></Types>'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    relations = (
        f'<Relationships><Relationship Id="a" Type="{kind}" Target="{part}"/></Relationships>'
    )
    parts = {
        "[Content_Types].xml": types,
        "_rels/.rels": relations,
        part: content,
        "content.xml": content,
    }
    parts["mimetype"] = "application/vnd.oasis.opendocument.text"
    assert not WORDS.search(read(office.zipped(parts), f"x.{suffix}"))


# --- what the code puts into messages --------------------------------------------------------------------------------

# Names that mean text of a document all over the package, and errors of others, whose messages quote what they read.
TEXTS = {
    "text",
    "texts",
    "raw",
    "content",
    "line",
    "cell",
    "body",
    "data",
    "value",
    "payload",
    "sentence",
    "error",
}
# Counts, kinds and places of these are no text.
MEASURES = {"len", "type", "sum", "bool", "id", "describe_cause"}
FIGURES = {"strerror", "start", "end", "pos", "lineno", "colno", "msg", "__name__", "position"}
# Where the name means something else: an option of the command line, a key of a policy, an error of our own.
HARMLESS = {
    ("common.py", "value"),  # DOMAIN=NUMBER
    ("deciders.py", "raw"),  # the format of a file of our own
    ("distill.py", "text"),  # DOMAIN=TYPE:SHARE
    ("folder.py", "raw"),  # name and format of a model
    ("formats.py", "error"),  # an `OSError`, told by its number
    ("gate.py", "value"),  # the name of a scope
    ("batch.py", "error"),  # a `DeviceError`, which names a device
    ("device.py", "error"),  # an error of our own
    ("huggingface.py", "error"),  # the name of a column of the caller's
    ("index.py", "texts"),  # a path
    ("inputs.py", "error"),  # explained by place, without the input
    ("inputs.py", "line"),  # a number
    ("job_routes.py", "value"),  # the state of a job
    ("keys.py", "error"),  # an `InputError`, which names the file
    ("lists.py", "error"),  # an `InputError`, which names the file
    ("manifest.py", "error"),  # an error of SQLite, told by its code
    ("mcp_tools.py", "error"),  # an error of our own
    ("native.py", "texts"),  # how many a request may have
    ("plugins.py", "error"),  # an `ImportError`, which names modules
    ("policy.py", "error"),  # explained by place and kind, without the input
    ("policy.py", "line"),  # a number
    ("population.py", "texts"),  # a path
    ("reid.py", "text"),  # numbers of layers
    ("routes.py", "texts"),  # how many a request may have
    ("settings.py", "error"),  # explained by place and kind, without the input
    ("tab.py", "error"),  # an `OffsetError`, which names offsets
    ("uploads.py", "error"),  # one of three messages of our own
    ("vault_file.py", "error"),  # a `DamagedRowError`, which names a table
}


def quoted(expression):
    """Names in an expression whose value would stand in a message."""
    if (
        isinstance(expression, ast.Call)
        and isinstance(expression.func, ast.Name)
        and expression.func.id in MEASURES
    ):
        return
    if isinstance(expression, ast.Attribute):
        if expression.attr in FIGURES:
            return
        yield expression.attr
    if isinstance(expression, ast.Name):
        yield expression.id
    for child in ast.iter_child_nodes(expression):
        yield from quoted(child)


def messages(tree):
    """The values that messages of errors hold."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for inner in ast.walk(node.exc):
                if isinstance(inner, ast.FormattedValue):
                    yield inner.value
            yield from (
                argument
                for argument in node.exc.args
                if not isinstance(argument, ast.JoinedStr | ast.Constant)
            )


def findings(source, name):
    """Suspicious names of a module with the lines they stand in."""
    return {
        (name, found, expression.lineno)
        for expression in messages(ast.parse(source))
        for found in quoted(expression)
        if found in TEXTS and (name, found) not in HARMLESS
    }


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix()
)
def test_no_message_holds_a_text(path):
    assert findings(path.read_text("utf-8"), path.name) == set()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('raise InputError(f"{name}: {text} is wrong")', {"text"}),
        ('raise InputError(f"{name}: {text[:20]!r}")', {"text"}),
        ('raise InputError(str(error))', {"error"}),
        ('raise InputError(f"{document.text}")', {"text"}),
        ('raise InputError(f"{len(text)} characters, {type(error).__name__} at {error.start}")', set()),
    ],
)  # fmt: skip
def test_the_search_finds_what_it_looks_for(line, found):
    assert {name for _, name, _ in findings(line, "x.py")} == found

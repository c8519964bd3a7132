"""The documentation says what the code does: examples run, generated pages are fresh, named files exist."""

import configparser
import contextlib
import doctest
import importlib
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import maskwise
from maskwise.crowd.measured import CrowdRisk, PersonRisk, Standing
from maskwise.policy import Policy
from maskwise.server.settings import ServerSettings

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WORDS = 30_000  # README and docs/*.md together


def blocks(path, *languages):
    return [(m[1], m[2]) for m in BLOCK.finditer(path.read_text("utf-8")) if m[1] in languages]


def modules_with_examples():
    for path in sorted((ROOT / "src").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        if ">>>" in path.read_text("utf-8"):
            yield name.removesuffix(".__init__")


@pytest.mark.parametrize("module", list(modules_with_examples()))
def test_examples_in_docstrings_run(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_every_public_name_has_an_example():
    names = [getattr(maskwise, name) for name in maskwise.__all__ if name != "__version__"]
    assert [n.__name__ for n in names if ">>>" not in (n.__doc__ or "")] == []


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md", "docs/generalise.md"])
def test_python_blocks_print_what_the_page_says(page):
    run(blocks(ROOT / page, "python", "text"))


def test_the_questions_of_the_models_page_are_answered():
    [(_, program)] = blocks(DOCS / "models.md", "python")
    exec(program, {})


def test_the_prompts_of_the_integrations_page_are_masked_as_it_says():
    run(
        blocks(DOCS / "integrations.md", "python", "text")[:2]
    )  # the others need libraries: `make test-integrations`


def run(found):
    """Run the programs among the blocks; each must print the block after it."""
    names = {}
    programs = [at for at, (language, _) in enumerate(found) if language == "python"]
    assert programs
    for at in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(found[at][1], names)
        assert printed.getvalue() == found[at + 1][1]


def test_generated_pages_are_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "write_docs.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_page_that_differs_from_the_code_is_noticed(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT / "tools")
    writer = importlib.import_module("write_docs")
    (tmp_path / "lists.md").write_text(
        "<!-- generated:gazetteer_lists -->\nold\n<!-- generated:end -->\n", "utf-8"
    )
    monkeypatch.setattr(writer, "DOCS", tmp_path)
    assert writer.find_stale() == ["patterns.md", "cli.md", "lists.md"]
    for path, text in writer.write_pages().items():
        path.write_text(text, "utf-8")
    assert writer.find_stale() == []
    assert "occupations" in (tmp_path / "lists.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        ({"recall": {"value": 0.5, "low": 0.4, "high": 0.6}}, "| recall | 0.500 [0.400, 0.600] |"),
        (
            {"maskwise": 1234567.8, "absent": None},
            "| maskwise | 1,234,568 |\n| absent | unavailable |",
        ),
        (
            {"title": "T", "columns": ["tool", "F1"], "rows": [["a", 0.25]]},
            "# T\n\n| tool | F1 |\n| --- | --- |\n| a | 0.250 |",
        ),
    ],
)
def test_figures_become_tables(monkeypatch, tmp_path, figure, shown):
    monkeypatch.syspath_prepend(ROOT / "tools")
    writer = importlib.import_module("write_docs")
    monkeypatch.setattr(writer, "DOCS", tmp_path)
    assert writer.write_figure_pages() == {}
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "x.json").write_text(json.dumps(figure), "utf-8")
    [(path, page)] = writer.write_figure_pages().items()
    assert path == tmp_path / "tables" / "x.md"
    assert shown in page


def test_a_headline_quotes_its_table(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT / "tools")
    writer = importlib.import_module("write_docs")
    monkeypatch.setattr(writer, "DOCS", tmp_path)
    asked = writer.Headline("How good?", "x", ("TAB", "balanced"), "f1")
    assert writer._describe_headline(asked)[1] == "unavailable"
    (tmp_path / "figures").mkdir()
    rows = [["TAB dev", "recall", 0.8], ["TAB dev", "balanced", 0.9]]
    (tmp_path / "figures" / "x.json").write_text(
        json.dumps({"columns": ["a", "b", "f1"], "rows": rows}), "utf-8"
    )
    assert writer._describe_headline(asked) == ("How good?", "0.900", "[x](tables/x.md)")


@pytest.mark.parametrize(
    "page",
    [
        p.name
        for p in sorted(DOCS.glob("*.md"))
        if blocks(p, "yaml") and p.stem not in ("extending", "server")
    ],
)
def test_policies_in_the_pages_are_valid(page):
    for _, text in blocks(DOCS / page, "yaml"):
        assert Policy.parse(yaml.safe_load(text)).name


def test_the_settings_in_the_page_of_the_server_are_valid():
    [(_, text)] = blocks(DOCS / "server.md", "yaml")
    assert ServerSettings.model_validate(yaml.safe_load(text)).tokens


def test_the_list_of_the_gazetteer_page_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [(_, phrases)] = [
        b for b in blocks(DOCS / "gazetteers.md", "text") if b[1].startswith("# wards.txt")
    ]
    [(_, policy)] = blocks(DOCS / "gazetteers.md", "yaml")
    (tmp_path / "wards.txt").write_text(phrases, "utf-8")
    masked = maskwise.sanitize(
        "She lay in ward foxglove.", policy=Policy.parse(yaml.safe_load(policy))
    ).text
    assert masked == "She lay in [LOC 1]."


def test_the_json_in_the_contracts_is_what_the_command_prints():
    [(_, example), (_, masks)] = blocks(DOCS / "contracts.md", "json")
    schema = (DOCS / "assets" / "sanitize.schema.json").read_text("utf-8")
    shown = json.loads(example)["documents"][0]
    made = maskwise.sanitize("Mr Lee came.").to_json()
    assert {**made, "path": "note.txt"} == shown
    described = json.loads(schema)["properties"]["documents"]["items"]["oneOf"][1]
    assert described["required"] == list(made)
    assert described["properties"]["entities"]["items"]["required"] == list(made["entities"][0])
    silent, measured = described["properties"]["risk"]["oneOf"]
    assert silent["required"] == list(made["risk"])
    assert measured["required"] == list(CrowdRisk("invented", 100).to_json())
    person = PersonRisk("person 1", 3, {"bm25": Standing(1, 0.9)}, {"bm25": Standing(50, 0.1)})
    assert measured["properties"]["persons"]["items"]["required"] == list(person.to_json())
    assert all(isinstance(spans, list) for spans in json.loads(masks).values())


def read_walk():
    """The lines of "A document's walk": depth, function and module."""
    section = (DOCS / "concepts.md").read_text("utf-8").partition("## A document's walk")[2]
    lines = BLOCK.search(section)[2].splitlines()
    return [(len(line) - len(line.lstrip()), *line.split()[:2]) for line in lines]


def test_a_walk_names_functions_that_exist():
    walk = read_walk()
    assert 0 < len(walk) <= 20
    for _, name, module in walk:
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        assert callable(found), name


def test_a_document_walks_as_the_page_says(monkeypatch, tmp_path):
    """Every call of the page happens, in this order, and inside the call that stands further left."""
    walk = read_walk()
    callers = {}
    named = {(module, name) for _, name, module in walk}

    def identify(frame):
        return frame.f_globals.get("__name__"), frame.f_code.co_qualname

    def watch(frame, event, _):
        called = identify(frame) if event == "call" else None
        if called not in named or called in callers:
            return
        callers[called] = set()
        while (frame := frame.f_back) is not None:
            callers[called].add(identify(frame))

    command = [
        "maskwise",
        "sanitize",
        str(ROOT / "examples" / "letter.txt"),
        "--out",
        str(tmp_path),
    ]
    monkeypatch.setattr(sys, "argv", command)
    start = importlib.import_module("maskwise.cli").main
    sys.setprofile(watch)
    try:
        with pytest.raises(SystemExit) as ended:
            start()
    finally:
        sys.setprofile(None)
    assert ended.value.code == 0
    assert list(callers) == [(module, name) for _, name, module in walk]
    above = []
    for depth, name, module in walk:
        above = [each for each in above if each[0] < depth]
        assert {(m, n) for _, n, m in above} <= callers[module, name]
        above.append((depth, name, module))


def test_the_third_party_example_works_as_printed(tmp_path):
    page = DOCS / "extending.md"
    [(_, module)], [(_, project)], [(_, policy)] = (
        blocks(page, kind) for kind in ("python", "toml", "yaml")
    )
    [(_, note), (_, masked)] = blocks(page, "text")
    about = tomllib.loads(project)["project"]
    installed = tmp_path / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
    )
    points = configparser.ConfigParser(delimiters=("=",))
    points.read_dict(about["entry-points"])
    with (installed / "entry_points.txt").open("w") as stream:
        points.write(stream)
    for name, text in (("acme_masks.py", module), ("acme.yaml", policy), ("note.txt", note)):
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [Path(sys.executable).parent / "maskwise", "sanitize", "note.txt", "--policy", "acme.yaml"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (masked, "")


def slugs(path):
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


@pytest.mark.parametrize(
    "path", sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")]), ids=lambda p: p.name
)
def test_named_files_exist(path):
    text = path.read_text("utf-8")
    links = [target.split("#")[0] for target in re.findall(r"\]\((?!https?://|#)([^)]+)\)", text)]
    missing = [target for target in links if target and not (path.parent / target).exists()]
    anchors = re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", text)
    missing += [
        f"{page}#{anchor}"
        for page, anchor in anchors
        if anchor not in slugs(path.parent / page if page else path)
    ]
    named = re.findall(r"`((?:src|tests|tools|benchmarks|docs|examples)/[\w./-]+)`", text)
    missing += [name for name in named if not (ROOT / name).exists()]
    assert missing == []


@pytest.mark.parametrize(
    "path", sorted([ROOT / "README.md", *DOCS.glob("*.md")]), ids=lambda p: p.name
)
def test_commands_in_the_pages_exist(path):
    from typer.main import get_command

    from maskwise.cli import app

    named = re.findall(
        r"(?:^\$ |`)(?:\.venv/bin/)?maskwise ([a-z]+)", path.read_text("utf-8"), re.MULTILINE
    )
    assert [name for name in named if name not in get_command(app).commands] == []


def test_the_documentation_is_short(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    assert importlib.import_module("measure_house").count_words_of_documentation() <= WORDS

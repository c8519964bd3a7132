"""Background knowledge from the command line, and a policy that uses it."""

import json

PAGES = [
    {"id": "p1", "title": "Ana Souza", "text": "Ana Souza is a cellist from Porto."},
    {"id": "p2", "title": "Bo Berg", "text": "Bo Berg is a cellist from Oslo."},
]
POLICY = """
name: background
protect: [Ana Souza]
detectors: [{kind: gazetteer}]
indicators: [{kind: web, index: {kind: local, path: pages.index}}]
"""


def test_build_query_and_use(maskwise, tmp_path):
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in PAGES))
    built = maskwise("index", "build", "pages.jsonl", "-o", "pages.index")
    assert (built.returncode, built.stdout) == (0, b"")
    assert b"2 pages in pages.index" in built.stderr
    asked = maskwise("index", "query", "pages.index", "cellist", "porto")
    assert asked.stdout == b"p1\tAna Souza\n"
    assert b"1 page, 1 shown" in asked.stderr
    found = json.loads(
        maskwise("index", "query", "pages.index", "cellist", "-k", "1", "--json").stdout
    )
    assert found["hits"] == 2
    assert len(found["pages"]) == 1
    (tmp_path / "p.yaml").write_text(POLICY)
    used = maskwise(
        "sanitize", "-", "--policy", "p.yaml", "--format", "json", stdin=b"She played in Porto."
    )
    assert used.returncode == 0, used.stderr
    assert b"1 page, which is about the protected person (p1)" in used.stdout


def test_what_is_missing_is_one_line(maskwise, tmp_path):
    for arguments in (("build", "none.jsonl", "-o", "i"), ("query", "none.index", "x")):
        done = maskwise("index", *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith(b"maskwise: error: none.")
        assert done.stderr.count(b"\n") == 1


def test_an_index_of_the_command_line_joins_the_default(maskwise, tmp_path):
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in PAGES))
    maskwise("index", "build", "pages.jsonl", "-o", "pages.index")

    def cellist(*options):
        text = b"Ana Souza met a cellist."
        done = maskwise(
            "sanitize", "-", "--protect", "Ana Souza", "--format", "json", *options, stdin=text
        )
        assert done.returncode == 0, done.stderr
        [found] = [
            e for e in json.loads(done.stdout)["documents"][0]["entities"] if e["type"] == "DEM"
        ]
        return found["decision"], " ".join(found["reasons"])

    assert cellist()[0] == "keep"
    action, reason = cellist("--index", "pages.index")
    assert action == "suppress"
    assert reason.startswith("together the indicators give ")
    assert "web: it alone returns 2 pages, 1 of them about the protected person (p1)" in reason
    done = maskwise("sanitize", "-", "--index", "none.index", stdin=b"x")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)

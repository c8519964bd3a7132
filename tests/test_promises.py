"""The promises of SECURITY.md: no network, no pickle, no text in what a failure says."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import maskwise
from maskwise import Sanitizer
from maskwise.errors import MaskingError

SOURCES = sorted(Path(maskwise.__file__).parent.rglob("*.py"))
PICKLES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
CLIENTS = {
    "requests",
    "httpx",
    "aiohttp",
    "urllib3",
    "ftplib",
    "smtplib",
    "telnetlib",
    "huggingface_hub",
}
CLIENT_MODULES = {"urllib.request", "http.client"}
SECRET = "Mr Zebulon Quicksilver"


def imported(source):
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_imports_a_pickle_or_a_client_but_the_online_engines():
    found = {(source.name, name) for source in SOURCES for name in imported(source)}
    suspects = {
        pair
        for pair in found
        if pair[1].split(".")[0] in PICKLES | CLIENTS or pair[1] in CLIENT_MODULES
    }
    engines = {("client.py", name) for name in CLIENT_MODULES}
    gateway = {("routes.py", "httpx"), ("service.py", "httpx")}  # to the upstream of its settings
    assert suspects - engines == gateway


def test_the_online_engines_stay_unloaded_unless_a_policy_names_one():
    code = (
        "import sys, maskwise; maskwise.sanitize('Mr Lee left.'); "
        "print(any('engines' in name for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_nothing_enables_a_pickle():
    for source in SOURCES:
        for call in (
            n for n in ast.walk(ast.parse(source.read_text("utf-8"))) if isinstance(n, ast.Call)
        ):
            options = {k.arg: getattr(k.value, "value", None) for k in call.keywords}
            assert options.get("allow_pickle") is not True, source.name
            assert ast.unparse(call.func) != "torch.load" or options.get("weights_only") is True, (
                source.name
            )


def test_a_document_is_masked_where_sockets_are_forbidden():
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise SystemExit('a socket was opened')\n"
        "socket.socket.__init__ = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import maskwise\n"
        "print(maskwise.sanitize('Mr Lee wrote to lee@example.org.').text)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[PERSON 1] wrote to [CODE 1].\n", "")


@pytest.mark.parametrize("step", ["_detectors", "_linker"])
def test_a_failing_part_tells_its_kind_alone(step, monkeypatch):
    class Broken:
        name = "patterns"

        def detect(self, documents):
            raise RuntimeError(documents[0].text)

        def link(self, document, mentions):
            raise RuntimeError(document.text)

    sanitizer = Sanitizer()
    group = replace(sanitizer._detectors, detectors=[Broken()])
    monkeypatch.setattr(sanitizer, step, group if step == "_detectors" else Broken())
    with pytest.raises(MaskingError, match="RuntimeError") as caught:
        sanitizer.sanitize(SECRET)
    assert "Quicksilver" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__

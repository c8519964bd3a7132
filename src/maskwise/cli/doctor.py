"""`maskwise doctor`: checks that this installation is whole and keeps off the network."""

from __future__ import annotations

import json
import platform
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

import typer
from rich.table import Table

import maskwise
from maskwise import plugins
from maskwise.bundle import manifest
from maskwise.cli.options import JsonOption, make_console
from maskwise.cli.terminal import make_plain

EXAMPLES = """[bold]Examples[/bold]

maskwise doctor --json"""

SAMPLE = "Mr John Smith, born on 3 May 1971, wrote to j.smith@example.org about case no. 12345/67."


def doctor(as_json: JsonOption = False) -> None:
    """Check this installation: versions, bundled files, parts, no network. Exit code 1 if something is wrong."""
    report: dict[str, Any] = {
        "maskwise": maskwise.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "dependencies": dict(_list_dependencies(extra=False)),
        "extras": dict(_list_dependencies(extra=True)),
        "bundle": {"files": len(manifest.read_recorded()), "problems": manifest.find_problems()},
        "parts": {group: sorted(plugins.list_available(group)) for group in plugins.GROUPS},
        "offline": _check_offline(),
    }
    healthy = not report["bundle"]["problems"] and report["offline"]["ok"]
    report["healthy"] = healthy
    if as_json:
        print(json.dumps(report, indent=1))
    else:
        _print_report(report)
    if not healthy:
        raise typer.Exit(1)


def _list_dependencies(extra: bool) -> Iterator[tuple[str, str]]:
    """Yields the name and the installed version of each dependency, or of each extra one for users."""
    for line in requires("maskwise") or ():
        name, _, marker = line.partition(";")
        if ("extra ==" in marker) is not extra or any(group in marker for group in ("dev", "docs")):
            continue
        bare = re.split(r"[\[<>=]", name)[0].strip()
        try:
            yield bare, version(bare)
        except PackageNotFoundError:
            yield bare, "not installed"


@contextmanager
def _refuse_network() -> Iterator[list[str]]:
    """Refuses every connection and yields the list of those that were tried."""
    tried: list[str] = []
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family != getattr(socket, "AF_UNIX", None):
            tried.append(str(address))
            raise OSError("network is blocked during this check")
        connect(self, address)

    socket.socket.connect = refuse  # type: ignore[method-assign,assignment]
    try:
        yield tried
    finally:
        socket.socket.connect = connect  # type: ignore[method-assign]


def _check_offline() -> dict[str, Any]:
    """Sanitise a sample with every connection refused."""
    with _refuse_network() as tried:
        masked = maskwise.sanitize(SAMPLE).text
    hidden = not any(secret in masked for secret in ("Smith", "1971", "example.org", "12345/67"))
    return {"ok": hidden and not tried, "connections": len(tried), "sample_masked": hidden}


def _print_report(report: dict[str, Any]) -> None:
    table = Table("check", "found", show_header=False)
    table.add_row("maskwise", report["maskwise"])
    table.add_row("python", f"{report['python']} on {report['platform']}")
    for label in ("dependencies", "extras"):
        versions = [f"{name} {found}" for name, found in report[label].items()]
        table.add_row(label, make_plain(*versions))
    problems = report["bundle"]["problems"] or [f"{report['bundle']['files']} files, hashes agree"]
    table.add_row("bundle", make_plain(*problems))
    for group, names in report["parts"].items():
        table.add_row(group, make_plain(", ".join(names) or "none"))
    offline = report["offline"]
    found = "sample masked, no connection tried" if offline["ok"] else str(offline)
    table.add_row("offline", make_plain(found))
    verdict = "healthy" if report["healthy"] else "something is wrong, see above"
    table.add_row("verdict", verdict)
    make_console().print(table)

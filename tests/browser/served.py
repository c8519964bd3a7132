"""Starts the review page as a person does, and visits it in Chromium."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading

from playwright.sync_api import sync_playwright

LINK = re.compile(r"(\S.*) \((\w+)\), once: (http://\S+)")


class Served:
    """A running `maskwise review` or `annotate`, with the links that it printed."""

    def __init__(self, command, *arguments, folder, people=("Ana:manager",)):
        named = [part for one in people for part in ("--person", one)]
        full = [
            sys.executable,
            "-m",
            "maskwise",
            command,
            *map(str, arguments),
            *named,
            "--port",
            "0",
        ]
        self.process = subprocess.Popen(
            full, cwd=folder, stderr=subprocess.PIPE, text=True, env=os.environ
        )
        self.links = {}
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := LINK.search(line):
                self.links[found[1].removeprefix("maskwise: ")] = found[3]
            if len(self.links) == len(people):
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise AssertionError("the page did not start")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def open_chromium(play):
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium found: install one, or name it in CHROMIUM"
    return play.chromium.launch(executable_path=found, args=["--no-sandbox"])


def visit(browser, link, complaints, **settings):
    """A page of a person of its own. Whatever the browser complains of is added to `complaints`."""
    context = browser.new_context(viewport={"width": 1400, "height": 850}, **settings)
    tab = context.new_page()
    origin = link.partition("/enter")[0]
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("request", lambda one: one.url.startswith(origin) or complaints.append(one.url))
    tab.goto(link)
    tab.wait_for_selector("html[data-ready]", timeout=60_000)
    return tab


__all__ = ["Served", "open_chromium", "sync_playwright", "visit"]

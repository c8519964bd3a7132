"""Random edits, a state as bytes, and a writer that is killed; the benchmark of the review page uses them too."""

import json
import os
import signal
import subprocess
import sys

TEXT = "Ana Souza met Tom Reed in Graz. " * 20


def make_edit(rng, state):
    """A random edit that fits a state."""
    kinds = ["EVERY", "mark"] if not state.facts else [
        "mark", "decide", "retype", "classify", "split", "merge", "unmark", "accept", "write", "follow"
    ]  # fmt: skip
    kind = rng.choice(kinds[1:] if not state.facts else kinds)
    if kind == "mark":
        start = rng.randrange(len(TEXT) - 9)
        span = [start, start + rng.randint(1, 9)]
        return {"kind": "mark", "spans": [span], "type": rng.choice(["PERSON", "LOC", "MISC"])}
    name = rng.choice(sorted(state.facts))
    marks = state.by_entity[name]
    return {
        "decide": {"kind": "decide", "targets": [name], "action": rng.choice(["keep", "suppress"])},
        "retype": {"kind": "retype", "targets": [name], "type": "ORG"},
        "classify": {"kind": "classify", "targets": [name], "identifier": "DIRECT"},
        "split": {"kind": "split", "marks": [marks[0].id]},
        "merge": {"kind": "merge", "targets": rng.sample(sorted(state.facts), 2)}
        if len(state.facts) > 1
        else {"kind": "accept", "targets": [name]},
        "unmark": {"kind": "unmark", "marks": [marks[-1].id]},
        "accept": {"kind": "accept", "targets": [name]},
        "write": {"kind": "write", "targets": [name], "text": "somebody"},
        "follow": {"kind": "follow", "targets": [name]},
    }[kind]


def dump(state):
    """A state as bytes."""
    return json.dumps(
        [
            [mark.to_json() for mark in state.marks.values()],
            sorted((name, repr(facts)) for name, facts in state.facts.items()),
            sorted((name, repr(one)) for name, one in state.overrides.items()),
            sorted(state.texts.items()),
            sorted(state.accepted),
            state.made,
        ]
    ).encode()


WRITER = """
import sys
from pathlib import Path
from maskwise.server.review.history import ReviewEvent
from maskwise.server.review.store import ReviewStore
store = ReviewStore(Path(sys.argv[1]))
known = store.list_documents()
number = known[0][0] if known else store.add_document("a", "0", b"", None)
while True:
    seq = store.append(number, "review", ReviewEvent("edit", "Ana", {"kind": "accept"}))
    print(seq, flush=True)
"""


def run_and_kill(path, lines):
    """Start a writer, kill it after so many acknowledgements, and return all that it acknowledged."""
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(lines)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()
    return {int(line) for line in told if line.endswith("\n")}

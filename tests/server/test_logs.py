"""What a server process prints: its own lines, and nothing that Python or a library would say of a text."""

import json
import subprocess
import sys

CANARY = "Quillfeather"
PROGRAM = f"""
import logging, threading, warnings
early = logging.getLogger("reader.early")
early.addHandler(logging.StreamHandler())
from maskwise.server.recorder import configure_logging, log_event
configure_logging()
log_event("ready", threads=1)
for logger in (early, logging.getLogger("reader.late"), logging.getLogger()):
    logger.critical("cell says {CANARY}")
warnings.warn("cell says {CANARY}")

def fail():
    raise ValueError("{CANARY}")

thread = threading.Thread(target=fail)
thread.start()
thread.join()

class Fragile:
    def __del__(self):
        fail()

del (found := [Fragile()])[0]
fail()
"""


def test_warnings_and_errors_that_nobody_catches_are_printed_without_their_message():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert CANARY not in done.stdout + done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["event"] for line in lines] == ["ready", "failure", "failure", "failure"]
    assert {line.get("kind") for line in lines[1:]} == {"ValueError"}

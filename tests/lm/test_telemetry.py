"""ONNX Runtime reports nothing to anybody when the model is loaded."""

import subprocess
import sys
from pathlib import Path

LOAD = """
from maskwise.lm import encoder, folder
encoder.open_session(next(iter(folder.list_models().values())) / folder.MODEL)
"""
SOURCE = str(Path(__file__).parents[2] / "src")


def test_a_model_is_loaded_without_telemetry():
    """Where it is on, ONNX Runtime complains that it cannot keep the id of this machine."""
    bare = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "PYTHONPATH": SOURCE}
    done = subprocess.run([sys.executable, "-c", LOAD], env=bare, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "telemetry" not in done.stderr

"""Run the steps of the Dockerfile without Docker: install, measure, start without write access, ask, stop.

    python tools/check_container.py [--keep FOLDER]

It installs the package into a new environment as the image does, counts its bytes, starts the server there as another
user if it may, with a read-only working folder, and masks one text. Exit code 1 if a step fails or the size is over.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMIT = 400_000_000  # bytes of the image
BASE = 125_000_000  # bytes of python:3.11-slim, unpacked
TEXT = "Ms Orla Vexley left."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="install here and leave it")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="maskwise-container-"))
    try:
        size = install(folder / "env")
        print(f"installed: {size:,} bytes; with the base image about {size + BASE:,} of {LIMIT:,}")
        smoke(folder)
        if size + BASE > LIMIT:
            sys.exit("the image would be over its limit")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def install(env: Path) -> int:
    """Install as the Dockerfile does. Returns the bytes of the environment."""
    if not env.exists():
        subprocess.run([sys.executable, "-m", "venv", env], check=True)
        pip = [env / "bin" / "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*pip, "install", "--no-cache-dir", "--no-compile", f"{ROOT}[server,office,pdf]"],
            check=True,
        )
        subprocess.run([*pip, "uninstall", "--yes", "pip", "setuptools"], check=True)
    for name in ("__pycache__", "tests"):
        for path in list(env.rglob(name)):
            shutil.rmtree(path, ignore_errors=True)
    return sum(
        path.stat().st_size for path in env.rglob("*") if path.is_file() and not path.is_symlink()
    )


def smoke(folder: Path) -> None:
    """Start the server with the settings of the container, but another token file and port."""
    token = secrets.token_hex(32)
    (folder / "token").write_text(token)
    state = folder / "state"
    state.mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = (ROOT / "deploy" / "serve.yaml").read_text()
    settings = settings.replace("/run/secrets/maskwise_token", str(folder / "token")).replace(
        "/state", str(state)
    )
    (folder / "serve.yaml").write_text(settings)
    command = [
        folder / "env" / "bin" / "maskwise",
        "serve",
        "--config",
        folder / "serve.yaml",
        "--port",
        str(port),
    ]
    command += ["--host", "127.0.0.1"]
    env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "MASKWISE_HOME": str(state)}
    process = subprocess.Popen(command, env=env, cwd="/", stderr=subprocess.DEVNULL)
    try:
        wait(f"http://127.0.0.1:{port}/readyz", process)
        body = json.dumps({"text": TEXT}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        asked = urllib.request.Request(f"http://127.0.0.1:{port}/v1/sanitize", body, headers)
        masked = json.load(urllib.request.urlopen(asked, timeout=60))["results"][0]["masked"]
        print(f"masked: {masked}")
        if "Vexley" in masked:
            sys.exit("the server did not mask")
    finally:
        process.terminate()
    print(f"stopped with exit code {process.wait(60)}")


def wait(url: str, process: subprocess.Popen[bytes], seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5)
        except OSError:
            time.sleep(0.5)
        else:
            return
    sys.exit("the server did not start")


if __name__ == "__main__":
    main()

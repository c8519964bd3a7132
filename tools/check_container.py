"""Run the steps of the Dockerfile without Docker: install, build the root, measure, start inside it, ask, stop.

    python tools/check_container.py [--keep FOLDER]

It installs the package into a new environment as the image does, builds the file system of the image from it and
counts its bytes. As root, it starts the server inside that file system (chroot) as another user, who can write to
/state alone; otherwise it starts the environment. It masks one text with the default policy and one with a crowd, and
solves a small problem there. Exit code 1 if a step fails or the size is over.
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

from build_image_root import build_root

ROOT = Path(__file__).parent.parent
LIMIT = 400_000_000  # bytes of the image
USER = 10001
TEXT = "Ms Orla Vexley left."
# What readers of files and the optimiser load when they are asked: it must be in the image.
PARTS = """
import lxml.etree, PIL.Image, pypdf, pypdfium2, striprtf.striprtf, cryptography.fernet, httpx, ssl, sqlite3
import tokenizers, yaml, regex, rapidfuzz.distance, ahocorasick_rs, httptools, pydantic_core, onnxruntime, stdnum.iban
import rich.traceback, decimal, lzma, ctypes, unicodedata
assert yaml.CSafeLoader and stdnum.iban.is_valid("GB82WEST12345698765432")
from ortools.sat.python import cp_model
model = cp_model.CpModel()
x = model.new_int_var(0, 9, "x")
model.maximize(x)
solver = cp_model.CpSolver()
assert solver.solve(model) == cp_model.OPTIMAL and solver.value(x) == 9
ssl.create_default_context()
print("parts: loaded, a problem solved")
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="install here and leave it")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="maskwise-container-"))
    try:
        install(folder / "env")
        shutil.rmtree(folder / "root", ignore_errors=True)
        size = build_root(folder / "env", folder / "root")
        print(f"the image: {size:,} bytes of {LIMIT:,}")
        smoke(folder)
        if size > LIMIT:
            sys.exit("the image would be over its limit")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def install(env: Path) -> None:
    """Install as the Dockerfile does."""
    if env.exists():
        return
    subprocess.run([sys.executable, "-m", "venv", env], check=True)
    pip = [env / "bin" / "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--no-cache-dir", "--no-compile", f"{ROOT}[server,office,pdf]"],
        check=True,
    )


def smoke(folder: Path) -> None:
    """Start the server with the settings of the container, but another token and port."""
    is_root = os.geteuid() == 0 and mount_proc(folder / "root" / "proc")
    root = folder / "root" if is_root else Path("/")
    inside = root if is_root else folder
    token = secrets.token_hex(32)
    config, state = inside / "etc" / "maskwise", inside / "state"
    for each in (config, state):
        each.mkdir(parents=True, exist_ok=True)
    (config / "token").write_text(token)
    if is_root:
        os.chown(state, USER, USER)
        (root / "tmp").chmod(0o1777)
    shown = {path: Path("/") / path.relative_to(root) for path in (config, state)}
    settings = (ROOT / "deploy" / "serve.yaml").read_text()
    settings = settings.replace("/run/secrets/maskwise_token", f"{shown[config]}/token")
    (config / "serve.yaml").write_text(settings.replace("/state", str(shown[state])))
    port = find_port()
    enter = ["chroot", f"--userspec={USER}:{USER}", root] if is_root else []
    python = [*enter, folder.absolute() / "env" / "bin" / "python"]
    env = {"PATH": "/usr/sbin:/usr/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    env["MASKWISE_HOME"] = str(shown[state])
    try:
        subprocess.run([*python, "-c", PARTS], env=env, cwd="/", check=True)
        serve_one(python, shown[config], port, token, env)
    finally:
        if is_root:
            subprocess.run(["umount", root / "proc"], check=True)


def mount_proc(target: Path) -> bool:
    """Show the processes of this machine inside, as every container does: the model reads the kind of processor."""
    target.mkdir(exist_ok=True)
    return not subprocess.run(["mount", "--bind", "/proc", target], capture_output=True).returncode


def serve_one(
    python: list[str | Path], config: Path, port: int, token: str, env: dict[str, str]
) -> None:
    """Serve, mask twice, end."""
    command = [*python, "-m", "maskwise", "serve", "--config", config / "serve.yaml"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, env=env, cwd="/", stderr=subprocess.DEVNULL)
    try:
        wait(f"http://127.0.0.1:{port}/readyz", process)
        for more in ({}, {"policy": "anonymous", "k": 8}):
            masked = ask(port, token, {"text": TEXT, **more})
            print(f"masked: {masked}")
            if "Vexley" in masked:
                sys.exit("the server did not mask")
    finally:
        process.terminate()
    print(f"stopped with exit code {process.wait(60)}")


def ask(port: int, token: str, body: dict[str, object]) -> str:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    url = f"http://127.0.0.1:{port}/v1/sanitize"
    asked = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=300) as answer:
        return str(json.load(answer)["results"][0]["masked"])


def find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


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

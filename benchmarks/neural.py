"""Speed of the embedded model: characters a second, the time ONNX Runtime takes, and how near the CPU's limit it is.

    make bench-peers                       # once, for Presidio: peers get their own environment, .venv-peers
    python benchmarks/neural.py [--model small] [--threads 2] [--policy balanced] [--corpus CORPUS] [--json FILE]

Documents of 1 kB, 10 kB and 1 MB are cut from a corpus in TAB format (by default the invented documents under
`tests/data/domains`). Each row is the best of `--repeat` runs, with fresh documents each time. The limit is a plain
int8 matrix product of every shape the model multiplies, one thread a core, without anything between the products.
Presidio, on the medium spaCy pipeline, runs in the peers' environment on the same documents of 10 kB; where it is not
installed its row says `unavailable`.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import figures
import peers
from maskwise import lm
from maskwise.lm import encoder, folder
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

DOMAINS = Path(__file__).parent.parent / "tests" / "data" / "domains"
SIZES = {"1 kB": (1_000, 60), "10 kB": (10_000, 8), "1 MB": (1_000_000, 1)}  # characters, documents
WHAT = ("model", "pipeline")
UNITS = (
    "characters/s",
    "characters/core-second",
    "wall share in ONNX Runtime",
    "core share in ONNX Runtime",
)
MATMUL = ("MatMulIntegerToFloat", "QAttention", "MatMul")

FIRST = """
import sys, time
start = time.perf_counter()
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
Sanitizer(Policy.load(sys.argv[1])).sanitize(sys.stdin.read())
print(time.perf_counter() - start)
"""


class Runtime:
    """Counts the time threads spend inside ONNX Runtime."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._running, self._since = 0, 0.0
        self.reset()

    def reset(self) -> None:
        self.busy = self.union = 0.0  # summed over threads; with at least one thread inside

    def get_inputs(self) -> Any:
        return self._session.get_inputs()

    def run(self, *args: Any) -> Any:
        start = time.perf_counter()
        with self._lock:
            self._since = self._since if self._running else start
            self._running += 1
        try:
            return self._session.run(*args)
        finally:
            end = time.perf_counter()
            with self._lock:
                self._running -= 1
                self.busy += end - start
                self.union += 0.0 if self._running else end - self._since


def read(path: Path) -> str:
    data = path.read_bytes()
    documents = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    return "\n\n".join(document["text"] for document in documents)


def cut(text: str, size: int, count: int, shift: int) -> list[str]:
    """`count` documents of `size` characters from a text repeated as often as needed; `shift` makes fresh ones."""
    need = size * count + shift
    text = text * (need // len(text) + 1)
    return [text[shift + at * size : shift + (at + 1) * size] for at in range(count)]


def configure(name: str, model: str, threads: int) -> Policy:
    """The policy with this model and thread count; a policy without the model gets it as detector and indicator."""
    policy = Policy.load(name).model_dump(mode="json")
    settings = {"model": model, "threads": threads}
    for group, kind in (("detectors", "neural"), ("indicators", "sequence")):
        parts = policy[group]
        if not any(part["kind"] == kind for part in parts):
            parts.insert(1, {"kind": kind})
        policy[group] = [{**part, **settings} if part["kind"] == kind else part for part in parts]
    return Policy.parse(policy)


def measure_speeds(
    text: str, policy: Policy, model: lm.Model, threads: int, repeat: int, sizes: list[str]
) -> Iterator[dict[str, Any]]:
    sanitizer = Sanitizer(policy)
    sanitizer.sanitize(text[:2_000])
    runtime = Runtime(model.encoder._model)
    model.encoder._model = runtime
    for name in sizes:
        size, count = SIZES[name]
        best: dict[str, Any] = {}
        for run in range(repeat):
            documents = [
                Document(t, id=f"{name} {run} {at}")
                for at, t in enumerate(cut(text, size, count, 37 * run))
            ]
            characters = sum(map(len, documents))
            for what, walk in (
                ("model", model.read),
                ("pipeline", lambda d: list(sanitizer.run(d))),
            ):
                runtime.reset()
                start, cpu = time.perf_counter(), time.process_time()
                walk(
                    documents
                    if what == "pipeline"
                    else [Document(d.text, id=f"{d.id} alone") for d in documents]
                )
                wall, cpu = time.perf_counter() - start, time.process_time() - cpu
                row = {
                    f"{what} characters/s": characters / wall,
                    f"{what} characters/core-second": characters / cpu,
                    f"{what} wall share in ONNX Runtime": runtime.union / wall,
                    f"{what} core share in ONNX Runtime": runtime.busy / (wall * threads),
                }
                if row[f"{what} characters/s"] > best.get(f"{what} characters/s", 0):
                    best |= row
        yield {"documents": name, **best}


def measure_limit(model: lm.Model, threads: int, repeat: int) -> dict[str, float]:
    """Multiply-adds a second of whole windows, of the plain int8 products of the same shapes, and their ratio."""
    graph = onnx.load(str(model.path / folder.MODEL), load_external_data=False).graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    weights = [
        numpy_helper.to_array(constants[name])
        for node in graph.node
        if node.op_type in MATMUL
        for name in node.input[1:2]
        if name in constants and len(constants[name].dims) == 2
    ]
    n = model.config.window + 2
    products = sum(n * w.size for w in weights)
    hidden = model.config.hidden
    attention = sum(
        2 * n * n * hidden
        for node in graph.node
        if node.op_type in ("QAttention", "MultiHeadAttention")
    )
    plain = encoder.open_session(build_products(weights, n))
    row = np.arange(n - 2, dtype=np.int32) % model.encoder.tokenizer.vocab_size
    shapes = np.full(n - 2, 3, dtype=np.uint8)
    inputs = {
        f"x{k}": np.random.default_rng(k).integers(0, 255, (n, k), dtype=np.uint8)
        for k in {len(w) for w in weights}
    }

    def measure_rate(job: Any, work: float) -> float:
        count, best = 8 * threads, 0.0
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(repeat):
                start = time.perf_counter()
                list(pool.map(lambda _: job(), range(count)))
                best = max(best, work * count / (time.perf_counter() - start))
        return best

    ours = measure_rate(lambda: model.encoder._run(row, shapes, ("mask",)), products + attention)
    theirs = measure_rate(lambda: plain.run(None, inputs), products)
    return {
        "model multiply-adds/s": ours,
        "plain int8 product multiply-adds/s": theirs,
        "ratio": ours / theirs,
    }


def build_products(weights: list[np.ndarray], n: int) -> Path:
    """A graph of nothing but the int8 products; one row of each is read, so that none is left out."""
    nodes, outputs = [], []
    constants = [numpy_helper.from_array(np.zeros(1, dtype=np.int64), "first")]
    for at, weight in enumerate(weights):
        values = (
            weight if weight.dtype == np.int8 else np.clip(weight * 100, -64, 64).astype(np.int8)
        )
        constants.append(numpy_helper.from_array(values, f"w{at}"))
        nodes.append(helper.make_node("MatMulInteger", [f"x{len(weight)}", f"w{at}"], [f"y{at}"]))
        nodes.append(helper.make_node("Gather", [f"y{at}", "first"], [f"r{at}"]))
        outputs.append(
            helper.make_tensor_value_info(f"r{at}", TensorProto.INT32, [1, weight.shape[1]])
        )
    inputs = [
        helper.make_tensor_value_info(f"x{k}", TensorProto.UINT8, [n, k])
        for k in {len(w) for w in weights}
    ]
    graph = helper.make_graph(nodes, "products", inputs, outputs, constants)
    path = Path(tempfile.mkdtemp()) / "products.onnx"
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
        str(path),
    )
    return path


def time_first_result(policy: Policy, text: str, repeat: int) -> float:
    """Seconds from a fresh process to the first result, imports included; with bytecode, as pip installs it."""
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(policy.model_dump(mode="json"), file)  # JSON is YAML
        file.flush()
        command = [sys.executable, "-c", FIRST, file.name]
        run = partial(
            subprocess.run, command, input=text, capture_output=True, text=True, check=True, env=env
        )
        times = [float(run().stdout) for _ in range(repeat + 1)]
    return min(times[1:])  # the first writes the bytecode


def run_presidio(text: str) -> dict[str, float] | None:
    """Presidio on the medium spaCy pipeline, in the peers' environment; None where it is not installed."""
    run = peers.run_peer("presidio", cut(text, *SIZES["10 kB"], 0), one_core=False)
    return {"characters/s": run.clock, "characters/core-second": run.speed} if run else None


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--model", default="small")
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    options = parser.parse_args()

    paths = [options.corpus] if options.corpus else sorted(DOMAINS.glob("*.json"))
    text = "\n\n".join(read(path) for path in paths)
    policy = configure(options.policy, str(folder.find_model(options.model)), options.threads)
    model = lm.load_model(folder.find_model(options.model), options.threads)
    bound = measure_limit(model, options.threads, options.repeat)
    rows: list[list[Any]] = []
    for row in measure_speeds(text, policy, model, options.threads, options.repeat, options.sizes):
        rows += [
            [f"{what}, documents of {row['documents']}", *(row[f"{what} {u}"] for u in UNITS)]
            for what in WHAT
        ]
    ours = next((row for row in rows if row[0] == "pipeline, documents of 10 kB"), None)
    theirs = run_presidio(text)
    rows.append(
        ["Presidio, documents of 10 kB", *(theirs.values() if theirs else (None, None)), "", ""]
    )
    if theirs and ours:
        ratios = [mine / value for mine, value in zip(ours[1:], theirs.values(), strict=False)]
        rows.append(["pipeline / Presidio, documents of 10 kB", *ratios, "", ""])
    for row in rows:
        told = [
            f"{c:,.3f}" if isinstance(c, float) else str("unavailable" if c is None else c)
            for c in row
        ]
        print(f"{told[0]:44}" + "".join(f"{cell:>16}" for cell in told[1:]), flush=True)
    start = time_first_result(policy, text[:2_000], options.repeat)
    note = (
        f"First result of a fresh process, 2 kB: {start:.2f} s. Multiply-adds a second of whole windows: "
        f"{bound['model multiply-adds/s'] / 1e9:.0f} billion, {bound['ratio']:.2f} of plain int8 products of the same "
        f"shapes. Threads: {options.threads}. In the same run: {peers.NAMES['presidio']}."
    )
    print(note)
    found = figures.build_figure(
        f"Speed of the model, {model.config.name}",
        f"python benchmarks/neural.py --threads {options.threads} --json docs/figures/neural.json",
        ["what", *UNITS],
        rows,
        files=paths,
        note=note,
    )
    figures.save_figure(options.json, found)


if __name__ == "__main__":
    main()

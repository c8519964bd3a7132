"""Files made by chance, masked by tokens of a vault and restored: how many come back as they were.

    python benchmarks/roundtrip.py --n 10000 [--only txt html] [--seed 0]

Text formats come back byte by byte, after what the format leaves out (in HTML a line break inside a name becomes a
space, in JSON a sign beyond ASCII may be escaped); DOCX, XLSX and ODT come back with the same texts. Generators and
rules are those of tests/io/roundtrip.py.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType

from maskwise.mask.vault import Vault
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

SOURCE = Path(__file__).parent.parent / "tests" / "io" / "roundtrip.py"
KEY = b"k" * 32


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("roundtrip_files", SOURCE)
    if spec is None or spec.loader is None:
        sys.exit(f"{SOURCE} is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=10_000, help="files per format")
    parser.add_argument("--only", nargs="*", help="file endings")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    files = load()
    os.environ["MASKWISE_VAULT_KEY"] = KEY.decode()
    wrong = 0
    for suffix in options.only or (*files.EXACT, *files.BY_TEXT):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "vault"
            raw = {
                "name": "roundtrip",
                "operator": {"kind": "encrypt"},
                "vault": {"path": str(place)},
            }
            sanitizer = Sanitizer(Policy.parse({**raw, "protect": files.PROTECTED}))
            vault = Vault(place, KEY)
            began = time.perf_counter()
            ends: Counter[str] = Counter()
            for number in range(options.n):
                rng = Random(f"{options.seed} {suffix} {number}")
                ends[files.restores(sanitizer, vault, suffix, rng) or "restored"] += 1
            vault.close()
        wrong += options.n - ends["restored"] - ends[files.REFUSED]
        print(suffix, *(f"{what} {count}" for what, count in ends.items()), sep="\t", end="\t")
        print(f"{time.perf_counter() - began:.0f} s", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

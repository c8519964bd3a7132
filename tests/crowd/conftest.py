"""Puts the benchmarks on the path: these tests check their baselines and attackers too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

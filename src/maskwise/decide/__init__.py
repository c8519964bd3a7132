"""Decisions: evidence and policy in, a plan with reasons out."""

from maskwise.decide.demands import Lock
from maskwise.decide.program import OptimalSolver, Program
from maskwise.decide.thresholds import ThresholdSolver

__all__ = ["Lock", "OptimalSolver", "Program", "ThresholdSolver"]

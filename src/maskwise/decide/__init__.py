"""Decisions: evidence and policy in, a plan with reasons out."""

from maskwise.decide.solver import OptimalSolver, Program
from maskwise.decide.thresholds import ThresholdSolver

__all__ = ["OptimalSolver", "Program", "ThresholdSolver"]

"""Decisions: evidence and policy in, a plan with reasons out."""

from maskwise.decide.thresholds import ThresholdSolver

__all__ = ["ThresholdSolver"]

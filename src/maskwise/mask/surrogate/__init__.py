"""Surrogates: invented names, dates, codes and places that look real. What they say is not true."""

from maskwise.mask.surrogate.operator import Surrogate

__all__ = ["Surrogate"]

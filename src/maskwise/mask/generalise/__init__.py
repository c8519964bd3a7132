"""Truthful replacements: ladders from the specific to the general, one a kind of entity, offline."""

from maskwise.mask.generalise.grammar import article, fit
from maskwise.mask.generalise.ladder import Ladder, Rung, Rungs, bits_lost
from maskwise.mask.generalise.table import climb

__all__ = ["Ladder", "Rung", "Rungs", "article", "bits_lost", "climb", "fit"]

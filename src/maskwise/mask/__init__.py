"""Masking: operators that write replacements, rendering, and the alignment between both texts."""

from maskwise.mask.alignment import AlignedEdit, Alignment, apply_replacements
from maskwise.mask.operators import Label, Operator, Pseudonym, Replacement, Suppress
from maskwise.mask.render import Rendering, render_plan

__all__ = [
    "AlignedEdit",
    "Alignment",
    "Label",
    "Operator",
    "Pseudonym",
    "Rendering",
    "Replacement",
    "Suppress",
    "apply_replacements",
    "render_plan",
]

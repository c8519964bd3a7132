"""True, less specific replacements: one ladder of levels per kind of entity, offline."""

from maskwise.mask.generalise.operator import Generalise
from maskwise.mask.generalise.table import find_levels

__all__ = ["Generalise", "find_levels"]

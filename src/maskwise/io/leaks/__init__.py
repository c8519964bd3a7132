"""The leak check: a written file is read again by readers of its own, and what must not be in it is searched there."""

from maskwise.io.leaks.checker import Checked, check_file
from maskwise.io.leaks.folding import fold_text
from maskwise.io.leaks.needles import build_needles
from maskwise.io.leaks.piece import LeakReader, Piece
from maskwise.io.leaks.search import NeedleSearch
from maskwise.io.leaks.sources import read_pieces

__all__ = [
    "Checked",
    "LeakReader",
    "NeedleSearch",
    "Piece",
    "build_needles",
    "check_file",
    "fold_text",
    "read_pieces",
]

"""The leak check: a written file is read again by readers of its own, and what must not be in it is searched there."""

from maskwise.io.leaks.checker import Checked, check_file
from maskwise.io.leaks.piece import LeakReader, Piece
from maskwise.io.leaks.sources import read_pieces

__all__ = ["Checked", "LeakReader", "Piece", "check_file", "read_pieces"]

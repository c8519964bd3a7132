"""Says whether a model learnt from a corpus, by the hashes in its `config.json`: its scores there flatter it."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

from maskwise.errors import InputError, describe_cause
from maskwise.lm.folder import ModelConfig

_OPENERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}


def hash_corpora(paths: Sequence[Path]) -> dict[str, str]:
    """Returns the SHA-256 of each file by its name, and that of what is inside a compressed one."""
    found: dict[str, str] = {}
    for path in paths:
        try:
            data = path.read_bytes()
            found[path.name] = hashlib.sha256(data).hexdigest()
            if unpack := _OPENERS.get(path.suffix):
                found[path.stem] = hashlib.sha256(unpack(data)).hexdigest()
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise InputError(
                f"{path}: cannot be read ({describe_cause(error)}); check the path"
            ) from error
    return found


def is_trained_on(config: ModelConfig, path: Path) -> bool:
    """Whether the model learnt from this file, compressed or not."""
    known = set(config.trained_on.values())
    return bool(known) and not known.isdisjoint(hash_corpora([path]).values())

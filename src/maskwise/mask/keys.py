"""Keys of a vault: where the user's secret comes from, what is derived from it, and how a value is sealed with it."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from maskwise.errors import InputError, PluginError, VaultError
from maskwise.inputs import read_small

LEAST, MOST = 16, 1 << 16  # bytes of a secret
_NONCE = 12
_MEMORY = 1 << 30  # bytes that a vault may ask for to be opened

Cell = str | int | bytes | float | None  # what SQLite keeps in a cell


def read_secret(variable: str = "", file: Path | None = None) -> bytes:
    """The secret in a file or in an environment variable. No command line holds it, because others can list that."""
    if file is not None:
        try:
            found = read_small(file, MOST).strip()
        except InputError as error:
            raise VaultError(f"{error}; name the file with the key") from None
        where = str(file)
    else:
        found = os.environ.get(variable, "").encode("utf-8", "surrogateescape")
        where = f"environment variable {variable}"
        if not found:
            raise VaultError(f"no key: name a file with --key-file, or set the {where}")
    if len(found) < LEAST:
        raise VaultError(f"{where}: a key has at least {LEAST} bytes, this one {len(found)}")
    return found


@dataclass(frozen=True)
class Cost:
    """The cost of a guess at the secret: the parameters of scrypt, by default those that OWASP advises.

    >>> str(Cost())
    'scrypt 131072 8 1'
    """

    n: int = 1 << 17
    r: int = 8
    p: int = 1

    def __str__(self) -> str:
        return f"scrypt {self.n} {self.r} {self.p}"

    @property
    def memory(self) -> int:
        """Bytes that scrypt needs."""
        return 128 * self.r * (self.n + self.p + 2)

    @property
    def is_bearable(self) -> bool:
        """Whether the parameters are valid, and small enough that a forged header cannot use up memory or time."""
        is_power_of_two = self.n > 1 and self.n & (self.n - 1) == 0
        is_in_range = 1 <= self.r <= 32 and 1 <= self.p <= 16
        return is_power_of_two and is_in_range and self.memory <= _MEMORY

    @classmethod
    def parse(cls, text: str) -> Cost | None:
        """The parameters that the header of a vault names; None for those that no vault of ours has.

        >>> Cost.parse("scrypt 1024 8 1")
        Cost(n=1024, r=8, p=1)
        """
        name, *numbers = text.split(" ")
        if name != "scrypt" or len(numbers) != 3:
            return None
        if not all(re.fullmatch("[0-9]{1,8}", number) for number in numbers):
            return None
        cost = cls(*map(int, numbers))
        return cost if cost.is_bearable and str(cost) == text else None


@dataclass(frozen=True)
class Keys:
    """One key to seal values, one to look them up. The `header` of the vault is bound to everything sealed in it."""

    seal_key: bytes = field(repr=False)
    mac_key: bytes = field(repr=False)
    header: bytes = b""

    @classmethod
    def derive(cls, secret: bytes, salt: bytes, cost: Cost, header: bytes = b"") -> Keys:
        """Derive both keys by scrypt (Percival 2009), so that guessing a passphrase costs time and memory."""
        room = cost.memory + (1 << 20)
        both = hashlib.scrypt(
            secret, salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=room, dklen=64
        )
        return cls(both[:32], both[32:], header)

    @cached_property
    def _cipher(self) -> Any:
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        except ImportError:
            raise PluginError("a vault needs: pip install 'maskwise[vault]'") from None
        return AESGCM(self.seal_key)

    def compute_lookup(self, *parts: str) -> bytes:
        whole = "\0".join(parts).encode("utf-8", "surrogatepass")
        return hmac.new(self.mac_key, whole, hashlib.sha256).digest()

    def seal(self, text: str, *cells: Cell) -> bytes:
        """Seal a text, so that it opens only in this vault and beside these cells."""
        nonce = os.urandom(_NONCE)
        data = text.encode("utf-8", "surrogatepass")
        sealed: bytes = self._cipher.encrypt(nonce, data, self.header + encode_cells(*cells))
        return nonce + sealed

    def open(self, sealed: Cell, *cells: Cell) -> str | None:
        """Open a sealed text; None where it or a cell that it is bound to was changed."""
        return self.open_bound(sealed, self.header + encode_cells(*cells))

    def open_bound(self, sealed: Cell, bound: bytes) -> str | None:
        from cryptography.exceptions import InvalidTag

        if not isinstance(sealed, bytes):
            return None
        try:
            text: bytes = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], bound)
        except (InvalidTag, ValueError):
            return None
        return text.decode("utf-8", "surrogatepass")


def encode_cells(*cells: Cell) -> bytes:
    """Cells as bytes that no other cells give.

    >>> encode_cells("ab", "c") == encode_cells("a", "bc"), encode_cells(1) == encode_cells("1")
    (False, False)
    """
    encoded = []
    for cell in cells:
        data = cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "surrogatepass")
        kind = type(cell).__name__.encode()
        encoded.append(b"%s %d:%s" % (kind, len(data), data))
    return b"".join(encoded)

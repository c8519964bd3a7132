"""Keys of a vault: where the user's secret comes from, what is derived from it, and how a value is sealed with it."""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from maskwise.errors import PluginError, VaultError

LEAST = 16  # bytes of a secret
_NONCE = 12


def secret(variable: str = "", file: Path | None = None) -> bytes:
    """The secret in a file, or in an environment variable; never from the command line, which others can list."""
    if file is not None:
        try:
            found = file.read_bytes().strip()
        except OSError as error:
            raise VaultError(f"{file}: the key cannot be read ({error.strerror})") from None
        where = str(file)
    else:
        found, where = (
            os.environ.get(variable, "").encode("utf-8", "surrogateescape"),
            f"environment variable {variable}",
        )
        if not found:
            raise VaultError(f"no key: name a file with --key-file, or set the {where}")
    if len(found) < LEAST:
        raise VaultError(f"{where}: a key has at least {LEAST} bytes, this one {len(found)}")
    return found


@dataclass(frozen=True)
class Keys:
    """One key to seal values, one to look them up."""

    seal: bytes = field(repr=False)
    mac: bytes = field(repr=False)

    @classmethod
    def derived(cls, secret: bytes, salt: bytes) -> Keys:
        """By scrypt (Percival 2009), so that a passphrase costs time to guess."""
        both = hashlib.scrypt(secret, salt=salt, n=2**14, r=8, p=1, dklen=64)
        return cls(both[:32], both[32:])

    @cached_property
    def _cipher(self) -> Any:
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        except ImportError:
            raise PluginError("a vault needs: pip install 'maskwise[vault]'") from None
        return AESGCM(self.seal)

    def lookup(self, *parts: str) -> bytes:
        whole = "\0".join(parts).encode("utf-8", "surrogatepass")
        return hmac.new(self.mac, whole, hashlib.sha256).digest()

    def sealed(self, text: str, place: str) -> bytes:
        """The text, which opens only in its place."""
        nonce = os.urandom(_NONCE)
        sealed: bytes = self._cipher.encrypt(nonce, text.encode("utf-8", "surrogatepass"), place.encode())
        return nonce + sealed

    def opened(self, sealed: bytes, place: str, path: Path) -> str:
        from cryptography.exceptions import InvalidTag

        try:
            text: bytes = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], place.encode())
        except (InvalidTag, ValueError, TypeError):
            raise VaultError(f"{path}: damaged or forged ({place.split()[0]})") from None
        return text.decode("utf-8", "surrogatepass")

    def fits(self, sealed: bytes, place: str) -> bool:
        try:
            self.opened(sealed, place, Path())
        except VaultError:
            return False
        return True

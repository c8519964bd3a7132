"""Presidio's operators: replace, redact, mask, hash, encrypt and keep, and the two that turn texts back.

Its `encrypt` is AES-CBC with the client's key, so that other programs can decrypt what this one encrypts. The operator
`custom` holds a function and cannot come in a request.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from maskwise.server.presidio.parameters import (
    ParameterError,
    expect_filled,
    expect_kind,
    expect_parameter,
)

Options = Mapping[str, Any]
_BLOCK = 16
_SALT = 16  # bytes that a salt has at least


@dataclass(frozen=True)
class OperatorChoice:
    """An operator by name and the options for it."""

    name: str
    options: Options = field(default_factory=dict, repr=False)
    size: int = 0  # characters of the options, which are read for each span

    @classmethod
    def parse(cls, raw: Any) -> OperatorChoice:
        options = dict(raw.items())
        name = options.pop("type", None)
        expect_filled(name, "operator config", "operator_name")
        return cls(name, options, _measure(options))


def _measure(options: Options) -> int:
    return sum(len(each) for each in options.values() if isinstance(each, str))


def parse_choices(raw: Any) -> dict[str, OperatorChoice]:
    """The operators of a request by the name of an entity."""
    if raw is None:
        return {}
    return {name: OperatorChoice.parse(each) for name, each in raw.items()}


def _replace(_: str, options: Options, entity: str) -> str:
    value = options.get("new_value")
    expect_kind(value, "new_value", str)
    return str(value) if value else f"<{entity}>"


def _redact(*_: Any) -> str:
    return ""


def _keep(text: str, *_: Any) -> str:
    return text


def _mask(text: str, options: Options, _: str) -> str:
    character: Any = options.get("masking_char")
    expect_parameter(character, "masking_char", str)
    if len(character) > 1:
        raise ParameterError("Invalid input, masking_char must be a character")
    count: Any = options.get("chars_to_mask")
    from_end: Any = options.get("from_end")
    expect_parameter(count, "chars_to_mask", int)
    expect_parameter(from_end, "from_end", bool)
    covered: int = max(0, min(len(text), count))
    cover: str = character * covered
    return text[: len(text) - covered] + cover if from_end else cover + text[covered:]


def _hash(text: str, options: Options, _: str) -> str:
    kinds = ["sha256", "sha512"]
    kind = options.get("hash_type", kinds[0])
    expect_parameter(kind, "hash_type", object)
    if kind not in kinds:
        raise ParameterError(f"Parameter hash_type value {kind} is not in range of values {kinds}")
    salt = options["salt"] if "salt" in options else os.urandom(32)
    salt = salt.encode() if isinstance(salt, str) else salt
    if len(salt) == 0:
        raise ParameterError(
            "Salt parameter cannot be empty. Either omit the salt parameter to auto-generate a random "
            "salt, or provide a salt of at least 16 bytes (128 bits)."
        )
    if len(salt) < _SALT:
        raise ParameterError(
            f"Salt must be at least 16 bytes (128 bits). Provided salt is {len(salt)} bytes."
        )
    return hashlib.new(kind, text.encode() + salt).hexdigest()


def _read_key(options: Options) -> bytes:
    key: Any = options.get("key")
    expect_parameter(key, "key", str if isinstance(key, str) else bytes)
    data: bytes = key.encode() if isinstance(key, str) else key
    if len(data) * 8 not in algorithms.AES.key_sizes:
        raise ParameterError("Invalid input, key must be of length 128, 192 or 256 bits")
    return data


def _encrypt(text: str, options: Options, _: str) -> str:
    key = _read_key(options)
    padder = padding.PKCS7(_BLOCK * 8).padder()
    padded = padder.update(text.encode()) + padder.finalize()
    start = os.urandom(_BLOCK)
    cipher = Cipher(algorithms.AES(key), modes.CBC(start)).encryptor()
    return base64.urlsafe_b64encode(start + cipher.update(padded) + cipher.finalize()).decode()


def _decrypt(text: str, options: Options, _: str) -> str:
    key = _read_key(options)
    data = base64.urlsafe_b64decode(text)
    cipher = Cipher(algorithms.AES(key), modes.CBC(data[:_BLOCK])).decryptor()
    padded = cipher.update(data[_BLOCK:]) + cipher.finalize()
    unpadder = padding.PKCS7(_BLOCK * 8).unpadder()
    return (unpadder.update(padded) + unpadder.finalize()).decode()


def _refuse_custom(*_: Any) -> str:
    raise ParameterError("New value must be a callable function")


Operate = Callable[[str, Options, str], str]
ANONYMIZERS: Mapping[str, Operate] = {
    "custom": _refuse_custom,
    "encrypt": _encrypt,
    "hash": _hash,
    "keep": _keep,
    "mask": _mask,
    "redact": _redact,
    "replace": _replace,
}
DEANONYMIZERS: Mapping[str, Operate] = {"decrypt": _decrypt, "deanonymize_keep": _keep}


def operate(known: Mapping[str, Operate], choice: OperatorChoice, text: str, entity: str) -> str:
    """The text after an operator. An operator of the other direction is unknown."""
    operator = known.get(choice.name)
    if operator is None:
        raise ParameterError(f"Invalid operator class '{choice.name}'.")
    return operator(text, choice.options, entity)

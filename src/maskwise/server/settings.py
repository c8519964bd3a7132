"""`ServerSettings`: one YAML file that says where the server listens, who may call it, and how much it takes on."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, field_validator, model_validator

from maskwise.errors import InputError
from maskwise.inputs import decode_yaml, read_small
from maskwise.plugins import Count, suggest_nearest
from maskwise.policy import list_shipped
from maskwise.server.access import AccessScope
from maskwise.settings import SettingGroup, VaultSettings

MEGA = 1 << 20
Seconds = Annotated[float, Field(gt=0)]


class TokenSettings(SettingGroup):
    """A caller: its name, where its secret stands (a file or an environment variable), and what it may do."""

    name: Annotated[str, Field(pattern=r"^[\w.-]{1,64}$")]
    file: str | None = None
    env: str | None = None
    scopes: tuple[AccessScope, ...] = (AccessScope.SANITISE,)

    @model_validator(mode="after")
    def _expect_one_source(self) -> TokenSettings:
        if (self.file is None) == (self.env is None):
            raise ValueError("a token stands in one place: give `file` or `env`")
        return self


class TlsSettings(SettingGroup):
    """Files of a certificate and its key. With `client_ca`, clients need a certificate of that authority."""

    certificate: str
    key: str
    client_ca: str | None = None


class LoadSettings(SettingGroup):
    """How much the server takes on. What is over a limit is refused; nothing is cut.

    `body` and `upload` are bytes of a request, `buffered` bytes of all requests at once. `texts` is how many texts one
    request may hold. `waiting` is how many requests may wait for a thread. `rate` is requests per second of one caller,
    `burst` how many of them may come at once. `seconds` is how long a request may take, `body_seconds` how long its
    body may take to arrive.
    """

    body: Count = 4 * MEGA
    upload: Count = 64 * MEGA
    buffered: Count = 512 * MEGA
    texts: Count = 1000
    waiting: Count = 256
    rate: Annotated[float, Field(gt=0)] | None = None
    burst: Count = 50
    seconds: Seconds = 120
    body_seconds: Seconds = 30
    shutdown_seconds: Count = 30


class UpstreamSettings(SettingGroup):
    """A language model behind the gateway: its address, and where the key stands that the gateway sends there.

    Without a key, the gateway passes on the `Authorization` or `x-api-key` of its caller.
    """

    url: Annotated[str, Field(pattern=r"^https?://")]
    key_file: str | None = None
    key_env: str | None = None
    seconds: Seconds = 120


class ServerSettings(SettingGroup):
    """Where the server listens, what it serves, and to whom.

    `policies` are names of shipped policies and YAML files; a client names one of them, never a path. `policy` is the
    one that it gets without asking. `state` is the folder of jobs. `audit` is the log of what was restored. `hosts` are
    further names under which clients may address the server.

    >>> ServerSettings().host
    '127.0.0.1'
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8391
    workers: Count | None = None
    threads: Count | None = None
    policy: str = "balanced"
    policies: tuple[str, ...] = ()
    reload_seconds: Seconds = 2
    hosts: tuple[str, ...] = ()
    tokens: tuple[TokenSettings, ...] = ()
    tls: TlsSettings | None = None
    load: LoadSettings = LoadSettings()
    state: str | None = None
    keep_hours: Annotated[float, Field(gt=0)] = 24
    vault: VaultSettings | None = None
    audit: str | None = None
    openai: UpstreamSettings | None = None
    anthropic: UpstreamSettings | None = None

    @field_validator("tokens")
    @classmethod
    def _expect_different_names(
        cls, tokens: tuple[TokenSettings, ...]
    ) -> tuple[TokenSettings, ...]:
        if len({token.name for token in tokens}) < len(tokens):
            raise ValueError("two tokens have the same name")
        return tokens

    @model_validator(mode="after")
    def _refuse_open_door(self) -> ServerSettings:
        """Outside of loopback everybody could send texts, so the server asks who calls."""
        has_client_check = self.tls is not None and self.tls.client_ca is not None
        if not is_loopback(self.host) and not self.tokens and not has_client_check:
            raise ValueError(
                f"{self.host} can be reached from outside: name `tokens`, or `tls` with `client_ca`"
            )
        if self.vault is not None and self.audit is None:
            raise ValueError("what a vault restores is recorded: name an `audit` log")
        return self

    @property
    def served(self) -> tuple[str, ...]:
        """The policies that clients can name, as the settings name them."""
        return tuple(dict.fromkeys((self.policy, *(self.policies or list_shipped()))))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def load_settings(path: Path | None = None, **given: Any) -> ServerSettings:
    """Read the settings of a file. `given` holds those of the command line, which win; None means not given."""
    raw: Any = {}
    source = "settings"
    if path is not None:
        source = path.name
        raw = decode_yaml(read_small(path), source)
    if not isinstance(raw, dict):
        raise InputError(f"{source}: settings are a mapping of keys, found {type(raw).__name__}")
    named = {key: value for key, value in given.items() if value is not None}
    try:
        return ServerSettings.model_validate({**raw, **named})
    except ValidationError as error:
        raise InputError(f"{source}: {_explain(error)}") from None


def read_secret_from(file: str | None, env: str | None, what: str) -> str:
    """The secret in a file or in an environment variable. It never stands in the settings themselves."""
    if file is not None:
        found = read_small(Path(file), MEGA).decode("utf-8", "replace").strip()
        where = file
    else:
        found = os.environ.get(env or "", "").strip()
        where = f"environment variable {env}"
    if len(found) < 16:
        raise InputError(f"{where}: {what} has at least 16 characters, this one {len(found)}")
    return found


def _explain(error: ValidationError) -> str:
    """The first problem in one line, without the value, which may be a secret."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown key {where!r}{suggest_nearest(str(first['loc'][-1]), _list_keys())}"
    return f"{where or 'settings'}: {first['msg'].removeprefix('Value error, ')}"


def _list_keys() -> set[str]:
    groups = (ServerSettings, TokenSettings, TlsSettings, LoadSettings, UpstreamSettings)
    return {key for group in groups for key in group.model_fields}

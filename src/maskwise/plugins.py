"""Finds parts by entry point and reads their options from their constructors: ours and third parties' alike.

The constructor of a part declares its options once: names, types, constraints and defaults. From it follow what a
policy may say about the part, how that is checked, and how it is documented. A parameter whose name begins with an
underscore is no option.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError, create_model
from pydantic_core import to_jsonable_python

from maskwise.errors import MaskwiseError, PluginError

GROUPS = (
    "detectors",
    "linkers",
    "indicators",
    "combinations",
    "solvers",
    "operators",
    "indexes",
    "readers",
    "writers",
    "leak_readers",
)

Threshold = Annotated[float, Field(ge=0, le=2)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
Recall = Literal["precision", "balanced", "recall"] | Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class FromPolicy:
    """Marks an option that the policy sets for all parts that leave it open: model, recall, threads."""


@dataclass(frozen=True)
class NestedPart:
    """Marks an option that is itself a part of this group."""

    group: str


class OptionError(ValueError):
    """An option of a part is wrong. `where` is its path inside the part. `kind` is set if the option is unknown."""

    def __init__(self, where: tuple[str, ...], message: str, kind: str = "") -> None:
        super().__init__(message)
        self.where, self.kind = where, kind


@dataclass(frozen=True)
class Part:
    """A part as a policy names it: the group and name of its entry point, and the options that the policy gives."""

    group: str
    kind: str
    given: Mapping[str, Any] = field(default_factory=dict)

    def get(self, option: str) -> Any:
        """Return the value of an option: the one given, or the default of the constructor."""
        if option in self.given:
            return self.given[option]
        return read_options(self.group, self.kind)[option].default

    def has_option(self, option: str) -> bool:
        return option in read_options(self.group, self.kind)

    def build(self, **more: Any) -> Any:
        return build_part(self.group, self.kind, {**self.given, **more})

    def dump(self) -> dict[str, Any]:
        """Return the part as a policy file would write it, with its defaults."""
        names = read_options(self.group, self.kind)
        return {"kind": self.kind, **{name: _make_plain(self.get(name)) for name in names}}


@cache
def list_available(group: str) -> Mapping[str, Any]:
    """Return the entry points of `maskwise.<group>` by name, not loaded."""
    return {point.name: point for point in _read_entry_points().select(group=f"maskwise.{group}")}


@cache
def _read_entry_points() -> Any:
    """Read all entry points of all packages, once: it takes longer than sanitising a short text."""
    return entry_points()


def load_part(group: str, name: str) -> Any:
    """Load the class of a part, or the function that makes one."""
    known = list_available(group)
    if name not in known:
        installed = ", ".join(sorted(known)) or "none"
        raise PluginError(
            f"no {_name_group(group)} named {name!r}{suggest_nearest(name, known)}; installed: {installed}"
        )
    try:
        return known[name].load()
    except ImportError as error:
        raise PluginError(f"{_name_group(group)} {name!r} does not load: {error}") from error


def build_part(group: str, name: str, options: Mapping[str, Any] | None = None) -> Any:
    """Make the part `name` of a group with `options`."""
    factory = load_part(group, name)
    try:
        return factory(**(options or {}))
    except MaskwiseError:
        raise
    except TypeError as error:
        raise PluginError(
            f"{_name_group(group)} {name!r}: wrong options {sorted(options or {})}"
        ) from error


def parse_part(group: str, raw: Any) -> Part:
    """Read a part as a policy names it: by its kind, or by a mapping of `kind` and options. Raises `OptionError`."""
    if isinstance(raw, Part):
        return raw
    said = {"kind": raw} if isinstance(raw, str) else raw
    if not isinstance(said, Mapping) or not isinstance(said.get("kind"), str):
        raise OptionError(
            (), f"a part needs a kind; known: {', '.join(sorted(list_available(group)))}"
        )
    kind = said["kind"]
    if kind not in list_available(group):
        known = ", ".join(repr(name) for name in sorted(list_available(group)))
        raise OptionError(
            (), f"unknown kind{suggest_nearest(kind, list_available(group))}; expected {known}"
        )
    options = {key: value for key, value in said.items() if key != "kind"}
    return Part(group, kind, check_options(describe_options(group, kind), options, (kind,)))


def check_options(
    model: type[BaseModel], options: Any, where: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the given options as the model reads them. Raises `OptionError`, whose path begins with `where`."""
    try:
        values = model.model_validate(options)
    except ValidationError as error:
        raise _explain_error(error, where, model) from None
    return {name: getattr(values, name) for name in sorted(values.model_fields_set)}


def _explain_error(
    error: ValidationError, begin: tuple[str, ...], model: type[BaseModel]
) -> OptionError:
    """Turn the first problem into an error that names the option, and the nearest known one if it is unknown."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = (*begin, *(str(part) for part in first["loc"]))
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, OptionError):
        return OptionError((*where, *inner.where), str(inner), inner.kind)
    if first["type"] == "extra_forbidden":
        nearest = suggest_nearest(str(first["loc"][-1]), model.model_fields)
        return OptionError(where, nearest, "unknown key")
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return OptionError(where, f"{first['msg']}{more}")


@cache
def describe_options(group: str, kind: str) -> type[BaseModel]:
    """Build a model of the options of a part from its constructor."""
    return build_model(kind, read_options(group, kind))


def build_model(name: str, options: Mapping[str, OptionInfo]) -> type[BaseModel]:
    """Build a model that reads these options and no others."""
    fields: dict[str, Any] = {}
    for key, option in options.items():
        is_required = option.default is inspect.Parameter.empty
        fields[key] = option.type, Field() if is_required else option.default
    config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
    return create_model(f"{name}_options", __config__=config, **fields)


@dataclass(frozen=True)
class OptionInfo:
    """The type and default of one option, and whether the policy may set it for all parts."""

    type: Any
    default: Any
    is_inherited: bool = False


@cache
def read_options(group: str, kind: str) -> Mapping[str, OptionInfo]:
    """Return the options of a part, in the order of its constructor."""
    return read_constructor(load_part(group, kind))


def read_constructor(factory: Any) -> Mapping[str, OptionInfo]:
    """Return the options of a class, in the order of its constructor."""
    # A dataclass may inherit options whose annotations only its parent's module can resolve.
    is_plain = inspect.isclass(factory) and not is_dataclass(factory)
    try:
        hints = get_type_hints(factory.__init__ if is_plain else factory, include_extras=True)
    except (NameError, TypeError):
        hints = {}  # a third party may have annotations that cannot be resolved at run time
    found = {}
    for name, parameter in inspect.signature(factory).parameters.items():
        is_open = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if is_open or name.startswith("_"):
            continue
        hint = hints.get(name, Any)
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        nested = next((mark for mark in marks if isinstance(mark, NestedPart)), None)
        default = _find_default(parameter)
        found[name] = OptionInfo(
            _make_nested_type(nested.group) if nested else hint,
            default,
            any(isinstance(mark, FromPolicy) for mark in marks),
        )
    return found


def _find_default(parameter: inspect.Parameter) -> Any:
    """Return the default of a parameter. A dataclass marks a factory with an object of its own."""
    default = parameter.default
    return {} if type(default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS" else default


def _make_plain(value: Any) -> Any:
    """Return a value as YAML and JSON write it."""
    return value.dump() if isinstance(value, Part) else to_jsonable_python(value)


def _make_nested_type(group: str) -> Any:
    return Annotated[Part, PlainValidator(lambda raw: parse_part(group, raw))]


def suggest_nearest(word: str, known: Any) -> str:
    """Return the nearest known word, as a question to add to a message."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _name_group(group: str) -> str:
    return "index" if group == "indexes" else group.rstrip("s")

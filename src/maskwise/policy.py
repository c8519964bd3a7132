"""`Policy`: one YAML file that says whom to protect, what looks for personal data, what decides, how masks are written.

Every choice is a discriminated union on `kind` (see `parts`); unknown keys are refused with the nearest known one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from maskwise.errors import PolicyError
from maskwise.parts import (
    Combination,
    Detector,
    Gazetteer,
    Index,
    Indicator,
    KOfN,
    Linker,
    Local,
    Modelled,
    Operator,
    Part,
    Patterns,
    Pseudonym,
    Recall,
    Rules,
    Solver,
    Threads,
    Thresholds,
    Tuned,
    Web,
    WordList,
)
from maskwise.settings import Formats, Scope, Vault
from maskwise.text import EntityType, IdentifierType


class Policy(BaseModel):
    """What to do with a document. `detectors` are named in order of strength: the first wins an overlap.

    `recall` is the one knob along the model's curve: precision, balanced, recall, or a number from 0 to 1. `scope` says
    where an entity keeps its number or surrogate: in its document, in all of a run, or in all that use the vault; left
    open it is `vault` where there is one, else `document`. `index` is a file of `maskwise index build`: with it,
    whatever leads to pages about the protected person is masked as well. `lazy` asks the language model only about
    entities of which its answer could change what `combine` makes of all indicators: as many masks, sooner.

    >>> Policy.load("balanced").name
    'balanced'
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = ""
    protect: tuple[str, ...] = ()
    model: str = "small"
    recall: Recall = "balanced"
    threads: Threads = None
    detectors: tuple[Detector, ...] = (Patterns(), Gazetteer())
    linker: Linker = Rules()
    indicators: tuple[Indicator, ...] = ()
    index: str | None = None
    lazy: bool = False
    combine: Combination = KOfN()
    combine_by: dict[EntityType | IdentifierType, Combination] = {}
    decide: Solver = Thresholds()
    operator: Operator = Pseudonym()
    operators: dict[EntityType, Operator] = {}
    scope: Scope | None = None
    vault: Vault | None = None
    formats: Formats = Formats()

    def options(self, part: Part) -> dict[str, Any]:
        """Options of a part, with what it leaves open filled in by the policy."""
        options = part.options
        if isinstance(part, Modelled):
            options |= {key: getattr(self, key) for key in Tuned.model_fields if options.get(key, 0) is None}
        return options

    @property
    def assessed(self) -> tuple[Part, ...]:
        """The indicators; where the policy names an index of background knowledge and none asks one, web search too."""
        if self.index is None or any(isinstance(part, Web) for part in self.indicators):
            return self.indicators
        return (*self.indicators, Web(index=Local(path=self.index)))

    def operator_for(self, kind: EntityType) -> Part:
        return self.operators.get(kind, self.operator)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Policy:
        """A shipped policy by name, or one from a YAML file; `extends: NAME` starts from another."""
        source, raw = _read(str(name_or_path))
        return cls.parse(raw, source)

    @classmethod
    def parse(cls, raw: Mapping[str, Any], source: str = "policy") -> Policy:
        """Check a decoded policy."""
        try:
            return cls.model_validate(_extended(raw, source, ()))
        except ValidationError as error:
            raise PolicyError(f"{source}: {_explain(error)}") from None


def shipped() -> tuple[str, ...]:
    """Names of the policies in the package."""
    folder = files("maskwise.bundle").joinpath("policies")
    return tuple(sorted(item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml")))


def _read(name_or_path: str) -> tuple[str, Mapping[str, Any]]:
    if name_or_path in shipped():
        source = name_or_path
        text = files("maskwise.bundle").joinpath("policies", f"{source}.yaml").read_text("utf-8")
    else:
        path = Path(name_or_path)
        source = path.name
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            guess = _nearest(name_or_path, shipped())
            raise PolicyError(f"no policy {name_or_path!r}{guess}; shipped: {', '.join(shipped())}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise PolicyError(f"{source}: cannot be read ({type(error).__name__})") from None
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise PolicyError(f"{source}: not YAML{f' at line {mark.line + 1}' if mark else ''}") from None
    except RecursionError:
        raise PolicyError(f"{source}: YAML nested too deeply") from None
    if not isinstance(raw, dict):
        raise PolicyError(f"{source}: a policy is a mapping of keys, found {type(raw).__name__}")
    return source, raw


def _extended(raw: Mapping[str, Any], source: str, seen: tuple[str, ...]) -> dict[str, Any]:
    """`raw` laid over the policy it extends: mappings are merged, null takes back, everything else is replaced."""
    base = raw.get("extends")
    own = {key: value for key, value in raw.items() if key != "extends"}
    if base is None:
        return own
    if not isinstance(base, str) or base in seen:
        raise PolicyError(f"{source}: 'extends' must name another policy, without going in circles")
    base_source, base_raw = _read(base)
    return _overlay(_extended(base_raw, base_source, (*seen, base)), own)


def _overlay(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict) and value.get("kind") in (None, below.get("kind")):
            value = _overlay(below, value)
        merged[key] = value
        if value is None and below is not None:
            del merged[key]
    return merged


def _explain(error: ValidationError) -> str:
    """The first problem in one line: where, what, and the nearest known key."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        key = str(first["loc"][-1])
        return f"unknown key {where!r}{_nearest(key, _keys())}"
    if first["type"] == "union_tag_invalid":
        return f"{where}: unknown kind; expected {first['ctx']['expected_tags']}"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{where or 'policy'}: {first['msg']}{more}"


def _keys() -> set[str]:
    """Every key a policy may hold."""

    def of(model: type[BaseModel]) -> Iterator[str]:
        yield from model.model_fields

    parts = [
        p
        for union in (Detector, Linker, Indicator, Index, Combination, Solver, Operator)
        for p in get_args(get_args(union)[0])
    ]
    settings = [f.annotation for f in Formats.model_fields.values() if isinstance(f.annotation, type)]
    parts += [Formats, *(model for model in settings if issubclass(model, BaseModel))]
    return {"extends", *of(Policy), *of(WordList), *of(Vault), *(key for part in parts for key in of(part))}


def _nearest(word: str, known: Any) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""

"""`Policy`: one YAML file that says whom to protect, what looks for personal data, what decides, how masks are written.

Every choice is a discriminated union on `kind` (see `parts`); unknown keys are refused with the nearest known one.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from maskwise.errors import InputError, PolicyError
from maskwise.extending import REPLACE, overlay, settle
from maskwise.inputs import decode_yaml, read_small
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
from maskwise.weakening import Weakening, find_weakenings, list_some

EXTENDS, WEAKENS = "extends", "weakens"
DEPTH = 16  # policies that may extend each other in a row


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
        """A shipped policy by name, or one from a YAML file; `extends: NAME` starts from another.

        One that masks less of its parent's direct identifiers is refused, unless its `weakens` names what it takes.
        """
        family = load_family(name_or_path)
        _refuse_weaker(family)
        return family.policy

    @classmethod
    def parse(cls, raw: Mapping[str, Any], source: str = "policy") -> Policy:
        """Check a decoded policy."""
        family = _resolve(raw, source)
        _refuse_weaker(family)
        return family.policy


class Family(NamedTuple):
    """A policy, the one it extends, and what it takes away of it: `allowed` names what it says it takes."""

    source: str
    policy: Policy
    full: Mapping[str, Any]  # the policy as mappings and lists, with everything it extends
    parent: Policy | None = None
    weakenings: tuple[Weakening, ...] = ()
    allowed: tuple[str, ...] = ()


def load_family(name_or_path: str | Path) -> Family:
    """A policy and the one it extends; a policy that is weaker than its parent is not refused."""
    return _resolve_named(str(name_or_path))


def shipped() -> tuple[str, ...]:
    """Names of the policies in the package."""
    folder = files("maskwise.bundle").joinpath("policies")
    return tuple(sorted(item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml")))


def _read(name_or_path: str) -> tuple[str, Mapping[str, Any]]:
    if name_or_path in shipped():
        source = name_or_path
        data = files("maskwise.bundle").joinpath("policies", f"{source}.yaml").read_bytes()
    else:
        path = Path(name_or_path)
        source = path.name
        if not _exists(path):
            guess = _nearest(name_or_path, shipped())
            raise PolicyError(f"no policy {name_or_path!r}{guess}; shipped: {', '.join(shipped())}")
        data = _read_file(path)
    try:
        raw = decode_yaml(data, source)
    except InputError as error:
        raise PolicyError(str(error)) from None
    if not isinstance(raw, dict):
        raise PolicyError(f"{source}: a policy is a mapping of keys, found {type(raw).__name__}")
    return source, raw


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long, or holds a zero
        return False


def _read_file(path: Path) -> bytes:
    try:
        return read_small(path)
    except InputError as error:
        raise PolicyError(f"{error}; a policy is a YAML file") from None


def _resolve_named(name: str, seen: tuple[str, ...] = ()) -> Family:
    source, raw = _read(name)
    return _resolve(raw, source, seen, trusted=name in shipped())


def _resolve(raw: Mapping[str, Any], source: str, seen: tuple[str, ...] = (), trusted: bool = False) -> Family:
    """A decoded policy laid over the one that it extends. Only what ships is `trusted` not to be weaker than that."""
    base = raw.get(EXTENDS)
    own = {key: value for key, value in raw.items() if key not in (EXTENDS, WEAKENS)}
    if base is None:
        full = settle(own)
        return Family(source, _validate(full, source), full)
    if not isinstance(base, str) or base in seen or len(seen) == DEPTH:
        raise PolicyError(f"{source}: 'extends' must name another policy, without going in circles")
    below = _resolve_named(base, (*seen, base))
    _refuse_weaker(below)
    # A parent that names no detectors has those of every policy: they are extended, not dropped.
    named = {"detectors": [{"kind": part.kind} for part in Policy.model_fields["detectors"].default]}
    full = overlay({**named, **below.full}, own)
    policy = _validate(full, source)
    lost = () if trusted else find_weakenings(policy, below.policy)
    return Family(source, policy, full, below.policy, lost, _read_allowed(raw, source))


def _validate(full: Mapping[str, Any], source: str) -> Policy:
    try:
        return Policy.model_validate(full)
    except ValidationError as error:
        raise PolicyError(f"{source}: {_explain(error)}") from None


def _read_allowed(raw: Mapping[str, Any], source: str) -> tuple[str, ...]:
    allowed = raw.get(WEAKENS, [])
    if not isinstance(allowed, list) or not all(isinstance(name, str) for name in allowed):
        raise PolicyError(f"{source}: 'weakens' is a list of names, such as `weakens: [recall]`")
    return tuple(allowed)


def _refuse_weaker(family: Family) -> None:
    """Refuse a policy that takes away of its parent's direct identifiers what it does not name."""
    lost = [each for each in family.weakenings if each.name not in family.allowed]
    if lost and family.parent:
        names = ", ".join(dict.fromkeys([*family.allowed, *(each.name for each in lost)]))
        raise PolicyError(
            f"{family.source}: masks less than {family.parent.name!r}: it {list_some([each.what for each in lost])}; "
            f"if that is meant, add `weakens: [{names}]`"
        )


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
    unions = (Detector, Linker, Indicator, Index, Combination, Solver, Operator)
    parts = [part for union in unions for part in get_args(get_args(union)[0])]
    settings = [field.annotation for field in Formats.model_fields.values()]
    settings = [model for model in settings if isinstance(model, type) and issubclass(model, BaseModel)]
    models = (Policy, WordList, Vault, Formats, *parts, *settings)
    return {EXTENDS, WEAKENS, REPLACE, *(key for model in models for key in model.model_fields)}


def _nearest(word: str, known: Any) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""

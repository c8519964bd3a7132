"""`Policy`: one YAML file that says whom to protect, how to detect, how to decide, and how to write masks.

The `kind` of a part is its entry point, and its options are those of its constructor (see `plugins`). Unknown keys are
refused with the nearest known one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import (
    BaseModel,
    ConfigDict,
    PlainSerializer,
    PlainValidator,
    ValidationError,
    field_validator,
    model_validator,
)

from maskwise.errors import InputError, PolicyError
from maskwise.extending import REPLACE, overlay_policy, settle_lists
from maskwise.inputs import decode_yaml, read_small
from maskwise.link.listed import check_texts
from maskwise.plugins import (
    Count,
    OptionError,
    Part,
    Recall,
    parse_part,
    read_options,
    suggest_nearest,
)
from maskwise.settings import (
    ConfidentialAction,
    CrowdSettings,
    FormatSettings,
    Scope,
    VaultSettings,
)
from maskwise.text import EntityType, IdentifierType
from maskwise.text.confidential import Confidential
from maskwise.text.domain import Domain
from maskwise.weakening import Weakening, find_weakenings, list_some

EXTENDS, WEAKENS = "extends", "weakens"
DEPTH = 16  # policies that may extend each other in a row
_dump = PlainSerializer(lambda part: part.dump())

DetectorPart = Annotated[Part, PlainValidator(partial(parse_part, "detectors")), _dump]
LinkerPart = Annotated[Part, PlainValidator(partial(parse_part, "linkers")), _dump]
IndicatorPart = Annotated[Part, PlainValidator(partial(parse_part, "indicators")), _dump]
CombinationPart = Annotated[Part, PlainValidator(partial(parse_part, "combinations")), _dump]
SolverPart = Annotated[Part, PlainValidator(partial(parse_part, "solvers")), _dump]
OperatorPart = Annotated[Part, PlainValidator(partial(parse_part, "operators")), _dump]


class Policy(BaseModel):
    """How a document is masked. `detectors` are named in order of strength: the first wins an overlap.

    `recall` is the one knob along the model's curve: precision, balanced, recall, or a number from 0 to 1. `scope` says
    where an entity keeps its number or surrogate: in its document, in all of a run, in all that use one secret key
    (`keyed`), or in all that use the vault; left open it is `vault` where there is one, else `document`. `must_mask`
    and `must_keep` list texts, or regular expressions after `re:`, that are masked or kept wherever they stand,
    whatever was detected there. `domain` is the kind of all texts, for a policy that decides by it; left open, each
    text is recognised. `index` is a file of `maskwise index build`: with it, whatever leads to pages about the
    protected person is masked as well. `lazy` asks the language model only about entities of which its answer could
    change what `combine` makes of all indicators: as many masks, sooner. `confidential` says for a special category of
    personal data whether to mask it, to report it or to refuse the document; all are reported by default. `crowd`
    measures the risk of a document among people, and hides its people among them. With `second_reader`, the review page
    writes a document after a person other than the one who sent it has approved it.

    >>> Policy.load("balanced").name
    'balanced'
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = ""
    protect: tuple[str, ...] = ()
    must_mask: tuple[str, ...] = ()
    must_keep: tuple[str, ...] = ()
    domain: Domain | None = None
    model: str = "small"
    recall: Recall = "balanced"
    threads: Count | None = None
    detectors: tuple[DetectorPart, ...] = (
        Part("detectors", "patterns"),
        Part("detectors", "gazetteer"),
    )
    linker: LinkerPart = Part("linkers", "rules")
    indicators: tuple[IndicatorPart, ...] = ()
    index: str | None = None
    lazy: bool = False
    combine: CombinationPart = Part("combinations", "k_of_n")
    combine_by: dict[EntityType | IdentifierType, CombinationPart] = {}
    decide: SolverPart = Part("solvers", "thresholds")
    operator: OperatorPart = Part("operators", "pseudonym")
    operators: dict[EntityType, OperatorPart] = {}
    confidential: dict[Confidential, ConfidentialAction] = {}
    crowd: CrowdSettings | None = None
    scope: Scope | None = None
    vault: VaultSettings | None = None
    formats: FormatSettings = FormatSettings()
    second_reader: bool = False

    @model_validator(mode="after")
    def _refuse_lazy_bound(self) -> Policy:
        if self.lazy and self.decide.has_option("bound") and self.decide.get("bound") is not None:
            raise ValueError(
                "a lazy policy cannot have a bound, which needs every score; set `lazy: false`"
            )
        return self

    @field_validator("protect")
    @classmethod
    def _expect_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Refuses a name without a letter or digit, which would protect nobody in silence."""
        if not all(any(map(str.isalnum, name)) for name in names):
            raise ValueError("a name to protect has at least one letter")
        return names

    @model_validator(mode="after")
    def _check_texts(self) -> Policy:
        """Refuses texts that would match nothing in silence, and those that are to be masked and kept."""
        for key, texts in (("must_mask", self.listed), ("must_keep", self.kept)):
            try:
                check_texts(texts)
            except ValueError as error:
                raise ValueError(f"{key}: {error}") from None
        both = [at for at, text in enumerate(self.kept, 1) if text in self.listed]
        if both:
            raise ValueError(f"must_keep: text {both[0]} is also in must_mask; take it out of one")
        return self

    @property
    def listed(self) -> tuple[str, ...]:
        """Every text that is masked wherever it stands: those of the policy and of its solver."""
        return (*self.must_mask, *self._list_of_solver("must_mask"))

    @property
    def kept(self) -> tuple[str, ...]:
        """Every text that stays wherever it stands: those of the policy and of its solver."""
        return (*self.must_keep, *self._list_of_solver("must_keep"))

    def _list_of_solver(self, key: str) -> tuple[str, ...]:
        return self.decide.get(key) if self.decide.has_option(key) else ()

    def collect_options(self, part: Part) -> dict[str, Any]:
        """Return the options of a part. The policy sets model, recall and threads if the part leaves them open."""
        options: dict[str, Any] = {}
        for name, option in read_options(part.group, part.kind).items():
            if option.is_inherited:
                options[name] = getattr(self, name)
        given = {name: value for name, value in part.given.items() if value is not None}
        return {**options, **given}

    @property
    def assessed(self) -> tuple[Part, ...]:
        """The indicators, and web search if the policy names an index that none of them asks."""
        if self.index is None or any(part.kind == "web" for part in self.indicators):
            return self.indicators
        local = Part("indexes", "local", {"path": self.index})
        return (*self.indicators, Part("indicators", "web", {"index": local}))

    def find_operator(self, kind: EntityType) -> Part:
        return self.operators.get(kind, self.operator)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Policy:
        """Load a shipped policy by name, or one from a YAML file. `extends: NAME` starts from another policy.

        A policy that masks fewer direct identifiers than its parent is refused, unless its `weakens` names them.
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


class PolicyFamily(NamedTuple):
    """A policy, the one it extends, and how it is weaker. `allowed` holds the names in its `weakens`."""

    source: str
    policy: Policy
    full: Mapping[str, Any]  # the policy as mappings and lists, with everything it extends
    parent: Policy | None = None
    weakenings: tuple[Weakening, ...] = ()
    allowed: tuple[str, ...] = ()


def load_family(name_or_path: str | Path) -> PolicyFamily:
    """Load a policy and the one it extends. A policy that is weaker than its parent is not refused."""
    return _resolve_named(str(name_or_path))


def list_shipped() -> tuple[str, ...]:
    """Return the names of the policies in the package."""
    folder = files("maskwise.bundle").joinpath("policies")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".yaml"))
    return tuple(name.removesuffix(".yaml") for name in names)


def _read_policy(name_or_path: str) -> tuple[str, Mapping[str, Any]]:
    if name_or_path in list_shipped():
        source = name_or_path
        data = files("maskwise.bundle").joinpath("policies", f"{source}.yaml").read_bytes()
    else:
        path = Path(name_or_path)
        source = path.name
        if not _is_there(path):
            guess = suggest_nearest(name_or_path, list_shipped())
            raise PolicyError(
                f"no policy {name_or_path!r}{guess}; shipped: {', '.join(list_shipped())}"
            )
        data = _read_file(path)
    try:
        raw = decode_yaml(data, source)
    except InputError as error:
        raise PolicyError(str(error)) from None
    if not isinstance(raw, dict):
        raise PolicyError(f"{source}: a policy is a mapping of keys, found {type(raw).__name__}")
    return source, raw


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long, or holds a zero
        return False


def _read_file(path: Path) -> bytes:
    try:
        return read_small(path)
    except InputError as error:
        raise PolicyError(f"{error}; a policy is a YAML file") from None


def _resolve_named(name: str, seen: tuple[str, ...] = ()) -> PolicyFamily:
    source, raw = _read_policy(name)
    return _resolve(raw, source, seen, trusted=name in list_shipped())


def _resolve(
    raw: Mapping[str, Any], source: str, seen: tuple[str, ...] = (), trusted: bool = False
) -> PolicyFamily:
    """Lay a decoded policy over the one that it extends. A `trusted` policy ships, and may be weaker than that."""
    base = raw.get(EXTENDS)
    own = {key: value for key, value in raw.items() if key not in (EXTENDS, WEAKENS)}
    if base is None:
        full = settle_lists(own)
        return PolicyFamily(source, _validate(full, source), full)
    if not isinstance(base, str) or base in seen or len(seen) == DEPTH:
        raise PolicyError(f"{source}: 'extends' must name another policy, without going in circles")
    below = _resolve_named(base, (*seen, base))
    _refuse_weaker(below)
    # A parent that names no detectors has those of every policy: they are extended, not dropped.
    usual = Policy.model_fields["detectors"].default
    named = {"detectors": [{"kind": part.kind} for part in usual]}
    full = overlay_policy({**named, **below.full}, own)
    policy = _validate(full, source)
    lost = () if trusted else find_weakenings(policy, below.policy)
    return PolicyFamily(source, policy, full, below.policy, lost, _read_allowed(raw, source))


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


def _refuse_weaker(family: PolicyFamily) -> None:
    """Refuse a policy that takes away of its parent's direct identifiers what it does not name."""
    lost = [each for each in family.weakenings if each.name not in family.allowed]
    if lost and family.parent:
        names = ", ".join(dict.fromkeys([*family.allowed, *(each.name for each in lost)]))
        raise PolicyError(
            f"{family.source}: masks less than {family.parent.name!r}: it {list_some([each.what for each in lost])}; "
            f"if that is meant, add `weakens: [{names}]`"
        )


def _explain(error: ValidationError) -> str:
    """Return the first problem in one line: where, what, and the nearest known key."""
    first = error.errors(include_url=False, include_input=False)[0]
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, OptionError):
        where = ".".join(str(part) for part in (*first["loc"], *inner.where))
        return f"unknown key {where!r}{inner}" if inner.kind else f"{where}: {inner}"
    where = ".".join(str(part) for part in first["loc"] if part != "[key]")
    if first["loc"][-1:] == ("[key]",):
        return f"unknown key {where!r}; known: {first['ctx']['expected']}"
    if first["type"] == "extra_forbidden":
        return f"unknown key {where!r}{suggest_nearest(str(first['loc'][-1]), _list_keys())}"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{where or 'policy'}: {first['msg'].removeprefix('Value error, ')}{more}"


def _list_keys() -> set[str]:
    """Every key of a policy and of its settings."""
    models: tuple[type[BaseModel], ...] = (Policy, CrowdSettings, VaultSettings, FormatSettings)
    return {EXTENDS, WEAKENS, REPLACE, *(key for model in models for key in model.model_fields)}

"""What a policy may name: one small model a part, a discriminated union on `kind` a choice."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from maskwise.text import EntityType

Threshold = Annotated[float, Field(ge=0, le=2)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
Threads = Annotated[int, Field(ge=1)] | None
Recall = Literal["precision", "balanced", "recall"] | Annotated[float, Field(ge=0, le=1)]


class Part(BaseModel):
    """A configured part: `kind` is the name of its entry point, the other keys are its options."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: str

    @property
    def plugin(self) -> str:
        return self.kind

    @property
    def options(self) -> dict[str, Any]:
        return self.model_dump(exclude={"kind"})


class Plugin(Part):
    """A part somebody else registered: `name` is its entry point, `settings` its options."""

    kind: Literal["plugin"] = "plugin"
    name: str
    settings: dict[str, Any] = {}

    @property
    def plugin(self) -> str:
        return self.name

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.settings)


class Patterns(Part):
    kind: Literal["patterns"] = "patterns"
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class WordList(BaseModel):
    """A list of the user's: one term a line, `#` begins a comment."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    path: str
    type: EntityType
    subtype: str = ""
    case: Literal["exact", "insensitive"] = "exact"
    score: Annotated[float, Field(gt=0, le=1)] = 0.9


class Gazetteer(Part):
    kind: Literal["gazetteer"] = "gazetteer"
    lists: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    extra: tuple[WordList, ...] = ()


class Modelled(Part):
    """A part that asks the model. What it leaves open (`model`, `recall`, `threads`) the policy says for all."""

    model: str | None = None
    threads: Threads = None


class Tuned(Modelled):
    recall: Recall | None = None


class Neural(Tuned):
    kind: Literal["neural"] = "neural"


class Rules(Part):
    kind: Literal["rules"] = "rules"
    propagate: bool = True


class Judging(Part):
    """Mask an entity whose confidence reaches the threshold of its subtype or type: 0 always, 2 never."""

    default: Threshold = 0.5
    thresholds: dict[EntityType, Threshold] = {}
    subtypes: dict[str, Threshold] = {}
    enough: Share = 0.5


class Thresholds(Judging):
    """Mask an entity whose confidence reaches the threshold of its subtype or type: 0 always, 2 never. Of a risky
    combination, mask the member with the least information. `enough` is the share of information a generalisation must
    lose to count as a mask."""

    kind: Literal["thresholds"] = "thresholds"


class Optimal(Judging):
    """The same rules, and of all plans that break every risky combination the one that loses the least information.

    `bound` limits document risk; `enough` is the share of information a generalisation must lose to count as a mask;
    `must_mask` and `must_keep` are texts; `information` counts words or asks the language model (`lm`). `effort` limits
    the search in a time that does not depend on the machine, `deadline` in seconds.
    """

    kind: Literal["optimal"] = "optimal"
    bound: Share | None = None
    must_mask: tuple[str, ...] = ()
    must_keep: tuple[str, ...] = ()
    information: Literal["words", "lm"] = "words"
    effort: Annotated[float, Field(ge=0)] = 0.2
    deadline: Annotated[float, Field(ge=0)] | None = None

    @property
    def options(self) -> dict[str, Any]:
        return self.model_dump(exclude={"kind", "information"})


class KOfN(Part):
    """Risky when at least `k` indicators say so."""

    kind: Literal["k_of_n"] = "k_of_n"
    k: Annotated[int, Field(ge=1)] = 1


class Weighted(Part):
    """Risky when the weighted mean of the indicators' strengths (0.5 at their thresholds) reaches `threshold`."""

    kind: Literal["weighted"] = "weighted"
    threshold: Share = 0.5
    weights: dict[str, Weight] = {}


class NoisyOr(Part):
    """Risky when 1 - product(1 - weight * strength) over the indicators reaches `threshold`."""

    kind: Literal["noisy_or"] = "noisy_or"
    threshold: Share = 0.5
    weights: dict[str, Share] = {}


class Sequence(Tuned):
    kind: Literal["sequence"] = "sequence"
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    match: Literal["mean", "partial", "full"] = "mean"
    pool: Literal["max", "mean"] = "mean"
    direct: Threshold = 0.5


class Probability(Modelled):
    """How hard an entity is for the language model to guess. `threshold` overrides the decider's own: a probability, or
    for `zero-shot` information in nats. `deciders` is a folder of `maskwise train risk`."""

    kind: Literal["probability"] = "probability"
    decider: Literal["boosting", "logistic", "zero-shot"] = "boosting"
    threshold: Weight | None = None
    deciders: str | None = None


class Span(Modelled):
    """What an entity says in its context, with its type and how hard it is to guess."""

    kind: Literal["span"] = "span"
    threshold: Share | None = None
    deciders: str | None = None


class Perturbation(Modelled):
    """Pairs: an entity that makes one of at most `targets` others easier to guess, by `threshold` nats a mention."""

    kind: Literal["perturbation"] = "perturbation"
    threshold: Weight | None = None
    targets: Annotated[int, Field(ge=1)] = 5
    deciders: str | None = None


class Local(Part):
    """Pages on this machine, in a file that `maskwise index build` wrote."""

    kind: Literal["local"] = "local"
    path: str


class Online(Part):
    """`cache` is a folder, `interval` the seconds between two requests, `retries` how often one is tried again."""

    cache: str | None = None
    interval: Annotated[float, Field(ge=0)] = 1.0
    retries: Annotated[int, Field(ge=0, le=10)] = 3
    timeout: Annotated[float, Field(gt=0)] = 20.0


class Searxng(Online):
    """A SearXNG instance with JSON switched on. The text of entities is sent to it."""

    kind: Literal["searxng"] = "searxng"
    url: str
    pages: Annotated[int, Field(ge=1)] = 5


class Google(Online):
    """Google Programmable Search; `key` and `engine` name environment variables. The text of entities is sent to it."""

    kind: Literal["google"] = "google"
    key: str = "MASKWISE_GOOGLE_KEY"
    engine: str = "MASKWISE_GOOGLE_ENGINE"


Index = Annotated[Local | Searxng | Google | Plugin, Field(discriminator="kind")]


class Web(Part):
    """Whether entities, up to `max_arity` together, lead to pages about the protected person.

    `rule`: one of the best `k` pages is about the person (`urls`), the number of pages is between `lower` and `upper`
    (`hits`), `either`, `both`. `budget` is the number of queries a document may cost; `dry_run` counts without asking.
    """

    kind: Literal["web"] = "web"
    index: Index
    k: Annotated[int, Field(ge=1, le=1000)] = 50
    max_arity: Annotated[int, Field(ge=1, le=4)] = 2
    rule: Literal["urls", "hits", "either", "both"] = "urls"
    lower: Annotated[int, Field(ge=0)] = 100
    upper: Annotated[int, Field(ge=0)] | None = None
    budget: Annotated[int, Field(ge=1)] = 10_000
    dry_run: bool = False

    @property
    def options(self) -> dict[str, Any]:
        return {**super().options, "index": {"kind": self.index.plugin, **self.index.options}}


class Emulator(Part):
    """What the web indicator would say, guessed from the words in context without a query."""

    kind: Literal["emulator"] = "emulator"
    path: str | None = None
    model: str = "small"
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.5
    pairs: bool = True
    threads: Annotated[int, Field(ge=1)] | None = None


class Population(Part):
    """How many people of a register (JSONL, CSV or Parquet) share what the text says of one, up to `max_arity` values
    together: fewer than `at_least` is a risk. `duplicates` says what to do with an id that comes again (`error`,
    `first`, `merge`), `separator` splits the cells of a table into several values."""

    kind: Literal["population"] = "population"
    path: str
    at_least: Annotated[int, Field(ge=2)] = 20
    max_arity: Annotated[int, Field(ge=1, le=4)] = 2
    duplicates: Literal["error", "first", "merge"] = "error"
    separator: str = ""


class Reidentification(Part):
    """Which entities must go for the person to be hidden among `k` others of a population (JSONL, CSV or Parquet).

    The person is the one with the document's id, else the one whose attribute `name` is a name to protect. `model` is a
    folder of `maskwise train reid`, `cache` one where it keeps what it read of the population. Documents of people who
    are `unknown` to the population, or for whom `k` is `unreached` with all entities masked, are refused, or accepted
    with what there is.
    """

    kind: Literal["reidentification"] = "reidentification"
    population: str
    k: Annotated[int, Field(ge=1)] = 10
    model: str | None = None
    cache: str | None = None
    attackers: tuple[str, ...] = ()
    margin: Weight = 0.0
    name: str = "name"
    unknown: Literal["error", "accept"] = "error"
    unreached: Literal["error", "accept"] = "error"


class Suppress(Part):
    kind: Literal["suppress"] = "suppress"
    text: Annotated[str, Field(min_length=1)] = "***"


class Label(Part):
    kind: Literal["label"] = "label"


class Pseudonym(Part):
    kind: Literal["pseudonym"] = "pseudonym"


class Generalise(Part):
    """A true, less specific text where a ladder has one: "November 2006", "in their forties", "an application number".

    `limits` by subtype or type is the least share of information a level must lose to be offered. `fallback` writes
    what has no ladder.
    """

    kind: Literal["generalise"] = "generalise"
    limits: dict[str, Share] = {}
    fallback: Literal["pseudonym", "label", "suppress"] = "pseudonym"


class Shift(Part):
    """All dates of a document moved by the same number of days, up to `days`: intervals stay, the dates are not true.
    `key` names an environment variable that holds a secret."""

    kind: Literal["shift"] = "shift"
    key: str = "MASKWISE_SHIFT_KEY"
    days: Annotated[int, Field(ge=1, le=36500)] = 365


class Encrypt(Part):
    """Pseudonyms that `maskwise restore` turns back: [PERSON 7F3A91C2]. They are kept in the `vault` of the policy."""

    kind: Literal["encrypt"] = "encrypt"


class Surrogate(Part):
    """Invented names, dates, codes and places that look real, the same for all mentions of an entity.

    They follow from the secret in the environment variable `key`, or from a `seed`, which anybody can guess. `locale`
    is one of Faker's. `fallback` writes what cannot be invented.
    """

    kind: Literal["surrogate"] = "surrogate"
    locale: Annotated[str, Field(pattern=r"^[a-z]{2,3}_[A-Z]{2}$")] = "en_GB"
    key: str = "MASKWISE_SURROGATE_KEY"
    seed: int | None = None
    fallback: Literal["pseudonym", "label", "suppress"] = "pseudonym"


Detector = Annotated[Patterns | Gazetteer | Neural | Plugin, Field(discriminator="kind")]
Linker = Annotated[Rules | Plugin, Field(discriminator="kind")]
Indicator = Annotated[
    Sequence | Probability | Span | Perturbation | Web | Emulator | Population | Reidentification | Plugin,
    Field(discriminator="kind"),
]
Combination = Annotated[KOfN | Weighted | NoisyOr, Field(discriminator="kind")]
Solver = Annotated[Thresholds | Optimal | Plugin, Field(discriminator="kind")]
Operator = Annotated[
    Suppress | Label | Pseudonym | Generalise | Shift | Surrogate | Encrypt | Plugin, Field(discriminator="kind")
]

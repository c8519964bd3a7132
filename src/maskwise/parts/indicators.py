"""Indicators of risk that a policy may name, and the indexes of background knowledge they ask."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from maskwise.parts.part import Modelled, Part, Plugin, Share, Threshold, Tuned, Weight


class Sequence(Tuned):
    """The model's probability that annotators would mask an entity. `rare` is added to the log-odds of a demographic
    attribute that fewer than one person in a thousand shares."""

    kind: Literal["sequence"] = "sequence"
    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    match: Literal["mean", "partial", "full"] = "mean"
    pool: Literal["max", "mean"] = "mean"
    direct: Threshold = 0.5
    rare: Weight = 1.1


class Probability(Modelled):
    """How hard an entity is for the language model to guess. `threshold` overrides the decider's own: a probability, or
    for `zero-shot` information in nats. `deciders` is a folder of `maskwise train risk`. With `context` the model sees
    so many pieces around what is hidden in place of whole windows: faster where few entities are asked about. If it is
    `optional`, a model without a masked-LM head has no opinion; else that is an error."""

    kind: Literal["probability"] = "probability"
    decider: Literal["boosting", "logistic", "zero-shot", "automl"] | None = None
    threshold: Weight | None = None
    deciders: str | None = None
    context: Annotated[int, Field(ge=1)] | None = None
    optional: bool = False


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


Indicator = Annotated[
    Sequence | Probability | Span | Perturbation | Web | Emulator | Population | Reidentification | Plugin,
    Field(discriminator="kind"),
]

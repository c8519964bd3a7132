"""`Sanitizer`: walks documents down the line: detect, merge, link, assess, decide, mask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from maskwise import plugins
from maskwise.detect.merge import merge
from maskwise.errors import MaskingError, MaskwiseError
from maskwise.line import BuiltLine, open_ledger, open_vault
from maskwise.lm import Reading
from maskwise.mask import Operator, render
from maskwise.plugins import Part
from maskwise.policy import Policy
from maskwise.result import Coverage, Result
from maskwise.risk.combine import CombinationRule, KOfN, combine, find_unsettled
from maskwise.text import (
    Bindable,
    Detection,
    Detector,
    Document,
    Entity,
    EntityType,
    Evidence,
    IdentifierType,
    Indicator,
    Ladder,
    Level,
    Levels,
    Linker,
    Mention,
    Person,
    Solver,
)
from maskwise.text.canvas import words

# Documents a detector sees at once: so many, or fewer that hold so many characters. The model reads one batch while
# the one before is masked, so that small batches leave it less often without work.
BATCH, CHARACTERS = 16, 16_384

Detected = tuple[list[Document], list[list[Detection]]]  # a batch, and what each detector found in it


class Sanitizer:
    """A policy, made ready to run. Making one loads nothing that its policy does not name.

    >>> Sanitizer().sanitize("Mr John Smith was born on 3 May 1971.").text
    '[PERSON 1] was born on [DATETIME 1].'
    """

    def __init__(self, policy: Policy | str = "balanced") -> None:
        self.policy = policy if isinstance(policy, Policy) else Policy.load(policy)
        vault = open_vault(self.policy.vault)
        self._line = BuiltLine(self.policy.model, self.policy.threads, vault)
        self._ledger = open_ledger(self.policy.scope, vault)
        self._detectors: list[Detector] = [self._build(part) for part in self.policy.detectors]
        self._order = [detector.name for detector in self._detectors]
        self._linker: Linker = self._build(self.policy.linker)
        self._indicators: list[Indicator] = [self._build(part) for part in self.policy.assessed]
        self._operators: Mapping[EntityType, Operator] = {
            kind: self._build(self.policy.operator_for(kind)) for kind in EntityType
        }
        self._ladders = {kind: each for kind, each in self._operators.items() if isinstance(each, Ladder)}
        self._solver: Solver = self._build(self.policy.decide)
        self._rule: CombinationRule = self._build(self.policy.combine)
        self._rules: dict[EntityType | IdentifierType, CombinationRule] = {IdentifierType.DIRECT: KOfN()}
        self._rules |= {kind: self._build(part) for kind, part in self.policy.combine_by.items()}
        self._protected = tuple(Person(name) for name in self.policy.protect)

    def _build(self, part: Part) -> Any:
        """Make a part and bind it to this line, if it asks something of it."""
        built = plugins.build_part(part.group, part.kind, self.policy.options(part))
        return built.bind(self._line) if isinstance(built, Bindable) else built

    @property
    def needs_words(self) -> bool:
        """Whether surrogates are shared by documents: then `avoid` should tell the words of all of them first."""
        return self._ledger is not None and self._line.collects_words

    def avoid(self, texts: Iterable[str]) -> None:
        """No surrogate from now on shares a word with these texts. Remembers the words, not the texts."""
        if self._ledger is not None:
            for text in texts:
                self._ledger.get_avoided_words().update(words(text))

    def levels(self, entity: Entity) -> tuple[Level, ...]:
        """The less specific ways in which the operator of an entity's type could write it."""
        ladder = self._ladders.get(entity.type)
        return ladder.levels(entity) if ladder else ()

    def entities(self, document: Document | str) -> list[Entity]:
        """What is personal in a document, before anything is decided about it: detected and linked."""
        ready = self._prepare(document)
        _, found = next(self._detect_ahead([[ready]]))
        with _hide_text("linking", ready.id):
            return self._link(ready, [detections[0] for detections in found])

    def sanitize(self, document: Document | str) -> Result:
        """Sanitise one document."""
        return next(self.run([document]))

    def run(self, documents: Iterable[Document | str]) -> Iterator[Result]:
        """Sanitise documents in order, in bounded memory; a document that cannot be masked raises `MaskingError`."""
        for batch, found in self._detect_ahead(_split_batches(map(self._prepare, documents))):
            for document, *detections in zip(batch, *found, strict=True):
                yield self._walk(document, detections)

    def _walk(self, document: Document, detections: Sequence[Detection]) -> Result:
        """Take one document from its detections to its result."""
        with _hide_text("sanitising", document.id):
            entities = self._link(document, detections)
            evidence = self._assess(document, entities)
            levels: Levels = {entity.id: self.levels(entity) for entity in entities}
            plan = self._solver.solve(document, entities, evidence, levels)
            rendering = render(document, entities, plan, self._operators, self._ledger)
            read = {name: d.read for name, d in zip(self._order, detections, strict=True)}
            return Result(document, tuple(entities), tuple(evidence), plan, rendering, Coverage(len(document), read))

    def _prepare(self, item: Document | str) -> Document:
        document = Document(item) if isinstance(item, str) else item
        return replace(document, protected=document.protected + self._protected) if self._protected else document

    def _detect_ahead(self, batches: Iterable[list[Document]]) -> Iterator[Detected]:
        """Each batch with what every detector found. Detectors that run apart read one batch ahead of the caller."""
        apart = [detector for detector in self._detectors if detector.name in self._line.apart]
        with ExitStack() as stack:
            pool = None
            if apart and self.policy.threads != 1:
                pool = stack.enter_context(ThreadPoolExecutor(len(apart)))
            last: tuple[list[Document], dict[str, Future[list[Detection]]]] | None = None
            for documents in batches:
                batch = self._share_reading(documents)
                asked = {each.name: pool.submit(_detect, each, batch) for each in apart} if pool else {}
                if last:
                    yield last[0], self._collect(*last)
                last = batch, asked
            if last:
                yield last[0], self._collect(*last)

    def _share_reading(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with one reading for all, where they have none yet: the model reads each batch once."""
        reading = Reading(states=self._line.keeps_states)
        return [each if each.reading is not None else replace(each, reading=reading) for each in documents]

    def _collect(
        self, batch: Sequence[Document], asked: Mapping[str, Future[list[Detection]]]
    ) -> list[list[Detection]]:
        """What each detector finds. Those that do not run apart run here, before anybody is waited for."""
        here = {each.name: _detect(each, batch) for each in self._detectors if each.name not in asked}
        return [here[name] if name in here else asked[name].result() for name in self._order]

    def _link(self, document: Document, detections: Sequence[Detection]) -> list[Entity]:
        mentions = merge((*_given(document), *(m for d in detections for m in d.mentions)), self._order)
        return self._linker.link(document, mentions)

    def _assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        """What the indicators say, one by one and together. A lazy policy asks some of them last, and only about
        entities whose verdict they could still change."""
        last = [each for each in self._indicators if self.policy.lazy and each.name in self._line.asked_last]
        found = [e for each in self._indicators if each not in last for e in each.assess(document, entities)]
        for at, indicator in enumerate(last):
            missing = [each.name for each in last[at:]]
            found += indicator.assess(document, find_unsettled(entities, found, missing, self._rule, self._rules))
        return combine(found, entities, self._rule, self._rules)


def _detect(detector: Detector, documents: Sequence[Document]) -> list[Detection]:
    with _hide_text(f"detector {detector.name}", documents[0].id if len(documents) == 1 else ""):
        return detector.detect(documents)


def _split_batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Documents in order, as many at a time as detectors should see."""
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document)
        if len(batch) == BATCH or characters >= CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _given(document: Document) -> Iterator[Mention]:
    """Spans that the maker of the document vouches for: `(start, end, type)` in `metadata["given"]`, always masked."""
    for start, end, kind in document.metadata.get("given", ()):
        yield document.mention(start, end, kind, subtype="direct", source="given", certain=True)


@contextmanager
def _hide_text(step: str, document: str) -> Iterator[None]:
    """Turns any failure into one that names the step and the document, and carries no text."""
    try:
        yield
    except MaskwiseError:
        raise
    except Exception as error:
        where = f" of {document!r}" if document else ""
        raise MaskingError(f"{step}{where} failed: {type(error).__name__}") from None

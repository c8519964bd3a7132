"""`Sanitizer`: walks documents down the line: detect, merge, link, assess, decide, mask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from maskwise import plugins
from maskwise.decide import OptimalSolver
from maskwise.detect.merge import merge
from maskwise.errors import MaskingError, MaskwiseError, PolicyError
from maskwise.mask import render
from maskwise.mask.identity import Ledger, Memory
from maskwise.parts import Part
from maskwise.policy import Policy
from maskwise.result import Coverage, Result
from maskwise.risk.combine import RULES, KOfN, Rule, combine, unsettled
from maskwise.text import (
    Detection,
    Detector,
    Document,
    Entity,
    EntityType,
    Evidence,
    IdentifierType,
    Indicator,
    Level,
    Levels,
    Linker,
    Mention,
    Operator,
    Person,
    Solver,
)
from maskwise.text.canvas import words

if TYPE_CHECKING:
    from maskwise.mask.vault import Vault

# Documents a detector sees at once: so many, or fewer that hold so many characters. The model reads one batch while
# the one before is masked, so that small batches leave it less often without work.
BATCH, CHARACTERS = 16, 16_384
# Detectors that hold the interpreter: they gain nothing by a thread of their own, and would starve the model's.
RULES_ONLY = ("patterns", "gazetteer")


class Sanitizer:
    """A policy, made ready to run. Making one loads nothing that its policy does not name.

    >>> Sanitizer().sanitize("Mr John Smith was born on 3 May 1971.").text
    '[PERSON 1] was born on [DATETIME 1].'
    """

    def __init__(self, policy: Policy | str = "balanced") -> None:
        self.policy = policy if isinstance(policy, Policy) else Policy.load(policy)
        self._detectors: list[Detector] = [self._build("detectors", part) for part in self.policy.detectors]
        self._order = [d.name for d in self._detectors]
        self._linker: Linker = self._build("linkers", self.policy.linker)
        self._indicators: list[Indicator] = [self._build("indicators", part) for part in self.policy.assessed]
        self._vault = self._kept()
        self._operators: Mapping[EntityType, Operator] = {
            kind: self._sealing(self.policy.operator_for(kind)) for kind in EntityType
        }
        self._ledger = self._shared()
        self._solver: Solver = self._equipped(self._build("solvers", self.policy.decide))
        self._combination = _rule(self.policy.combine)
        self._combination_by: dict[EntityType | IdentifierType, Rule] = {IdentifierType.DIRECT: KOfN()}
        self._combination_by |= {kind: _rule(part) for kind, part in self.policy.combine_by.items()}
        self._protected = tuple(Person(name) for name in self.policy.protect)

    def levels(self, entity: Entity) -> tuple[Level, ...]:
        """The less specific ways in which the operator of an entity's type could write it."""
        offer = getattr(self._operators[entity.type], "levels", None)  # `isinstance` with a protocol takes 50 µs
        return offer(entity) if offer else ()

    def _list_levels(self, entities: Sequence[Entity]) -> Levels:
        return {entity.id: self.levels(entity) for entity in entities}

    @property
    def invents(self) -> bool:
        """Whether surrogates are shared by documents, so that names of all of them are best told by `avoid` first."""
        return self._ledger is not None and any(
            self.policy.operator_for(kind).plugin == "surrogate" for kind in EntityType
        )

    def avoid(self, texts: Iterable[str]) -> None:
        """No surrogate from now on shares a word with these texts. Remembers the words, not the texts."""
        if self._ledger is not None:
            for text in texts:
                self._ledger.avoid().update(words(text))

    def _kept(self) -> Vault | None:
        place = self.policy.vault
        if place is None:
            return None
        from maskwise.mask.keys import secret
        from maskwise.mask.vault import Vault

        vault = Vault(Path(place.path), secret(place.key, Path(place.key_file) if place.key_file else None))
        vault.counts()  # a wrong key is told now, not once for each document
        return vault

    def _sealing(self, part: Part) -> Any:
        operator = self._build("operators", part)
        if part.plugin != "encrypt":
            return operator
        if self._vault is None:
            raise PolicyError("the operator 'encrypt' needs a vault: name one with --vault or in the policy")
        return replace(operator, vault=self._vault)

    def _shared(self) -> Ledger | None:
        """What numbers entities across documents, by scope; a vault is also shared by the documents of a run."""
        scope = self.policy.scope or ("vault" if self._vault else "document")
        if scope == "vault" and self._vault is None:
            raise PolicyError("scope 'vault' needs a vault: name one with --vault or in the policy")
        return None if scope == "document" else Memory() if scope == "corpus" else self._vault

    def _build(self, group: str, part: Part) -> Any:
        return plugins.build(group, part.plugin, self.policy.options(part))

    def _equipped(self, solver: Any) -> Any:
        """The optimal solver weighs information by the policy's measure."""
        if not isinstance(solver, OptimalSolver):
            return solver
        if getattr(self.policy.decide, "information", "words") == "words":
            return solver
        from maskwise.lm.content import entity_information

        measure = partial(entity_information, model=self.policy.model, threads=self.policy.threads)
        return replace(solver, information=measure)

    def entities(self, document: Document | str) -> list[Entity]:
        """What is personal in a document, before anything is decided about it: detected and linked, no more."""
        ready = self._prepare(document)
        _, answers = next(self._ahead([[ready]]))
        found = [detections[0] for detections in answers]
        with _secret("linking", ready.id):
            return self._linked(ready, found)

    def sanitize(self, document: Document | str) -> Result:
        """Sanitise one document."""
        return next(self.run([document]))

    def run(self, documents: Iterable[Document | str]) -> Iterator[Result]:
        """Sanitise documents in order, in bounded memory; a document that cannot be masked raises `MaskingError`."""
        for batch, found in self._ahead(_batches(map(self._prepare, documents))):
            for document, *detections in zip(batch, *found, strict=True):
                yield self._walk(document, detections)

    def _ahead(self, batches: Iterable[list[Document]]) -> Iterator[tuple[list[Document], list[list[Detection]]]]:
        """Batches with what is found in them. The model reads the next one while a batch is in the caller's hands."""
        with ExitStack() as stack:
            pool = None
            apart = sum(name not in RULES_ONLY for name in self._order)
            if self.policy.threads != 1 and apart:
                pool = stack.enter_context(ThreadPoolExecutor(apart))
            last: tuple[list[Document], list[Future[list[Detection]] | None]] | None = None
            for batch in batches:
                asked = [
                    pool.submit(self._detect, detector, batch) if pool and detector.name not in RULES_ONLY else None
                    for detector in self._detectors
                ]
                if last:
                    yield last[0], self._answers(*last)
                last = batch, asked
            if last:
                yield last[0], self._answers(*last)

    def _answers(
        self, batch: Sequence[Document], asked: Sequence[Future[list[Detection]] | None]
    ) -> list[list[Detection]]:
        """What each detector finds: those that nobody was asked to run are run here, before anybody is waited for."""
        mine = {at: self._detect(self._detectors[at], batch) for at, future in enumerate(asked) if future is None}
        return [mine[at] if future is None else future.result() for at, future in enumerate(asked)]

    def _prepare(self, item: Document | str) -> Document:
        document = Document(item) if isinstance(item, str) else item
        return replace(document, protected=document.protected + self._protected) if self._protected else document

    def _detect(self, detector: Detector, documents: Sequence[Document]) -> list[Detection]:
        with _secret(f"detector {detector.name}", documents[0].id if len(documents) == 1 else ""):
            return detector.detect(documents)

    def _linked(self, document: Document, detections: Sequence[Detection]) -> list[Entity]:
        mentions = merge((*_given(document), *(m for d in detections for m in d.mentions)), self._order)
        return self._linker.link(document, mentions)

    def _assessed(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        """What the indicators say, one by one and together. Where the policy is lazy, those that can be asked about
        single entities come last, and are asked only where their answer could change what all say together."""
        rules = self._combination, self._combination_by
        asked_last = [i for i in self._indicators if self.policy.lazy and getattr(i, "separable", False)]
        found = [e for i in self._indicators if i not in asked_last for e in i.assess(document, entities)]
        for at, indicator in enumerate(asked_last):
            open_ = unsettled(entities, found, [i.name for i in asked_last[at:]], *rules)
            found += indicator.assess(document, open_)
        return combine(found, entities, *rules)

    def _walk(self, document: Document, detections: Sequence[Detection]) -> Result:
        with _secret("sanitising", document.id):
            entities = self._linked(document, detections)
            evidence = self._assessed(document, entities)
            plan = self._solver.solve(document, entities, evidence, self._list_levels(entities))
            rendering = render(document, entities, plan, self._operators, self._ledger)
            read = {name: d.read for name, d in zip(self._order, detections, strict=True)}
            return Result(document, tuple(entities), tuple(evidence), plan, rendering, Coverage(len(document), read))


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
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
    """Spans that whoever made the document vouches for: `(start, end, type)` in `metadata["given"]`, always masked."""
    for start, end, kind in document.metadata.get("given", ()):
        yield document.mention(start, end, kind, subtype="direct", source="given", certain=True)


def _rule(part: Part) -> Rule:
    return RULES[part.kind](**part.options)


class _secret:  # noqa: N801 - reads as a statement
    """Turns any failure into one that names the step and the document, and carries no text."""

    def __init__(self, step: str, document: str) -> None:
        self.step, self.document = step, document

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, MaskwiseError):
            where = f" of {self.document!r}" if self.document else ""
            raise MaskingError(f"{self.step}{where} failed: {type(error).__name__}") from None

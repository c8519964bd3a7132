"""`Sanitizer`: takes documents down the line: detect, merge, link, assess, decide, mask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from maskwise import plugins
from maskwise.detect.addresses import name_streets, widen_addresses
from maskwise.detect.broken_words import complete_words
from maskwise.detect.companions import add_companions
from maskwise.detect.cutting import cut_at_edges
from maskwise.detect.disclosures import find_disclosures
from maskwise.detect.given_names import find_given_names
from maskwise.detect.joining import join_parts
from maskwise.detect.kinds import correct_types
from maskwise.detect.merge import merge_mentions
from maskwise.detect.people import clear_people
from maskwise.detect.vetoes import veto_guesses
from maskwise.detecting import Detected, DetectorGroup, hide_text, read_given
from maskwise.errors import ConfidentialError
from maskwise.line import BuiltLine, open_ledger, open_vault
from maskwise.link.candidates import add_candidates
from maskwise.link.confidential import add_disclosed, demand_masks, flag_entities
from maskwise.link.kept import mark_kept
from maskwise.link.listed import ListedTexts, mark_listed
from maskwise.mask import Operator, render_plan
from maskwise.mask.identity import Ledger
from maskwise.plugins import Part
from maskwise.policy import Policy
from maskwise.result import Coverage, Draft, Result
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
    Plan,
    Provenance,
    Solver,
)
from maskwise.text.domain import KEY as DOMAIN
from maskwise.text.domain import LEARNT, get_domain, recognise_domain
from maskwise.text.folding import fold_words
from maskwise.text.language import KEY as LANGUAGE
from maskwise.text.language import recognise_language
from maskwise.text.layout import read_layout
from maskwise.typed_rows import TypedRows

if TYPE_CHECKING:
    from maskwise.crowd.crowd import Crowd
    from maskwise.crowd.measured import CrowdRisk
    from maskwise.settings import CrowdSettings
    from maskwise.watching import CrowdWatch


class Sanitizer:
    """A policy, ready to run. It loads only what its policy names. `crowd` takes the place of the policy's crowd.

    >>> Sanitizer().sanitize("Mr John Smith was born on 3 May 1971.").text
    '[PERSON 1] was born on [DATETIME 1].'
    """

    def __init__(self, policy: Policy | str = "balanced", crowd: Crowd | None = None) -> None:
        self.policy = policy if isinstance(policy, Policy) else Policy.load(policy)
        vault = open_vault(self.policy.vault)
        self._line = BuiltLine(self.policy.model, self.policy.threads, vault)
        self._ledger = open_ledger(self.policy.scope, vault)
        detectors: list[Detector] = [self._build(part) for part in self.policy.detectors]
        self._detectors = DetectorGroup(detectors, self._line, self.policy.threads)
        self._linker: Linker = self._build(self.policy.linker)
        self._indicators: list[Indicator] = [self._build(part) for part in self.policy.assessed]
        self._operators: Mapping[EntityType, Operator] = {
            kind: self._build(self.policy.find_operator(kind)) for kind in EntityType
        }
        self._ladders = {
            kind: each for kind, each in self._operators.items() if isinstance(each, Ladder)
        }
        self._solver: Solver = self._build(self.policy.decide)
        self._rule: CombinationRule = self._build(self.policy.combine)
        self._rules: dict[EntityType | IdentifierType, CombinationRule] = {
            IdentifierType.DIRECT: KOfN()
        }
        self._rules |= {kind: self._build(part) for kind, part in self.policy.combine_by.items()}
        self._watch = _watch_crowd(self.policy.crowd, crowd) if self.policy.crowd else None
        self._protected = tuple(Person(name) for name in self.policy.protect)
        self._typed_rows = TypedRows(self._solver)
        self._listed = ListedTexts(self.policy.listed)
        self._kept = ListedTexts(self.policy.kept)

    def _build(self, part: Part) -> Any:
        """Build a part, and bind it to this line if it can be bound."""
        built = plugins.build_part(part.group, part.kind, self.policy.collect_options(part))
        return built.bind(self._line) if isinstance(built, Bindable) else built

    @property
    def needs_words(self) -> bool:
        """Whether documents share surrogates. If so, call `avoid` with all texts first."""
        return self._ledger is not None and self._line.collects_words

    @property
    def collects_words(self) -> bool:
        """Whether some operator has to know the words that its replacements must not use."""
        return self._line.collects_words

    @property
    def unseen(self) -> tuple[str, ...]:
        """The texts of `must_mask` and `must_keep` that masked or kept nothing in any document so far."""
        return (*self._listed.unseen, *self._kept.unseen)

    def avoid(self, texts: Iterable[str]) -> None:
        """Keep the words of these texts out of all later surrogates. Remembers the words, not the texts."""
        if self._ledger is not None:
            for text in texts:
                self._ledger.get_avoided_words().update(fold_words(text))

    @contextmanager
    def number_together(self, ledger: Ledger) -> Iterator[None]:
        """Within this block documents share their numbers. A policy that shares them anyway keeps its own ledger."""
        before = self._ledger
        self._ledger = before or ledger
        try:
            yield
        finally:
            self._ledger = before

    def levels(self, entity: Entity) -> tuple[Level, ...]:
        """The less specific forms in which the operator of its type can write an entity."""
        ladder = self._ladders.get(entity.type)
        return ladder.levels(entity) if ladder else ()

    @property
    def solver(self) -> Solver:
        return self._solver

    @property
    def operators(self) -> Mapping[EntityType, Operator]:
        return self._operators

    @property
    def ledger(self) -> Ledger | None:
        """The ledger that numbers entities across documents; None where each document has its own numbers."""
        return self._ledger

    @property
    def watch(self) -> CrowdWatch | None:
        """The crowd of the policy."""
        return self._watch

    def entities(self, document: Document | str) -> list[Entity]:
        """The entities of a document, detected and linked, before any decision."""
        found = self._detect_one(document)
        with hide_text("linking", found.document.id):
            return self._link(found.document, found.detections)

    def draft(self, document: Document | str) -> Draft:
        """The findings in a document and the evidence about them, before any decision."""
        found = self._detect_one(document)
        ready = found.document
        with hide_text("sanitising", ready.id):
            entities = self._link(ready, found.detections)
            evidence = self._assess(ready, entities)
            read = self._detectors.count_read(found.detections)
        return Draft(ready, tuple(entities), tuple(evidence), read)

    def _detect_one(self, document: Document | str) -> Detected:
        """The prepared document and what each detector finds in it."""
        return next(self._detectors.detect([self.prepare(document)]))

    def sanitize(self, document: Document | str) -> Result:
        """Sanitise one document."""
        return next(self.run([document]))

    def run(
        self, documents: Iterable[Document | str], ledger: Ledger | None = None
    ) -> Iterator[Result]:
        """Sanitise documents in order, in bounded memory; a document that cannot be masked raises `MaskingError`.

        A `ledger` numbers the entities of these documents together where the policy's scope is the document.
        """
        for found in self._detectors.detect(map(self.prepare, documents)):
            yield self._finish(found.document, found.detections, self._ledger or ledger)

    def _finish(
        self, document: Document, detections: Sequence[Detection], ledger: Ledger | None
    ) -> Result:
        """Take one document from its detections to its result."""
        with hide_text("sanitising", document.id):
            if document.metadata.get("typed") and self._is_plain and not document.protected:
                return self._finish_typed(document, ledger)
            entities = self._link(document, detections)
            evidence = self._assess(document, entities)
            levels: Levels = {entity.id: self.levels(entity) for entity in entities}
            plan, found, risk = self._decide(document, entities, evidence, levels)
            evidence += found
            rendering = render_plan(document, entities, plan, self._operators, ledger)
            read = self._detectors.count_read(detections)
            if document.metadata.get("typed"):
                read = {"columns": len(document)}
            coverage = Coverage(len(document), read)
            if risk is not None:
                risk = risk.name_people(rendering.replacements)
            return Result(
                document, tuple(entities), tuple(evidence), plan, rendering, coverage, risk
            )

    @property
    def _is_plain(self) -> bool:
        """Whether types alone decide: no text is listed, no indicator measures, and no mask depends on the value."""
        return not (self._listed or self._kept or self._ladders or self._watch)

    def _finish_typed(self, document: Document, ledger: Ledger | None) -> Result:
        """Take a row whose columns tell everything to its result."""
        mentions = sorted(read_given(document), key=lambda mention: mention.start)
        entities, plan = self._typed_rows.plan(document, mentions)
        rendering = render_plan(document, entities, plan, self._operators, ledger)
        coverage = Coverage(len(document), {"columns": len(document)})
        return Result(document, tuple(entities), (), plan, rendering, coverage)

    def _decide(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels,
    ) -> tuple[Plan, tuple[Evidence, ...], CrowdRisk | None]:
        """The plan, what a crowd adds to the evidence, and the risk that was measured there."""
        if self._watch is None:
            return self._solver.solve(document, entities, evidence, levels), (), None

        def solve(found: Sequence[Evidence], levels: Levels) -> Plan:
            return self._solver.solve(document, entities, [*evidence, *found], levels)

        watched = self._watch.watch(document, entities, levels, solve)
        return watched.plan, watched.evidence, watched.risk

    def prepare(self, item: Document | str) -> Document:
        """The document with whom the policy protects and the kind and language of its text."""
        document = Document(item) if isinstance(item, str) else item
        domain = self.policy.domain or get_domain(document) or recognise_domain(document.text)
        return replace(
            document,
            protected=document.protected + self._protected,
            metadata={
                **document.metadata,
                DOMAIN: domain,
                LANGUAGE: recognise_language(document.text),
            },
        )

    def _link(self, document: Document, detections: Sequence[Detection]) -> list[Entity]:
        found = list(read_given(document))
        hints: list[Mention] = []
        for detection in detections:
            found += detection.mentions
            hints += detection.hints
        # Phrases come last, because further occurrences of names, which the linker finds, win overlaps too.
        phrases = [mention for mention in found if mention.source == Provenance.PHRASES]
        others = [mention for mention in found if mention.source != Provenance.PHRASES]
        mentions = self._settle(document, others, hints)
        entities = self._linker.link(document, mentions)
        entities = mark_listed(document, entities, self._listed.find(document.text))
        entities = self._mark_confidential(document, entities)
        entities = mark_kept(document, entities, self._kept) if self._kept else entities
        return add_candidates(entities, phrases) if phrases else entities

    def _settle(
        self, document: Document, found: Sequence[Mention], hints: Sequence[Mention]
    ) -> list[Mention]:
        """The mentions of all detectors without overlaps, retyped, joined and cut by the words around them."""
        layout = read_layout(document.text)
        mentions = widen_addresses(veto_guesses(document, found, layout))
        if Provenance.GAZETTEER in self._detectors.names:
            mentions += find_given_names(document, mentions)
        if get_domain(document) not in LEARNT:
            mentions = clear_people(mentions)
        mentions = merge_mentions(mentions, self._detectors.names, hints, self._line.is_spared)
        mentions = join_parts(document, correct_types(document, mentions))
        mentions = add_companions(document, name_streets(document, mentions))
        return complete_words(document, cut_at_edges(mentions, layout))

    def _mark_confidential(self, document: Document, entities: list[Entity]) -> list[Entity]:
        """Flag what tells a special category. What the policy refuses stops the document."""
        named = [mention for entity in entities for mention in entity.mentions]
        disclosures = find_disclosures(document, named)
        actions = self.policy.confidential
        refused = Counter(d.category for d in disclosures if actions.get(d.category) == "refuse")
        if refused:
            counts = ", ".join(
                f"{count} of {category}" for category, count in sorted(refused.items())
            )
            raise ConfidentialError(
                f"{document.id or 'the document'} tells what the policy refuses: {counts}"
            )
        flagged, left = flag_entities(entities, disclosures)
        asked = [one for one in left if actions.get(one.category) == "mask"]
        return add_disclosed(document, flagged, asked) if asked else flagged

    def _assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        """The evidence of all indicators, and their combined verdicts. Indicators are not asked about candidates.

        A lazy policy asks some indicators last, and only about entities whose verdict they can still change.
        """
        entities = [entity for entity in entities if not entity.is_candidate]
        if document.metadata.get("typed"):
            return []
        asked_last = self._line.asked_last if self.policy.lazy else set()
        last = [each for each in self._indicators if each.name in asked_last]
        found: list[Evidence] = []
        for indicator in self._indicators:
            if indicator.name not in asked_last:
                found += indicator.assess(document, entities)
        for at, indicator in enumerate(last):
            missing = [each.name for each in last[at:]]
            open_entities = find_unsettled(entities, found, missing, self._rule, self._rules)
            found += indicator.assess(document, open_entities)
        found = combine(found, entities, self._rule, self._rules)
        masked = [key for key, action in self.policy.confidential.items() if action == "mask"]
        return [*found, *demand_masks(entities, masked)] if masked else found


def _watch_crowd(settings: CrowdSettings, crowd: Crowd | None) -> CrowdWatch:
    """Measures people in a crowd. Imported on use: most policies have no crowd."""
    from maskwise.watching import CrowdWatch

    return CrowdWatch(settings, crowd)

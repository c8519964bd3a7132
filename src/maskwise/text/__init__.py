"""Documents, mentions, entities and the other words all rooms share. Imports nothing of ours but `errors`."""

from maskwise.text.document import Document
from maskwise.text.entity import Entity
from maskwise.text.evidence import Evidence
from maskwise.text.mention import Mention
from maskwise.text.person import Person
from maskwise.text.plan import Action, Decision, Override, Plan
from maskwise.text.protocols import (
    Bindable,
    Detection,
    Detector,
    Indicator,
    Ladder,
    Level,
    Levels,
    Line,
    Linker,
    Reviewable,
    SearchIndex,
    Solver,
)
from maskwise.text.types import EntityType, IdentifierType, Provenance

__all__ = [
    "Action",
    "Bindable",
    "Decision",
    "Detection",
    "Detector",
    "Document",
    "Entity",
    "EntityType",
    "Evidence",
    "IdentifierType",
    "Indicator",
    "Ladder",
    "Level",
    "Levels",
    "Line",
    "Linker",
    "Mention",
    "Override",
    "Person",
    "Plan",
    "Provenance",
    "Reviewable",
    "SearchIndex",
    "Solver",
]

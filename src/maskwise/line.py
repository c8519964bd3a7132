"""The state that the parts of a line share: the vault, the ledger of identities, and the requests of bound parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from maskwise.errors import PolicyError
from maskwise.lm import Reading
from maskwise.mask.identity import Ledger, MemoryLedger
from maskwise.settings import Scope
from maskwise.settings import VaultSettings as VaultSetting
from maskwise.text import Document, Entity, EntityType

if TYPE_CHECKING:
    from maskwise.mask.shared_vault import AnyVault

SCOPE_KEY = "MASKWISE_SCOPE_KEY"  # the environment variable with the secret of the scope `keyed`


@dataclass
class BuiltLine:
    """The line that parts are bound to (`maskwise.text.Line`). It notes what they ask for."""

    model: str
    threads: int | None
    vault: AnyVault | None = None
    apart: set[str] = field(default_factory=set)
    asked_last: set[str] = field(default_factory=set)
    keeps_states: bool = False
    collects_words: bool = False
    is_spared: Callable[[EntityType, str], bool] | None = None

    def run_apart(self, detector: str) -> None:
        self.apart.add(detector)

    def ask_last(self, indicator: str) -> None:
        self.asked_last.add(indicator)

    def keep_states(self) -> None:
        self.keeps_states = True

    def collect_words(self) -> None:
        self.collects_words = True

    def spare(self, is_spared: Callable[[EntityType, str], bool]) -> None:
        self.is_spared = is_spared

    def find_checks(self, subtypes: frozenset[str]) -> Sequence[Callable[[str], bool]]:
        from maskwise.detect.patterns import list_families

        rules = [rule for family in list_families() for rule in family.rules]
        return [rule.check for rule in rules if rule.check and rule.name in subtypes]

    def measure_information(
        self, document: Document, entities: Sequence[Entity]
    ) -> Mapping[str, float]:
        from maskwise.lm.model import measure_information

        spans = tuple((e.id, tuple(m.span for m in e.mentions)) for e in entities)

        def measure() -> Mapping[str, float]:
            return measure_information(document, entities, self.model, self.threads)

        # A plan that is solved again asks again: the language model answers once.
        return Reading.find(document).remember(
            document, ("information", self.model, spans), measure
        )


def open_vault(setting: VaultSetting | None) -> AnyVault | None:
    """Open the vault that the policy names. A wrong key is an error now, not once per document."""
    if setting is None:
        return None
    from maskwise.mask.keys import read_secret
    from maskwise.mask.shared_vault import open_any_vault

    key_file = Path(setting.key_file) if setting.key_file else None
    secret = read_secret(setting.key, key_file)
    vault = open_any_vault(setting.path, secret)
    vault.count_entities()
    return vault


def open_ledger(scope: Scope | None, vault: AnyVault | None) -> Ledger | None:
    """Open what numbers entities across documents; None if each document numbers its own."""
    chosen = scope or ("vault" if vault else "document")
    if chosen == "vault" and vault is None:
        raise PolicyError("scope 'vault' needs a vault: name one with --vault or in the policy")
    if chosen == "document":
        return None
    if chosen == "keyed":
        from maskwise.mask.keyed import KeyedLedger
        from maskwise.mask.keys import read_secret

        return KeyedLedger(read_secret(SCOPE_KEY))
    return MemoryLedger() if chosen == "corpus" else vault

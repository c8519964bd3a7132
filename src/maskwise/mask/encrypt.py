"""`Encrypt`: pseudonyms that a vault can turn back into the text they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from maskwise.errors import MaskingError, PolicyError
from maskwise.mask.alignment import Alignment, apply_replacements
from maskwise.mask.identity import Identity
from maskwise.mask.operators import Replacement
from maskwise.mask.shared_vault import AnyVault
from maskwise.mask.token import TOKEN
from maskwise.text import Decision, Entity, EntityType, Line


@dataclass(frozen=True)
class Encrypt:
    """Writes one token per wording of an entity: [PERSON 7F3A91C2], [PERSON 7F3A91C2.2]. Needs the policy's `vault`."""

    _vault: AnyVault | None = field(default=None, repr=False)

    def bind(self, line: Line) -> Encrypt:
        if line.vault is None:
            raise PolicyError(
                "the operator 'encrypt' needs a vault: name one with --vault or in the policy"
            )
        return Encrypt(line.vault)

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        if self._vault is None:
            raise PolicyError(
                "the operator 'encrypt' needs a vault: name one with --vault or in the policy"
            )
        document = entity.first.document
        if TOKEN.search(document.text):
            raise MaskingError(
                f"document {document.id!r} already holds tokens of a vault; restore it first"
            )
        texts = tuple(mention.text for mention in entity.mentions)
        return Replacement(self._vault.write_tokens(entity.type, identity.keys, texts))


@dataclass(frozen=True)
class Restored:
    """The text with its tokens turned back, and how many are of another vault."""

    text: str = field(repr=False)
    alignment: Alignment = field(repr=False)
    tokens: int
    unknown: int


def restore_tokens(text: str, vault: AnyVault) -> Restored:
    """Turn every token of the vault back into what it stands for."""
    known = []
    unknown = 0
    for token in TOKEN.finditer(text):
        original = vault.find_original(EntityType(token[1]), token[2], int(token[3] or 1))
        if original is None:
            unknown += 1
        else:
            known.append((token.start(), token.end(), original))
    whole, alignment = apply_replacements(text, known, apart=False)
    return Restored(whole, alignment, len(known), unknown)

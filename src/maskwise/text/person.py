"""The person to protect, and the ways their name may be written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

HONORIFICS = frozenset(
    "mr mrs ms miss mx dr prof professor sir dame lord lady judge justice rev reverend father fr sister "
    "captain capt colonel col major maj general gen lieutenant lt sergeant sgt president mme mlle m herr frau".split()
)
# Small words inside a surname: "van der Berg", "de la Cruz", "al-Masri". Never a variant on their own.
PARTICLES = frozenset("van von der den de del della di da dos das du la le el al bin ibn ben abu ter ten af av zu zur y e".split())

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?", re.UNICODE)


@dataclass(frozen=True)
class Person:
    """Someone whose identity must not be found out: a full name and any known aliases."""

    name: str
    aliases: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Words of the name without honorifics: ("Ana", "Maria", "de", "Souza")."""
        words = [w for w in _WORD.findall(self.name) if w.rstrip(".").casefold() not in HONORIFICS]
        return tuple(words)

    @cached_property
    def surname(self) -> str:
        """Last part with its particles: "de Souza"."""
        parts = self.parts
        if not parts:
            return self.name.strip()
        start = len(parts) - 1
        while start > 1 and parts[start - 1].casefold() in PARTICLES:
            start -= 1
        return " ".join(parts[start:])

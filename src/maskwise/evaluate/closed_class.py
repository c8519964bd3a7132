"""Words that need no mask of their own inside an identifier: articles, prepositions, conjunctions, particles, titles.

The reference evaluation of TAB finds them with a part-of-speech tagger. A table of closed-class words needs no model
and gives the same answer for a word that has one part of speech. Words such as "near", "since" or "but" can have more
than one: here they are always ignored.
"""

from __future__ import annotations

from maskwise.text.english import CONJUNCTIONS, DETERMINERS, PREPOSITIONS

PARTICLES = "'s ’s s not n't".split()
TITLES = "mr mrs ms no nr about nos".split()

IGNORED_WORDS = frozenset((*DETERMINERS, *PREPOSITIONS, *CONJUNCTIONS, *PARTICLES, *TITLES))
IGNORED_CHARACTERS = " ,.-;:/&()[]–—'\"’“”‘\t\n\r\u00a0"

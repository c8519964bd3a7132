"""Words that need no mask of their own inside an identifier: articles, prepositions, conjunctions, particles, titles.

The reference evaluation of TAB finds them with a part-of-speech tagger; a table of closed-class words needs no model
and gives the same answer wherever a word has one part of speech. It differs for words such as "near", "since" or "but"
that can be more than one: here they are always ignored.
"""

from __future__ import annotations

DETERMINERS = "a an the this that these those each every either neither some any no all both half another such".split()
PREPOSITIONS = (
    "aboard about above across after against along amid among around as at before behind below beneath beside besides "
    "between beyond by concerning despite down during except for from in inside into like near of off on onto out "
    "outside over past per regarding since through throughout to toward towards under underneath until unto up upon "
    "via with within without than upon amongst till versus v vs"
).split()
CONJUNCTIONS = "and or but nor & plus".split()
PARTICLES = "'s ’s s not n't".split()
TITLES = "mr mrs ms no nr about nos".split()

IGNORED_WORDS = frozenset((*DETERMINERS, *PREPOSITIONS, *CONJUNCTIONS, *PARTICLES, *TITLES))
IGNORED_CHARACTERS = " ,.-;:/&()[]–—'\"’“”‘\t\n\r\u00a0"

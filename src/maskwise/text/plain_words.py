"""English words so common that they tell nothing about anyone: stop words, words of the closed classes, and a list.

The list holds general verbs, nouns, adjectives and adverbs. It has no word for a trade, a belief, an illness, a crime
or a pastime, however common, because those do tell something. Inflected forms are derived.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from maskwise.text.english import CONJUNCTIONS, DETERMINERS, PREPOSITIONS, STOP_WORDS
from maskwise.text.folding import fold_word

# Each of these begins a noun phrase.
ARTICLES = (DETERMINERS - {"half"}) | frozenset(
    "my your his her its our their whose which what several many few much more most less least own".split()
)
SUBJECTS = frozenset("i he she it we they you who".split())
PRONOUNS = SUBJECTS | frozenset(
    """
    me him us them mine yours hers ours theirs myself yourself himself herself itself ourselves themselves whom
    someone somebody something anyone anybody anything everyone everybody everything nobody nothing none one ones
    another oneself there here
    """.split()
)
MODALS = frozenset(
    "will would shall should can could may might must ought do does did cannot".split()
)
COPULAS = frozenset(
    "be am is are was were been being become becomes became becoming remain remains remained".split()
)
AUXILIARIES = MODALS | COPULAS | frozenset("have has had having get got gets getting".split())
LINKS = CONJUNCTIONS | frozenset(
    "if because while although though unless whereas whether that when where why how as so then yet once till".split()
)
NEGATIONS = frozenset("not no never neither nor".split())

_REGULAR_VERBS = """
accept account achieve act add affect agree aim allow announce answer appear apply approach argue arrange arrive ask
assume attempt attend avoid base believe belong call care carry cause change check claim close collect complete concern
confirm consider contact contain continue cover create decide demand depend describe develop die differ discover discuss
end enjoy ensure enter establish exist expect explain express face fail fill finish follow force form gain handle happen
help hope identify improve include increase indicate intend introduce involve join last like limit link list live look
maintain manage mark matter mention mind miss move name need note notice obtain occur offer open operate order pass pick
place play point prefer prepare present prevent prove provide pull push reach realise realize receive recognise
recognize record reduce refer regard relate release remain remember remove repeat replace reply report represent require
respond rest result return reveal save seem separate serve share show sort start state stay stop study succeed suggest
support suppose talk tend thank treat try turn use visit wait walk want warn watch wish wonder work plan
""".split()
_DOUBLED = frozenset("stop plan refer occur prefer".split())
_IRREGULAR_VERBS = """
go goes going went gone come comes coming came take takes taking took taken make makes making made give gives giving
gave given say says saying said see sees seeing saw seen know knows knowing knew known think thinks thinking thought
find finds finding found tell tells telling told leave leaves leaving left feel feels feeling felt put puts putting
bring brings bringing brought begin begins beginning began begun keep keeps keeping kept hold holds holding held write
writes writing wrote written stand stands standing stood hear hears hearing heard let lets letting mean means meaning
meant set sets setting meet meets meeting met run runs running ran pay pays paying paid sit sits sitting sat speak
speaks speaking spoke spoken lie lies lying lay lain lead leads leading led read reads reading grow grows growing grew
grown lose loses losing lost fall falls falling fell fallen send sends sending sent build builds building built
understand understands understanding understood spend spends spending spent cut cuts cutting rise rises rising rose
risen choose chooses choosing chose chosen win wins winning won buy buys buying bought deal deals dealing dealt cost
costs learn learns learning learned learnt bear bears born done doing seek seeks seeking sought shown
""".split()
_NOUNS = """
time year day week month hour minute moment morning afternoon evening night date period age century decade past future
beginning start end person man woman child boy girl family mother father parent son daughter brother sister husband wife
friend name word letter line page place area home house room door side part piece half country city town village county
state region world way thing kind sort type form case fact point matter question answer problem issue reason cause
result effect example idea view opinion sense use need change number amount total level rate range group set list order
series job company service hand head eye face voice information copy action activity decision project process
position situation condition interest attention support help chance choice life death meeting call thank member team
lot bit couple majority rest difference purpose step stage top bottom middle centre center front back left right
event system subject detail document section address difficulty experience success practice relation record report visit
note study work plan offer claim talk walk play attempt limit mark link cover release reply share show turn watch wish
account act mention return thought
""".split()
_PLURALS = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "life": "lives",
    "wife": "wives",
    "half": "halves",
    "person": "people",
    "series": "series",
    "information": "information",
    "process": "processes",
    "address": "addresses",
    "watch": "watches",
    "wish": "wishes",
}
_ADJECTIVES = """
good better best bad worse worst new newer old older young younger long longer short shorter big bigger small smaller
large larger little great greater high higher low lower early late latter recent same different other able
available common certain clear close complete current direct due easy easier hard harder difficult entire equal exact
extra fine following former free full further general important individual likely local main major minor necessary next
nice normal obvious open ordinary original particular past possible present previous proper quick ready real regular
related relevant right second third several similar simple single special specific strong stronger successful such sure
true typical usual various well whole wide wider wrong worth first last final first-hand so-called well-known unable
unlikely impossible unclear non
""".split()
_ADVERBS = """
abroad again ago ahead almost alone along already altogether always anyway apart aside away back badly basically
briefly certainly clearly closely completely constantly currently daily deeply definitely directly earlier easily
effectively else elsewhere enough entirely especially essentially eventually exactly extremely fairly far finally
firmly firstly forward frequently fully generally gradually greatly hardly heavily hence highly hopefully immediately
increasingly indeed initially instead largely lately later likewise mainly maybe meanwhile merely moreover mostly
namely naturally nearly necessarily newly nevertheless nonetheless normally nowadays now obviously occasionally often
otherwise overall partially particularly partly perhaps please possibly precisely presently previously primarily
probably promptly properly purely quickly quite rarely rather readily really reasonably recently regularly relatively
repeatedly respectively roughly secondly seldom separately seriously shortly significantly similarly simply
simultaneously slightly slowly solely sometimes somewhat soon specifically strongly subsequently substantially
successfully suddenly sufficiently surely therefore thereafter thereby thoroughly thus today together tomorrow tonight
totally truly twice typically ultimately unfortunately usually virtually wholly widely yesterday yes ok okay hello hi
dear sincerely regards mr mrs ms etc
""".split()

_CLITIC = re.compile(r"(?:n't|'(?:s|d|ll|re|ve|m))\Z")


def _inflect_verb(verb: str) -> Iterable[str]:
    """Yields the forms of a regular verb."""
    yield verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        yield from (verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing")
        return
    yield verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")
    stem = verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")
    yield stem + "ed"
    if verb.endswith("ee"):
        yield verb + "ing"
    else:
        yield verb[:-2] + "ying" if verb.endswith("ie") else stem + "ing"


def _make_plural(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


CLOSED = frozenset((*ARTICLES, *PREPOSITIONS, *LINKS, *PRONOUNS, *AUXILIARIES, *NEGATIONS))
PLAIN_VERBS = frozenset(
    (*_IRREGULAR_VERBS, *(form for verb in _REGULAR_VERBS for form in _inflect_verb(verb)))
)
PLAIN_ADVERBS = frozenset(_ADVERBS)
PLAIN_NOUNS = frozenset((*_NOUNS, *map(_make_plural, _NOUNS)))
PLAIN_ADJECTIVES = frozenset(_ADJECTIVES)
COMMON_WORDS = PLAIN_VERBS | PLAIN_NOUNS | PLAIN_ADJECTIVES | PLAIN_ADVERBS
PLAIN_WORDS = STOP_WORDS | CLOSED | COMMON_WORDS


@lru_cache(maxsize=1 << 16)
def split_clitic(word: str) -> tuple[str, str]:
    """A word, folded, and what a contraction or the genitive adds to it.

    >>> split_clitic("Wasn’t"), split_clitic("brother's"), split_clitic("can't")
    (('was', "n't"), ('brother', "'s"), ('can', "n't"))
    """
    folded = fold_word(word)
    found = _CLITIC.search(folded)
    if found is None or not found.start():
        return folded, ""
    base = {"ca": "can", "wo": "will", "sha": "shall"}.get(folded[: found.start()])
    return base or folded[: found.start()], found.group()


def is_plain(word: str) -> bool:
    """Whether a word of a text tells nothing about anyone.

    >>> [word for word in "She wasn't the county's bodybuilder".split() if not is_plain(word)]
    ['bodybuilder']
    """
    return split_clitic(word)[0] in PLAIN_WORDS

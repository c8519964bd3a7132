"""Phrases: what the detector offers in letters, judgments, notes, chats and biographies, and what it never does."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.detect.phrases import MOST, PhraseDetector, find_phrases
from maskwise.text import Detector, Document, EntityType, Provenance
from maskwise.text.english import STOP_WORDS
from maskwise.text.plain_words import is_plain, split_clitic
from maskwise.text.tokens import WORD, find_sentences

# Ordinary phrases stand in square brackets, those that say what few can say in pointed ones.
SENTENCES = """
She was <one of two women who held that licence in the county>.
He was the <first man to swim the strait in winter>.
[Arnold] served as the <38th Governor of California> and was a [champion bodybuilder].
The <youngest of five children>, she grew up on a [salmon farm].
A [street] in the [harbour] is <named after him>.
He [underwent] [open heart surgery] and later took up the [bass guitar].
They [emigrated] in the [spring], and [two] of them [drowned].
My [brother's widow] still runs the <county's oldest pharmacy>.
The [applicant] was [convicted] of [aggravated burglary] and [sentenced] to [eight months' imprisonment].
The [patient] reports [intermittent chest pain radiating] to the [left arm].
[lol yeah] she's the <only vet in the valley who treats llamas>
I have [three sons] and <one daughter>, and my wife [breeds] [alpacas].
She [reluctantly resigned] as <treasurer of the village choir>.
He was the <last surviving member of the lifeboat crew>.
Her father was a <keeper of the lighthouse> on the [northern island].
He finished <second in the regional chess championship>.
The first time we met he was [wearing] a [kilt].
At first he said nothing. Then he [wept].
She is the <most decorated sailor in the history of the regatta>.
<One of the few dentists in town who speaks Basque>.
Dear [Dr Vale], thank you for referring this [retired blacksmith] with [worsening tremor].
He's been [farming] [oysters] since the [storm]; before that he'd been [teaching] [geography].
The company [dismissed] him because he had [refused] to [repaint] the [chapel].
The [claimant], a [former trapeze artist], [alleges] that the [circus] [withheld] her [wages] for [two seasons].
On [appeal] the [court] [quashed] the [conviction] and ordered a [retrial] before a [differently constituted jury].
The [defendant] had [four previous convictions] for [poaching] and was the <only gamekeeper on the estate>.
<Mother of six>, she was the <first woman in the parish to be ordained>.
The [applicant's brother], a [deserter], was [shot] while [crossing] the [border].
He [complained] that the [prison governor] had opened his [correspondence] with his [lawyer].
[72-year-old man] with [poorly controlled diabetes], [bilateral cataracts] and a [below-knee amputation].
She lives alone with [two whippets] and takes [warfarin] for a [mechanical valve].
[Pt]. is a [beekeeper], [non-smoker], [allergic] to [penicillin]; mother died of [ovarian cancer].
[Underwent] [hip replacement] in the [spring]; [wound] [healed] well.
[omg] did you see her? the <only girl on the welding course> and she [topped] the [class]
my [landlord]'s got a [glass eye] and he plays the [bagpipes] at [3am]
we're moving back [cos dad's vineyard] [flooded] again
I [resigned] from the [choir] after the [scandal] with the [organist].
Known for her [puppet theatre], she [translated] [fairy tales] into [Faroese].
He held the [national record] in [pole vaulting] for [eleven years] and never [married].
After the [earthquake] the family [fled] across the [mountains] with a [single mule].
Her <third novel>, a [satire] of [village politics], was [banned] and [pulped].
He is the <second-youngest grandmaster ever to win the title>.
A [plaque] in the [school hall] <bears her name>, and the [bridge] is <named after her>.
She became the <last woman in the valley to weave tartan> by hand.
He [taught] [Latin], kept [bees], and was twice [elected] <mayor of the town>.
He was [knighted] for services to [lifeboats] and [buried] at [sea].
They have <no children> but [adopted] a [deaf girl] from the [orphanage].
The [twins] were born in a [lighthouse] during a [blizzard].
She is <one of only three certified falconers in the province> and the <author of a cookbook>.
The <only surviving son of a clockmaker>, he lost [two fingers] in a [sawmill].
<One of the first women to command a minesweeper>, she later [drove] a [snowplough].
I am the <only woman who ever piloted the night ferry> there.
He was the <youngest mayor the town ever had>.
She was the <first ever female bishop of Larkby>.
As <headmistress of the girls' school> she [abolished] [caning].
His [left-handed sister-in-law] runs the [ferry kiosk].
Her husband [drives] the [night train] and [restores harmoniums].
I never told anyone that I had been [expelled] from the [seminary].
The [tenant] keeps [three goats] on the [balcony], [contrary] to the [lease].
He was [acquitted] of [arson] but [convicted] of [perjury].
The [witness], a [taxidermist], identified the [stolen otter].
The [judge] who [presided] over the <first trial> has since [retired].
She [inherited] the <largest orchard in the district> from her [godmother].
The boy was found [hiding] in the [organ loft].
He had worked as a [ventriloquist] before the [injunction].
No known [allergies]. [Vegetarian]. [Swims competitively].
[Fractured] [left wrist] after falling from a [unicycle].
<Second admission> this year with [pancreatitis].
The [patient's twin sister] had the [same rare mutation].
He plays [wheelchair basketball] and [coaches] the [juniors].
[im] the <tallest in my year> and i [hate] it
she [quit] [uni] to join a [convent lol]
He was born the <seventh son of a ferryman>.
The <composer of two operas>, he died in [poverty].
She remained <president of the angling club> until her death.
Their <eldest daughter> became an [astronaut].
He was the <first in his family to attend university>.
The <village's only midwife> [delivered] all [nine] of them.
He [invented] a [folding canoe] and [patented] it.
She has been [blind] since [birth].
His [widow] [sold] the [brewery] to the [monks].
He won the [lottery] twice.
The [theft] took place at night in the [vestry].
[Elected] at [nineteen], she was the <youngest councillor in the country>.
He was a <pillar of the chess club>.
We can't come: the [mare] is [foaling].
""".strip().splitlines()

# A phrase neither begins nor ends with one of these, expressions such as "named after him" aside.
SMALL = frozenset(
    """
    a an the this these those my your his her its our their i he she it we they you who whom him them me us of in on at
    to from by with for about under over and or but if because while be am is are was were been being have has had do
    does did will would shall should can could may might must not
    """.split()
)
EXPRESSION = re.compile("named (?:after|for) |(?:bear|bore|carr).* name$|no ", re.IGNORECASE)
VOCABULARY = """
    a an the of in to who that and was is had she he her his not only first last one two few most never it's didn't
    woman man county year work came held reports brother's county's salmon surgery bodybuilder drowned emigrated oldest
    38th 12 quietly farming retired keeper licence Oslo Main farmers' named after him no children x-ray o'clock Pt
""".split()
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.tuples(
            st.sampled_from(VOCABULARY),
            st.sampled_from([*[" "] * 12, ". ", ", ", "\n", "  ", "\t", " (", ") ", " | ", "’ "]),
        ),
        max_size=40,
    ).map(lambda pairs: "".join(word + gap for word, gap in pairs)),
)


def mark(text: str) -> str:
    """The text with its phrases in brackets."""
    parts: list[str] = []
    cursor = 0
    for start, end, subtype, _ in find_phrases(text):
        left, right = "<>" if subtype == "telling" else "[]"
        parts += (text[cursor:start], left, text[start:end], right)
        cursor = end
    return "".join((*parts, text[cursor:]))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_is_offered(sentence: str) -> None:
    assert mark(re.sub(r"[\[\]<>]", "", sentence)) == sentence


def test_mentions_are_candidates_of_one_detector() -> None:
    detector = PhraseDetector()
    assert isinstance(detector, Detector)
    texts = [Document("She drowned."), Document(""), Document("The oldest of nine sisters.")]
    found = detector.detect(texts)
    assert [detection.read for detection in found] == [len(text) for text in texts]
    assert [[(m.text, m.subtype) for m in detection.mentions] for detection in found] == [
        [("drowned", "phrase")],
        [],
        [("oldest of nine sisters", "telling")],
    ]
    mentions = [mention for detection in found for mention in detection.mentions]
    assert {(m.type, m.source) for m in mentions} == {(EntityType.MISC, Provenance.PHRASES)}


def test_a_text_that_is_split_offers_every_word() -> None:
    text = Document("The youngest of nine sisters, she ran a salmon farm.")
    [found] = PhraseDetector(split=True).detect([text])
    assert [(m.text, m.subtype) for m in found.mentions] == [
        ("The", "small_word"),
        ("youngest of nine sisters", "telling"),
        ("she", "small_word"),
        ("ran", "usual_word"),
        ("a", "small_word"),
        ("salmon", "phrase"),
        ("farm", "usual_word"),
    ]


def test_labels_are_offered_last() -> None:
    """A label fits everybody who fills in the form, the value beside it does not."""
    [found] = PhraseDetector(split=True).detect([Document("Subject: gliders\nOccupation: pilot")])
    assert [(m.text, m.subtype) for m in found.mentions] == [
        ("Subject", "small_word"),
        ("gliders", "phrase"),
        ("Occupation", "small_word"),
        ("pilot", "phrase"),
    ]


@pytest.mark.parametrize(
    "text",
    ["Yours sincerely", "KIND REGARDS", "Dear all", "Please", "Enclosed herewith", "My name"],
)
def test_words_of_form_are_offered_last(text: str) -> None:
    """They fit everybody who writes a letter; a text without them would read worse and hide nobody."""
    [found] = PhraseDetector(split=True).detect([Document(text)])
    others = {m.text for m in found.mentions if m.subtype != "small_word"}
    assert others <= {"KIND"}


@pytest.mark.parametrize(
    "text",
    [
        "[salmon]. [Farm]",
        "[salmon], [farm]",
        "[salmon] ([farm])",
        "[salmon] | [farm]",
        "[salmon]\t[farm]",
        "[salmon]  [farm]",
        "[salmon]\n[farm]",
        "[salmon] – [farm]",
        '[salmon] "[farm]"',
        "the '[salmon]' [farm]",
        "the [salmons' farm]",
        "[salmon] and [farm]",
    ],
)
def test_no_phrase_crosses_a_border(text: str) -> None:
    assert mark(re.sub(r"[\[\]]", "", text)) == text


def test_a_line_that_is_wrapped_does_not_part_a_phrase() -> None:
    long = "I am a former skipper of a boat that went down in the storm, and one of"
    assert "one of\ntwo women who held that licence" in mark(
        f"{long}\ntwo women who held that licence."
    )
    assert mark("one of\ntwo women") == "one of\n[two women]"
    assert mark(f"{long} the best\nTwo women").endswith("and one of the best\n[Two women]")


def test_a_long_run_is_cut() -> None:
    assert mark(" ".join(["salmon"] * 8)) == f"[{' '.join(['salmon'] * 6)}] [salmon salmon]"


@given(TEXTS)
def test_phrases_are_apart_inside_sentences_and_end_at_word_borders(text: str) -> None:
    found = list(find_phrases(text))
    assert all(left.end <= right.start for left, right in pairwise(found))
    bounds = find_sentences(text)
    for start, end, *_ in found:
        assert any(low <= start < end <= high for low, high in bounds)
        assert not re.search(r"[.,;:!?()|\t\"–—]\s|\s[(|\"–—]|  ", text[start:end])
        assert not re.match(r"\w\w", text[start - 1 : start + 1] if start else "")
        assert not re.match(r"\w\w", text[end - 1 : end + 1])


@given(TEXTS)
def test_a_phrase_tells_something_and_has_clean_edges(text: str) -> None:
    for start, end, subtype, _ in find_phrases(text):
        written = WORD.findall(text[start:end])
        words = [split_clitic(word)[0] for word in written]
        assert not all(word in STOP_WORDS for word in words)
        assert subtype == "telling" or any(not is_plain(word) or word.istitle() for word in written)
        assert EXPRESSION.match(text[start:end]) or not {words[0], words[-1]} & SMALL
        assert sum(word not in STOP_WORDS and word not in SMALL for word in words) <= MOST


@given(TEXTS)
def test_every_word_that_is_not_plain_is_in_a_phrase(text: str) -> None:
    covered = {at for start, end, *_ in find_phrases(text) for at in range(start, end)}
    for match in WORD.finditer(text):
        if not is_plain(match.group()) and match.group().strip("_"):
            assert match.start() in covered


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("She is one of two women who held that licence in the county.", 2),
        ("He was the first man to cross the bay.", 1),
        ("She is one of the oldest members of the club.", 5),
        ("He ran a salmon farm.", 0),
    ],
)
def test_a_rank_with_a_scope_says_of_how_many_it_is_true(text: str, people: int) -> None:
    assert max((phrase.people for phrase in find_phrases(text)), default=0) == people

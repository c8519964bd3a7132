"""Guesses of a model lose labels, stop at edges, and fall where a list knows all their words; patterns stand."""

import pytest

from maskwise.detect.cutting import cut_at_edges
from maskwise.detect.vetoes import veto_guesses
from maskwise.text import Document, EntityType
from maskwise.text.layout import read_layout

P, G, L, M, C = (
    EntityType.PERSON,
    EntityType.ORG,
    EntityType.LOC,
    EntityType.MISC,
    EntityType.CODE,
)


def resolve(text, guess, kind, domain="general", subtype="", source="neural", language="en"):
    document = Document(text, metadata={"domain": domain, "language": language})
    start = text.index(guess)
    mention = document.mention(start, start + len(guess), kind, subtype=subtype, source=source)
    return [m.text for m in veto_guesses(document, [mention], read_layout(text))]


@pytest.mark.parametrize(
    ("text", "guess", "kind", "left"),
    [
        ("Phone: 555", "Phone", G, []),
        ("X-To: Ana Souza", "X-To: Ana Souza", P, ["Ana Souza"]),
        ("omg what", "omg", P, []),
        ("LASIX 75 MCG DAILY", "75", C, []),
        ("LASIX 75 MCG DAILY", "75 MCG", C, []),
        ("badge 7512 mgr", "7512", C, ["7512"]),
        ("RT @ana hi", "RT", G, []),
        ("moved to Kafka now", "Kafka", L, []),
        ("a book by Franz Kafka", "Franz Kafka", P, ["Franz Kafka"]),
        ("Plan: Gold\nx", "Gold", P, []),
        ("Owner: Gold\nx", "Gold", P, ["Gold"]),
        ("from Human Resources today", "Human Resources", G, []),
        ("Ana Souza\nPorto\nx", "Ana Souza\nPorto", P, ["Ana Souza", "Porto"]),
        ("Yeah. It was Ana Souza.", "Yeah. It was Ana Souza", P, ["Ana Souza"]),
        ("see Bell palsy there", "Bell", P, []),
        ("on Humira and Lasix", "Humira", P, []),
        ("Dr Parkinson came", "Parkinson", P, ["Parkinson"]),
        ("Ms Lasix came", "Lasix", P, ["Lasix"]),
        ("Just a thought", "Just", G, []),
        ("I met Ty there", "Ty", P, ["Ty"]),
        ("ty for that", "ty", P, []),
        ("signed 고지훈 here", "고지훈", EntityType.CODE, ["고지훈"]),
        ("signed 黃淑芬 here", "黃淑芬", EntityType.DEM, ["黃淑芬"]),
        ("Tue, 3 May", "Tue", P, []),
        ("Husband Suresh came", "Husband Suresh", P, ["Suresh"]),
        ("Ring Suresh Rao today", "Ring Suresh Rao", P, ["Suresh Rao"]),
        ("Lund v. Moe and others", "Lund v. Moe", P, ["Lund", "Moe"]),
        ("1. Left.\n2. Ms Lund opened it", "2", EntityType.DATETIME, []),
        ("on\n2 May. He came", "2", EntityType.DATETIME, ["2"]),
        ("MMSE 21/30 today", "21/30", EntityType.DATETIME, []),
        ("GCS of 11/15 and alert", "11/15", EntityType.DATETIME, []),
        ("back on 11/15 and alert", "11/15", EntityType.DATETIME, ["11/15"]),
        ("CPT Code:  40801. Left", "40801", C, []),
        ("PIN Code:  40801. Left", "40801", C, ["40801"]),
        ("Year 4 are out", "Year 4", EntityType.DATETIME, []),
        ("see u 2moro w her", "2moro w", L, []),
        ("with CBT now", "CBT", G, []),
        ("kieran n brasko came", "kieran n brasko", P, ["kieran", "brasko"]),
        ("then Customer Brasko rang", "Customer Brasko", P, ["Brasko"]),
    ],
)
def test_what_stays_of_a_guess(text, guess, kind, left):
    assert resolve(text, guess, kind) == left


def test_in_a_judgment_parties_are_two():
    text = "IN THE MATTER OF Lund v. Moe"
    assert resolve(text, "OF Lund v. Moe", P, domain="court") == ["Lund", "Moe"]
    text = "The judge found Lund careless."
    assert resolve(text, "Lund careless", P, domain="court") == ["Lund"]


def test_in_a_judgment_the_model_is_right():
    assert resolve("moved to Kafka now", "Kafka", L, domain="court") == ["Kafka"]


def test_what_a_pattern_supports_stays():
    assert resolve("moved to Kafka now", "Kafka", P, subtype="name_field", source="patterns") == [
        "Kafka"
    ]


def test_a_medical_phrase_is_marked_so_that_a_policy_may_keep_it():
    document = Document("a carpal tunnel syndrome", metadata={"domain": "general"})
    [kept] = veto_guesses(
        document, [document.mention(2, 24, M, source="neural")], read_layout(document.text)
    )
    assert kept.subtype == "clinical"


def test_sentences_of_another_language_are_no_names():
    text = "Der Film hat uns gut gefallen sagte Klaus Obermeier"
    assert resolve(text, text, P, language="de") == ["Film", "Klaus Obermeier"]
    assert resolve(text, text, M, language="de") == []


def test_no_mention_crosses_an_edge_but_one_that_is_certain():
    document = Document("Ana\nBo\nLee")
    layout = read_layout(document.text)
    mention = document.mention(0, 10, P)
    assert [m.text for m in cut_at_edges([mention], layout)] == ["Ana", "Bo", "Lee"]
    certain = document.mention(0, 10, P, certain=True)
    assert cut_at_edges([certain], layout) == [certain]

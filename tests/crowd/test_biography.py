"""Facts, not sentences, out of biographies of invented people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.crowd.biography import READ, Biographer
from maskwise.crowd.lifespan import format_iso_date, read_lifespan
from maskwise.crowd.population import Profile

ANA = """\
Ana Maria "Nana" Souza CBE (3 May 1921 in Porto, Portugal – 7 June 1999) was a Portuguese cellist, music teacher and \
former rower who played for Larkby Rovers and the Hexwick Herons. She competed at the 1948 and 1952 Summer Olympics.
Life.
She was the daughter of Rui Souza and Clara Nunes, and the sister of Bo Souza. Souza was educated at the University \
of Tarn. In 1950 she married the painter Otto Quillfeather. She joined the Pellmere Chamber Orchestra and was \
appointed Director of the Dunmere Festival. Her book "The Drowned Bell" won the Copper Heron Prize and she won a \
silver medal in Oslo. She died in Vienna.
"""
BO = """\
"For the ferryman, see Bo Berg (ferryman)."
Bo Berg (born 12 April 1961) is a retired Norwegian ski jumper from Lillehammer. Berg was born in Oslo, Norway. His \
father died in 1983 in Bergen.
"""


EVERY = Biographer(words=12)


@pytest.fixture
def biographer() -> Biographer:
    return EVERY


def profile(biographer: Biographer, name: str, text: str) -> Profile:
    return biographer.make_profiles([("p1", name, text)])[0]


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("name", ("Ana Souza",)),
        ("born", ("1921-05-03",)),
        ("birth_place", ("Porto", "Portugal")),
        ("died", ("1999-06-07",)),
        ("death_place", ("Vienna",)),
        ("gender", ("female",)),
        ("nationality", ("Portuguese",)),
        ("occupation", ("cellist", "music teacher", "rower")),
        ("team", ("Larkby Rovers", "Hexwick Herons")),
        ("event", ("1948 Summer Olympics", "1952 Summer Olympics")),
        ("parent", ("Rui Souza", "Clara Nunes")),
        ("sibling", ("Bo Souza",)),
        ("education", ("University of Tarn",)),
        ("spouse", ("Otto Quillfeather",)),
        ("member_of", ("Pellmere Chamber Orchestra",)),
        ("office", ("Director of the Dunmere Festival",)),
        ("work", ("The Drowned Bell",)),
        ("award", ("CBE", "Copper Heron Prize", "silver medal")),
        ("place", ("Oslo",)),
    ],
)
def test_a_life(biographer: Biographer, key: str, values: tuple[str, ...]) -> None:
    assert profile(biographer, "Ana Souza (cellist)", ANA).get(key) == values


def test_the_living_and_pages_about_others(biographer: Biographer) -> None:
    bo = profile(biographer, "Bo Berg", BO)
    assert bo.text == "Bo Berg (born 12 April 1961) is a retired Norwegian ski jumper"
    assert bo.get("occupation") == ("ski jumper",)
    assert (bo.get("born"), bo.get("birth_place")) == (("1961-04-12",), ("Oslo", "Norway"))
    assert (bo.get("died"), bo.get("death_place")) == ((), ())  # it is his father who died


def test_values_are_facts_not_sentences(biographer: Biographer) -> None:
    for name, text in (("Ana Souza", ANA), ("Bo Berg", BO)):
        for _, values in profile(biographer, name, text).attributes:
            assert all(len(value.split()) <= 8 and not value.endswith(".") for value in values)


def test_a_batch_says_what_each_alone_says(biographer: Biographer) -> None:
    rows = [("a", "Ana Souza", ANA), ("b", "Bo Berg", BO), ("c", "", ""), ("d", ",", "A line.")]
    assert biographer.make_profiles(rows) == [biographer.make_profiles([row])[0] for row in rows]


def test_only_the_beginning_is_read(biographer: Biographer) -> None:
    late = ANA.ljust(READ) + " He joined the Morrow Choir."
    assert (
        profile(biographer, "Ana Souza", late).attributes
        == profile(biographer, "Ana Souza", ANA).attributes
    )


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("(born 1971)", {"born": ["1971"]}),
        ("(1905–1996)", {"born": ["1905"], "died": ["1996"]}),
        ("(c. 1544 – 30 June 1590)", {"born": ["1544"], "died": ["1590-06-30"]}),
        ("(died 1696, Larkby)", {"died": ["1696"], "death_place": ["Larkby"]}),
        (
            "(born in Hexwick on 15 December 1949)",
            {"born": ["1949-12-15"], "birth_place": ["Hexwick"]},
        ),
        (
            "(August 11, 1867, Larkby, Tarn – August 22, 1929, Morrow)",
            {
                "born": ["1867-08-11"],
                "birth_place": ["Larkby", "Tarn"],
                "died": ["1929-08-22"],
                "death_place": ["Morrow"],
            },
        ),
        (
            "(born 3 May 1950 in Larkby, died 24 March 1991 in Dunmere)",
            {
                "born": ["1950-05-03"],
                "birth_place": ["Larkby"],
                "died": ["1991-03-24"],
                "death_place": ["Dunmere"],
            },
        ),
        ("(30 April 1938, Larkby)", {"born": ["1938-04-30"], "birth_place": ["Larkby"]}),
        ("(reigned 1271–1368)", {}),
        ("(fl. 1396)", {}),
        ("(the 1st of the Larks)", {}),
    ],
)
def test_notes_after_the_name(note: str, expected: dict[str, list[str]]) -> None:
    lead = f"Bo Berg {note} was a baker."
    assert read_lifespan(lead, lead.index("was"), lead, "Berg") == expected


def test_dates() -> None:
    assert [
        format_iso_date(d) for d in ("5 of September, 1971", "May 1905", "Dec. 24, 987", "1832")
    ] == [
        "1971-09-05",
        "1905-05",
        "0987-12-24",
        "1832",
    ]


def test_what_is_a_work(biographer: Biographer) -> None:
    quoted = (
        '"The Drowned Bell" "  " "said so" "Copper" known as "Nana" '
        '"A word of the Herons and of the Rovers they made"'
    )
    assert profile(biographer, "Bo Berg", f"Bo Berg was a poet. {quoted}").get("work") == (
        "The Drowned Bell",
        "Copper",
    )


@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_has_a_profile(text: str, name: str) -> None:
    assert profile(EVERY, name, text).id == "p1"


def test_a_profile_without_a_document() -> None:
    assert Biographer(words=0).make_profiles([("p", "Bo Berg", BO)])[0].text == ""

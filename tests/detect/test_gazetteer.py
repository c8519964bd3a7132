"""The gazetteer: how phrases must be written to count, which of several wins, what users may add, and what it costs."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import maskwise.bundle
from maskwise.detect.gazetteer import BUNDLED, GazetteerDetector
from maskwise.detect.gazetteer.automaton import make_plural, normalise_text
from maskwise.detect.gazetteer.lists import is_given_name, read_never_alone
from maskwise.errors import InputError, PolicyError
from maskwise.mask.generalise.facts import read_table, split_list
from maskwise.text import Detector, Document, EntityType

FOLDER = Path(maskwise.bundle.__file__).parent / "gazetteers"


def found(text: str, **options: object) -> list[tuple[str, str]]:
    mentions = GazetteerDetector(**options).detect([Document(text)])[0].mentions  # type: ignore[arg-type]
    return [(m.text, m.subtype) for m in mentions]


@pytest.fixture
def own(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Writes a list of the user's and describes it."""

    def write(content: str | bytes, **rules: object) -> dict[str, object]:
        path = tmp_path / "own.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return {"path": str(path), "type": "MISC", **rules}

    return write


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She moved from Norway to Gdańsk.", [("Norway", "country"), ("Gdańsk", "city")]),
        (
            "He is a Portuguese electrician.",
            [("Portuguese", "nationality"), ("electrician", "occupation")],
        ),
        (
            "ELECTRICIAN WANTED; Electrician found",
            [("ELECTRICIAN", "occupation"), ("Electrician", "occupation")],
        ),
        ("diagnosed with multiple sclerosis", [("multiple sclerosis", "disease")]),
        (
            "a practising Muslim, a Kurd and a widow",
            [("Muslim", "religion"), ("Kurd", "ethnicity"), ("widow", "attribute")],
        ),
        ("before the Second World War", [("Second World War", "event")]),
        ("took ibuprofen", [("ibuprofen", "drug")]),
    ],
)
def test_lists_and_their_subtypes(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text", ["of the most nice reading", "he will polish it", "a turkey", "such mobile bath rooms"]
)
def test_names_need_a_capital(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Reading is fun.",
        "Nice to meet you.",
        "Mobile phones",
        "Of these",
        "Most agreed",
        "Police came",
    ],
)
def test_a_homonym_needs_a_place_word_before_it(text: str) -> None:
    assert found(text) == []


def test_a_homonym_after_a_place_word_is_a_city() -> None:
    assert found("He lives in Reading, came from Nice.") == [("Reading", "city"), ("Nice", "city")]
    assert found("He likes, in, Reading") == []


def test_a_procedural_role_counts_where_it_is_predicated() -> None:
    assert found("the judge heard his lawyer") == []
    assert found("she was a lawyer") == [("lawyer", "occupation")]


def test_a_trade_that_is_a_surname_must_be_small() -> None:
    assert found("Baker saw a baker and two bakers") == [
        ("baker", "occupation"),
        ("bakers", "occupation"),
    ]


def test_offences_are_common_nouns() -> None:
    text = "He was convicted of burglary and two armed robberies. The Murder of a Duke is a play; his conviction stood."
    assert found(text) == [("burglary", "offence"), ("armed robberies", "offence")]
    assert found("Armed robbery is one; The Armed Robbery is a film.") == [
        ("Armed robbery", "offence")
    ]


def test_a_word_with_other_meanings_is_an_offence_where_somebody_is_accused() -> None:
    assert found("guilty of deception, by deception, in an act of rebellion") == [
        ("deception", "offence")
    ]
    assert found("charged with conspiracy") == [("conspiracy", "offence")]


def test_the_lists_of_offences_are_the_words_of_their_ladder() -> None:
    lists = {s.name: s for s in BUNDLED if s.subtype == "offence"}
    listed = [p for s in lists.values() for p in s.read_phrases()]
    assert len(listed) == len(set(listed))
    assert set(listed) == {w for _, words in read_table("offences.tsv") for w in split_list(words)}


def test_acronyms_are_matched_as_listed() -> None:
    assert found("a Ph.D. and AIDS, not ph.d. or aids") == [("Ph.D", "degree"), ("AIDS", "disease")]


def test_longest_match_wins() -> None:
    assert found("a taxi driver in South Africa") == [
        ("taxi driver", "occupation"),
        ("South Africa", "country"),
    ]


def test_a_refused_long_match_does_not_hide_a_short_one(own) -> None:  # type: ignore[no-untyped-def]
    item = own("Norway Spruce Society\n")
    assert found("Norway spruce society", extra=[item], lists=["countries"]) == [
        ("Norway", "country")
    ]
    assert found("Norway Spruce Society", extra=[item], lists=["countries"]) == [
        ("Norway Spruce Society", "own")
    ]
    assert found("Norway Spruce Societyx", extra=[item], lists=["countries"]) == [
        ("Norway", "country")
    ]


@pytest.mark.parametrize(
    "text",
    ["electricians", "policemen", "Germans", "civil servants", "bus drivers", "missionaries"],
)
def test_plurals(text: str) -> None:
    assert [span for span, _ in found(f"two {text} came")] == [text]


def test_plurals_only_where_the_list_has_them() -> None:
    assert found("two Norways and two Londons") == []


@pytest.mark.parametrize("text", ["left-wing", "left wing", "left‑wing", "left\nwing", "LEFT-WING"])
def test_hyphen_space_and_line_break_are_one(text: str) -> None:
    assert found(f"a {text} group") == [(text, "ideology")]


@pytest.mark.parametrize(
    "text", ["Lodz", "Łódź", "ŁÓDŹ", "Istanbul", "İstanbul", "Diyarbakır", "Diyarbakir"]
)
def test_marks_on_letters_do_not_matter(text: str) -> None:
    assert found(f"in {text}.") == [(text, "city")]


@pytest.mark.parametrize(
    "text", ["Norwayé", "éNorway", "Norway\u0301", "Norway_1", "Norway2", "ΩNorway", "Norway中"]
)
def test_no_match_inside_a_word(text: str) -> None:
    assert found(text, lists=["countries"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "Norway's",
        "Norway’s",
        "“Norway”",
        "(Norway)",
        "Norway-based",
        "Norway🙂",
        "pre-Norway",
        "Norway",
    ],
)
def test_borders_of_words(text: str) -> None:
    assert found(text, lists=["countries"]) == [("Norway", "country")]


def test_words_of_the_precision_list_never_match_alone() -> None:
    words = read_never_alone()
    assert len(words) > 300
    for form in (str, str.capitalize, make_plural):
        assert found(" | ".join(map(form, words)), without=["procedural_roles", "homonyms"]) == []


def test_precision_list_does_not_bind_the_user(own) -> None:  # type: ignore[no-untyped-def]
    assert "police officer" in read_never_alone()
    assert found("a police officer", extra=[own("police officer")]) == [("police officer", "own")]


def test_user_list_with_comments_marks_and_rules(own) -> None:  # type: ignore[no-untyped-def]
    item = own(
        "\ufeff# projects\r\n\r\n  Blue Heron \r\nGrey Owl\tnote\r\n",
        subtype="project",
        case="insensitive",
        score=0.3,
    )
    mentions = (
        GazetteerDetector(lists=[], extra=[item])
        .detect([Document("BLUE HERON, grey owl, note, # projects")])[0]
        .mentions
    )
    assert [(m.text, m.type, m.subtype, m.score, m.source) for m in mentions] == [
        ("BLUE HERON", EntityType.MISC, "project", 0.3, "gazetteer"),
        ("grey owl", EntityType.MISC, "project", 0.3, "gazetteer"),
    ]


def test_exact_case_keeps_every_spelling_listed(own) -> None:  # type: ignore[no-untyped-def]
    assert found("IT it It iT", lists=[], extra=[own("IT\nIt\n")]) == [("IT", "own"), ("It", "own")]


def test_user_list_wins_over_a_bundled_one_and_is_read_anew(own) -> None:  # type: ignore[no-untyped-def]
    assert found("in Norway", extra=[own("Norway")]) == [("Norway", "own")]
    assert found("in Norway", extra=[own("Sweden")]) == [("Norway", "country")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no phrase"),
        (b"# only a comment\n\n", "has no phrase"),
        ("Zoë".encode("latin-1"), "not UTF-8 (byte 2)"),
        (b"fine\n---\n", "line 2 has no letter"),
    ],
)
def test_unusable_user_lists(own, content: bytes, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError) as caught:
        GazetteerDetector(extra=[own(content)])
    assert message in str(caught.value)
    assert "own.txt" in str(caught.value)


def test_missing_user_list(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            GazetteerDetector(extra=[{"path": path, "type": "LOC"}])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"type": "PLACE"}, "type: Input should be 'PERSON'"),
        ({"case": "lower"}, "case: Input should be 'insensitive'"),
        ({"score": 1.5}, "score: Input should be less than or equal to 1"),
        ({"colour": "red"}, "colour: Unexpected keyword argument"),
    ],
)
def test_bad_rules_for_a_user_list(own, rules: dict[str, object], message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PolicyError) as caught:
        GazetteerDetector(extra=[{**own("Blue Heron"), **rules}])
    assert message in str(caught.value)


def test_lists_are_chosen_by_name() -> None:
    assert found("a plumber from Norway", lists=["countries"]) == [("Norway", "country")]
    assert found("a plumber from Norway", without=["countries", "regions"]) == [
        ("plumber", "occupation")
    ]
    assert found("a plumber from Norway", lists=[]) == []
    with pytest.raises(PolicyError, match="did you mean 'countries'"):
        GazetteerDetector(lists=["countrys"])
    with pytest.raises(PolicyError, match="known: countries"):
        GazetteerDetector(without=["xyzzy"])


def test_mentions_say_where_they_come_from() -> None:
    detector = GazetteerDetector()
    assert isinstance(detector, Detector)
    documents = [Document("A nurse from Peru."), Document("")]
    detections = detector.detect(documents)
    assert [d.read for d in detections] == [18, 0]
    assert [(m.start, m.end, m.type, m.source, m.score) for m in detections[0].mentions] == [
        (2, 7, EntityType.DEM, "gazetteer", 0.7),
        (13, 17, EntityType.LOC, "gazetteer", 0.95),
    ]
    assert detections == [detector.detect([d])[0] for d in documents]


FRAGMENTS = st.sampled_from(
    [
        "Norway",
        "Łódź",
        "taxi drivers",
        "İ",
        "ß",
        "😀",
        " ",
        "\n",
        "in Nice",
        "’s",
        "-",
        "\u0301",
        "ﬁ",
        "\ud800",
    ]
)


@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=5)), max_size=12).map("".join))
def test_offsets(text: str) -> None:
    assert len(normalise_text(text)) == len(text)
    mentions = GazetteerDetector().detect([Document(text)])[0].mentions
    reach = 0
    for mention in mentions:  # the span itself is checked when a mention is made
        assert mention.start >= reach
        reach = mention.end
        for outside in (
            text[mention.start - 1 : mention.start],
            text[mention.end : mention.end + 1],
        ):
            assert not outside.isalnum()


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_country_between_spaces_is_always_found(before: str, after: str) -> None:
    text, at = f"{before} Norway {after}", len(before) + 1
    mentions = GazetteerDetector().detect([Document(text)])[0].mentions
    assert any(m.start <= at and at + 6 <= m.end for m in mentions)


def test_sources_name_every_file_with_its_count() -> None:
    sources = (FOLDER / "SOURCES.md").read_text("utf-8")
    names = {p.name for p in FOLDER.iterdir() if p.suffix in (".txt", ".tsv")}
    listed = {n for s in BUNDLED for n in names if n.startswith(f"{s.name}.")}
    asked = (
        "never_alone",
        "acronyms",
        "brands",
        "goods",
        "forenames",
        "given_names",
        "clinical_acronyms",
        "eponyms",
        "medical_terms",
        "software",
        "usual_words",
    )
    assert names == listed | {f"{name}.txt" for name in asked}
    for name in sorted(names):
        count = len((FOLDER / name).read_text("utf-8").splitlines())
        assert f"| `{name}` | {count} |" in sources


def test_given_names_are_names_and_no_months_or_words() -> None:
    assert all(map(is_given_name, ("Anna", "José", "Zsófia", "Anna-Maria")))
    assert not any(map(is_given_name, ("anna", "April", "Young", "Green", "")))


def test_files_are_sorted_unique_and_small() -> None:
    size = 0
    for path in sorted(FOLDER.iterdir()):
        size += path.stat().st_size
        if path.suffix in (".txt", ".tsv"):
            lines = path.read_text("utf-8").split("\n")[:-1]
            assert lines == sorted(set(lines))
            assert all(line == line.strip() and any(map(str.isalnum, line)) for line in lines)
    assert size < 1_500_000


def test_cities_say_country_and_size() -> None:
    rows = [
        line.split("\t")
        for name in ("cities.tsv", "homonyms.tsv")
        for line in (FOLDER / name).read_text("utf-8").splitlines()
    ]
    assert all(
        len(country) == 2 and country.isupper() and band in "12345" for _, country, band in rows
    )
    assert ["Oslo", "NO", "4"] in rows
    assert Counter(normalise_text(name) for name, *_ in rows).most_common(1)[0][1] == 1


def test_importing_loads_nothing() -> None:
    program = (
        "import pathlib; real = pathlib.Path.read_text\n"
        "def spy(self, *a, **k):\n    assert 'gazetteers' not in str(self), self\n    return real(self, *a, **k)\n"
        "pathlib.Path.read_text = spy\n"
        "import maskwise.detect.gazetteer as g\n"
        "d = g.GazetteerDetector()\n"
        "from maskwise.text import Document\n"
        "try:\n    d.detect([Document('x')])\nexcept AssertionError: print('spied')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "spied"

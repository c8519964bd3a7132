"""Crowds in folders, crowds of registers, and both together."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd import crowd_folder
from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.crowd import Crowd, build_crowd, find_bundled
from maskwise.crowd.crowd_folder import Curve
from maskwise.crowd.mentioned import Mentions
from maskwise.crowd.nameless import remove_names
from maskwise.crowd.population import Population, Profile
from maskwise.crowd.words import Words
from maskwise.errors import BundleError, InputError

REGISTER = people(12)
NAMELESS = Population(remove_names(one, str(at)) for at, one in enumerate(REGISTER))
MENTIONS = Mentions([["rain"], *[["surgery"]] * 11], ["garden"])
TEXT = st.text("abcdé ß|,:", max_size=8)
ATTACKERS = ["bm25", "words", "dense", "together"]
FACTS = st.dictionaries(st.sampled_from(["born", "place", "work"]), st.lists(TEXT, max_size=3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("crowds") / "crowd"
    encoder = BiEncoder.load(find_bundled() / "encoder", threads=1)
    curves = {"bm25": Curve((-2.0, 2.0), (0.0, 0.8))}
    build_crowd(
        NAMELESS,
        path,
        name="us",
        encoder=encoder,
        mentions=MENTIONS,
        calibration=curves,
        sources="x",
    )
    return path


@pytest.fixture
def copy(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copy")


def score(ranker, text):
    words = Words(text)
    return ranker.read(words.texts).score(np.zeros((1, len(words)), dtype=bool))[0]


@given(st.lists(FACTS, min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_people_survive_their_file(tmp_path_factory, facts):
    path = tmp_path_factory.mktemp("people")
    written = [Profile.of(f"p{at}", one, "a text") for at, one in enumerate(facts)]
    assert crowd_folder.write_people(path, written) == len(written)
    read = list(crowd_folder.read_people(path))
    assert [one.attributes for one in read] == [one.attributes for one in written]
    assert [one.id for one in read] == [str(at) for at in range(len(written))]
    assert not any(one.text for one in read)


@given(st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_embeddings_survive_in_eight_bits(tmp_path_factory, seed):
    path = tmp_path_factory.mktemp("embeddings")
    points = np.random.default_rng(seed).normal(size=(5, 16)).astype(np.float32)
    crowd_folder.write_embeddings(path, points)
    read = crowd_folder.read_embeddings(path)
    assert read.dtype == np.float32
    steps = np.abs(points).max(axis=1, keepdims=True) / 127
    assert (np.abs(read - points) <= steps * 0.51).all()


def test_a_crowd_is_opened_as_it_was_built(folder):
    crowd = Crowd.open(folder)
    assert (crowd.name, len(crowd), list(crowd.rankers)) == ("us", 12, ATTACKERS)
    assert [one.attributes for one in crowd.read_profiles()] == [one.attributes for one in NAMELESS]
    assert Crowd.open(folder) is crowd
    assert crowd.find_rows(["Ada Brandvold"]) == []
    assert crowd.find_id("0") == []


def test_who_is_told_of_is_found_by_every_attacker(folder):
    crowd = Crowd.open(folder)
    for name, ranker in crowd.rankers.items():
        hits = sum(score(ranker, REGISTER[at].text).argmax() == at for at in range(len(REGISTER)))
        assert hits >= 10, name


def test_attackers_are_chosen_by_name(folder):
    crowd = Crowd.open(folder)
    assert list(crowd.choose(())) == ATTACKERS
    assert list(crowd.choose(["words"])) == ["words"]
    with pytest.raises(
        InputError, match="no attacker 'pieces'; there are bm25, words, dense, together"
    ):
        crowd.choose(["pieces"])


def test_odds_are_calibrated_where_the_crowd_says_how(folder):
    crowd = Crowd.open(folder)
    chances = [crowd.estimate_chance("bm25", odds) for odds in (-1e6, -2, 0, 1, 2, 1e6)]
    assert chances == pytest.approx([0, 0, 0.4, 0.6, 0.8, 0.8])
    chances = [crowd.estimate_chance("dense", odds) for odds in (-1e6, 0, 1, 1e6)]
    assert chances == pytest.approx([0, 0.5, 1 / (1 + np.exp(-1)), 1])


@pytest.mark.parametrize("name", ["profiles.xz", "postings.npz", "embeddings.npz"])
@pytest.mark.parametrize("damage", ["changed", "missing"])
def test_a_damaged_file_is_named(copy, name, damage):
    if damage == "missing":
        (copy / name).unlink()
    else:
        raw = bytearray((copy / name).read_bytes())
        raw[len(raw) // 2] ^= 1
        (copy / name).write_bytes(raw)
    with pytest.raises(BundleError, match=rf"{name}: missing, or differs .* build the crowd again"):
        Crowd.open(copy)


@pytest.mark.parametrize(
    "content",
    [
        None,
        "no json",
        "[]",
        "{}",
        '{"format": 1}',
        '{"format": 1, "name": "x", "people": 1, "attributes": [], "files": {}, "calibration": 7}',
        '{"format": 1, "name": "x", "people": 1, "attributes": [], "files": {}, "calibration": {}}',
    ],
)
def test_what_is_no_crowd_is_refused_in_one_line(copy, content):
    path = copy / "crowd.json"
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(BundleError, match=r"crowd\.json: no readable configuration of a crowd"):
        Crowd.open(copy)


def test_a_crowd_of_another_format_is_refused(copy):
    path = copy / "crowd.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(BundleError, match="no crowd of format 1; make one with `maskwise crowd"):
        Crowd.open(copy)


def test_a_register_is_a_crowd_with_names():
    crowd = Crowd.of(REGISTER)
    assert (len(crowd), list(crowd.rankers)) == (12, ATTACKERS)
    name = REGISTER[4].get("name")[0]
    rows = [at for at, one in enumerate(REGISTER) if one.get("name")[0] == name]
    assert crowd.find_rows([name.upper(), "Nobody Atall"]) == rows
    assert crowd.find_id("p4") == [4]
    assert crowd.find_id("p99") == []
    told = crowd.add_rows(Profile.of("x", {"illness": "measles"}), [4])
    assert told.get("illness") == ("measles",)
    assert told.get("occupation") == REGISTER[4].get("occupation")


def test_a_register_extends_a_crowd(folder):
    crowd = Crowd.open(folder)
    more = Population(people(20, seed=9), source="ours.csv")
    both = crowd.extend(more)
    assert (len(both), both.name) == (32, "us and ours.csv")
    assert [one.attributes for one in both.read_profiles()] == [
        one.attributes for one in (*NAMELESS, *more)
    ]
    assert both.find_id("p4") == [16]
    assert 16 in both.find_rows(more[4].get("name"))
    assert both.calibration == crowd.calibration
    for name, ranker in both.rankers.items():
        assert len(ranker) == 32, name
        assert score(ranker, more[4].text).argmax() == 16, name


def test_an_extended_crowd_still_knows_what_texts_mention(folder):
    both = Crowd.open(folder).extend(people(20, seed=9))
    row = score(both.rankers["words"], "rain")
    assert row.argmax() == 0
    assert (row[1:] < row[0]).all()
    told = Profile.of("p", {"work": "garden"})
    assert np.ptp(score(both.rankers["words"].join(told), "garden")) == 0


def test_a_crowd_can_be_extended_twice(folder):
    first, second = people(3, seed=1), people(4, seed=2)
    renamed = Population(Profile(f"q{at}", one.attributes) for at, one in enumerate(second))
    thrice = Crowd.open(folder).extend(first).extend(renamed)
    assert [one.attributes for one in thrice.read_profiles()] == [
        one.attributes for one in (*NAMELESS, *first, *second)
    ]
    assert (thrice.find_id("p2"), thrice.find_id("q3")) == ([14], [18])
    for name, ranker in thrice.rankers.items():
        assert score(ranker, second[3].text).argmax() == 18, name

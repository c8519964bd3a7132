"""Attack-driven masking: what it promises about the texts it returns."""

import json
from pathlib import Path

import numpy as np
import pytest

from maskwise.attack.bm25 import BM25, Cosine
from maskwise.attack.harden import FUSION, Hider, TextToHarden, begin_text, harden
from maskwise.attack.masked_texts import MaskedTexts, TextScorer
from maskwise.attack.owned_texts import read_table
from maskwise.attack.scenario import Target, assemble_scenario
from maskwise.attack.trir import attack_scenario
from maskwise.crowd.words import Words
from maskwise.errors import CorpusError
from maskwise.text.tokens import find_words as word_spans

ROWS = json.loads((Path(__file__).parents[1] / "data" / "eight_lives.json").read_text("utf-8"))
LIVES = {row["name"]: (row["public_knowledge"], row["clear"]) for row in ROWS}  # invented people
ATTACKERS = [BM25(), Cosine()]


def make_drafts():
    drafts = []
    for person, (name, (_, text)) in enumerate(LIVES.items()):
        masked = [(at, at + len(part)) for part in name.split() for at in find_all(text, part)]
        units = tuple((span,) for span in word_spans(text))
        costs = tuple(float(end - start) for start, end in word_spans(text))
        drafts.append(TextToHarden(Target(person, name, text), tuple(masked), units, costs))
    return drafts


def find_all(text, part):
    return [at for at in range(len(text)) if text.startswith(part, at)]


@pytest.fixture(scope="module")
def background():
    return [life for life, _ in LIVES.values()]


@pytest.fixture(scope="module")
def done(background):
    return harden(make_drafts(), background, ATTACKERS, bound=0.0, k=20)


def test_nobody_is_found_any_more_and_something_stays(done):
    assert done.before.ensemble.value == 1
    assert (done.found, done.is_reached, done.after.ensemble.value) == ((), True, 0)
    shares = [text.mask.mean() for text in done.texts]
    assert max(shares) < 1
    assert set(done.after.attackers) == {"bm25", "tfidf", FUSION}


def test_the_attack_itself_finds_as_few(done):
    people = [(name, life) for name, (life, _) in LIVES.items()]
    owned = [(text.draft.target.name, text.text) for text in done.texts]
    scenario = assemble_scenario(people, {"hardened": owned})
    report = attack_scenario(scenario, ATTACKERS, lambda texts, names: list(texts))
    assert report.columns["hardened"].ensemble.value == 0


def test_a_quarter_of_the_people_is_the_most_to_hide_behind(done, background):
    assert done.k == len(background) // 4
    assert {text.k for text in done.texts} == {done.k}


def test_what_was_masked_stays_masked_and_no_mask_is_needless(done, background):
    hider = Hider.fit(background, ATTACKERS, 20, 0)
    for text in done.texts:
        name = text.draft.target.name
        assert not [part for part in name.split() if part in text.text]
        scorers = {n: TextScorer(MaskedTexts(text.words), s) for n, s in hider.scorers.items()}
        for reason in text.reasons:
            shown = text.mask.copy()
            shown[text.words.find_touched(reason.spans)] = False
            ranks = {
                n: s.rank(shown[None], text.draft.target.person)[0] for n, s in scorers.items()
            }
            assert ranks[reason.attacker] == reason.shown == min(ranks.values())
            assert reason.shown <= done.k < reason.masked


def test_the_written_text_has_the_masks_and_the_rest_as_it_was(done):
    for text in done.texts:
        kept = text.text.split("***")
        assert len(kept) == len(text.spans) + 1
        source = text.draft.target.text
        edges = [0, *(edge for span in text.spans for edge in span), len(source)]
        assert kept == [source[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize(("costs", "left"), [((1.0, 9.0), "*** berry"), ((9.0, 1.0), "apple ***")])
def test_of_two_words_that_tell_as_much_the_cheaper_is_masked(costs, left):
    lives = ["apple berry", "apple damson", "apple elder", "berry damson", "berry elder"]
    units = (((0, 5),), ((6, 11),))
    draft = TextToHarden(Target(0, "", "apple berry"), (), units, costs)
    assert harden([draft], lives, [BM25()], k=1).texts[0].text == left


def test_a_person_without_background_keeps_only_the_masks_to_begin_with(background):
    draft = TextToHarden(
        Target(None, "Nils Nobody", "Nils kept bees."), ((0, 4),), (((10, 14),),), (1.0,)
    )
    done = harden([draft], background, ATTACKERS)
    assert (done.texts[0].text, done.rounds) == ("*** kept bees.", 0)


def test_the_bound_is_missed_where_nothing_more_can_be_masked(background):
    name = "Ada Brandvold"
    text = LIVES[name][1]
    done = harden([TextToHarden(Target(0, name, text))], background, ATTACKERS, bound=0.5)
    assert (done.found, done.is_reached, done.texts[0].k) == ((0,), False, 0)
    assert done.texts[0].text == text


class Stubborn:
    """Finds the first person as long as the text has one of its words; it is asked late."""

    name = "dense"
    trained = False

    def fit(self, background, seed=0):
        def score(texts):
            rows = np.zeros((len(texts), len(background)))
            for row, text in zip(rows, texts, strict=True):
                row[0] = "cats" in text
                row[1:] = 0.5
            return rows

        return score


def test_an_attacker_that_still_finds_somebody_is_asked_in_the_next_round(background):
    drafts = make_drafts()
    done = harden(drafts, background, [BM25(), Stubborn()], bound=0.0)
    assert (done.rounds, done.found) == (2, ())
    assert "cats" not in done.texts[0].text
    assert {reason.attacker for reason in done.texts[0].reasons} >= {"dense"}
    # Within the bound nobody goes on.
    done = harden(drafts, background, [BM25(), Stubborn()], bound=0.9)
    assert done.rounds == 1


def test_masks_of_others_are_no_units(background):
    text = "[PERSON 1] blew glass in Larkby and *** kept bees."
    units = tuple((span,) for span in word_spans(text))
    draft = TextToHarden(Target(0, "", text), (), units, (1.0,) * len(units))
    found = harden([draft], background, ATTACKERS, k=1).texts[0]
    assert found.text.startswith("[PERSON 1]")
    assert len(found.words) == len(begin_text(draft).words)


def test_a_masking_that_is_scored_is_the_text_that_is_attacked(background):
    scorer = Hider.fit(background, [BM25()], 1, 0).scorers["bm25"]
    words = Words("Ada blew glass in Larkby.")
    masks = np.array([[False] * 5, [True, False, True, False, True]])
    reader = TextScorer(MaskedTexts(words), scorer)
    direct = scorer(["Ada blew glass in Larkby.", "  blew   in  ."])
    order = np.argsort(-reader.score(masks), axis=1, kind="stable")
    assert (order == np.argsort(-direct, axis=1, kind="stable")).all()
    assert np.exp(reader.score(masks)).sum(axis=1) == pytest.approx([1, 1], abs=1e-5)
    falls = reader.screen(masks[0], 0)
    assert falls[4] > 0
    assert falls[3] == 0  # a stop word
    assert not reader.screen(np.ones(5, dtype=bool), 0).any()
    some = np.array([2, 0])
    narrowed = np.argsort(-reader.narrow(some).score(masks), axis=1, kind="stable")
    assert (narrowed == np.argsort(-direct[:, some], axis=1, kind="stable")).all()


def test_rows_without_a_text_keep_their_numbers(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("name,public_knowledge,clear\nA,x y,\nB,z w,text b\nC,u v,text c\n", "utf-8")
    found = read_table(path)
    assert (found.ids, found.owners, found.texts) == (("2", "3"), ("B", "C"), ("text b", "text c"))
    path.write_text("name,public_knowledge\nA,x\nB,z\n", "utf-8")
    with pytest.raises(CorpusError, match="no column of texts to harden"):
        read_table(path)


def test_a_text_without_a_name_is_refused_by_its_row(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("name,public_knowledge,clear\nA,x y,\n,z w,text b\n", "utf-8")
    with pytest.raises(CorpusError, match="row 2 has a text and no name"):
        read_table(path)

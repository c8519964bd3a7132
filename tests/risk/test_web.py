from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import PolicyError
from maskwise.policy import Policy
from maskwise.risk.index import build_index
from maskwise.risk.pages import PublicPage
from maskwise.risk.web import WebIndicator, WebSearch
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType, Indicator, Person

TEXT = "Ana Souza is a cellist from Porto who won the Lark Prize in 1999."
PAGES = {
    "ana": "Ana Souza is a cellist from Porto. She won the Lark Prize in 1999.",
    "bo": "Bo Berg is a cellist from Oslo who came second at the Lark Prize in 1999.",
    "porto": "Porto is a town. It held a fair in 1999.",
    "music": "A cellist of Porto played in 1998.",
}


class Memory:
    """Pages in a dictionary, in order; counts its questions."""

    exact = True

    def __init__(self, pages: dict[str, str] = PAGES) -> None:
        self.pages, self.asked = pages, []  # type: ignore[var-annotated]

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        self.asked.append(tuple(terms))
        return [
            url for url, text in reversed(self.pages.items()) if all(term in text for term in terms)
        ][:k]

    def hits(self, terms: Sequence[str]) -> int:
        self.asked.append(tuple(terms))
        return sum(all(term in text for term in terms) for text in self.pages.values())


class Vague(Memory):
    exact = False


def document(protected: bool = True) -> Document:
    return Document(TEXT, id="d", protected=(Person("Mrs Ana Souza"),) if protected else ())


def entities(of: Document) -> list[Entity]:
    def entity(
        text: str, kind: EntityType, identifier: IdentifierType = IdentifierType.QUASI
    ) -> Entity:
        start = TEXT.index(text)
        return Entity(text.lower(), kind, (of.mention(start, start + len(text), kind),), identifier)

    return [
        entity("Ana Souza", EntityType.PERSON, IdentifierType.DIRECT),
        entity("cellist", EntityType.DEM),
        entity("Porto", EntityType.LOC),
        entity("Lark Prize", EntityType.MISC),
        entity("1999", EntityType.DATETIME),
    ]


def assess(
    index: Memory, protected: bool = True, **options: object
) -> dict[tuple[str, ...], Evidence]:
    target = document(protected)
    found = WebIndicator(index, **options).assess(target, entities(target))  # type: ignore[arg-type]
    return {e.entities: e for e in found}


def test_singles_then_pairs_whose_members_are_safe() -> None:
    index = Memory()
    found = assess(index, k=1)
    assert isinstance(WebIndicator(index), Indicator)
    # With k = 1 only the newest page is seen: the prize alone leads to Bo, the year to the fair, Porto to music.
    assert {key for key, e in found.items() if e.risky} == {("ana souza",), ("porto", "lark prize")}
    assert all(len(key) == 1 or e.risky for key, e in found.items())


def test_reasons_have_numbers_and_addresses_and_no_text() -> None:
    found = assess(Memory(), k=3)
    assert (
        found["lark prize",].reason
        == "it alone returns 2 pages, 1 of them about the protected person (ana)"
    )
    assert found["lark prize",].score == 0.5
    assert found["lark prize",].threshold == 0.3333
    assert (
        found["ana souza",].reason
        == "it alone returns 1 page, which is about the protected person (ana)"
    )
    assert found["porto",].reason.startswith("it alone returns the best 3 pages, 1 of them about")
    assert not any(
        word in e.reason for e in found.values() for word in ("Souza", "Porto", "Prize", "1999")
    )


def test_three_together_and_what_is_risky_is_not_asked_again() -> None:
    pages = {
        "ana": "Ana Souza: cellist, Porto, Lark Prize, 1999",
        "x": "cellist Porto Lark Prize",
        "y": "cellist Porto 1999",
        "z": "Lark Prize 1999",
    }
    index = Memory(pages)
    found = assess(index, k=1, max_arity=3)
    risky = {key for key, e in found.items() if e.risky and len(key) > 1}
    assert ("cellist", "lark prize", "1999") in risky
    assert ("porto", "lark prize", "1999") in risky
    pairs = [key for key in risky if len(key) == 2]
    for asked in index.asked:
        assert not any(
            len(asked) > 2 and set(pair) < {t.lower() for t in asked} - {"ana souza"}
            for pair in pairs
        )
    assert found["cellist", "lark prize", "1999"].reason.startswith(
        "together they return 1 page, which is about"
    )


def test_what_is_on_no_page_of_the_person_is_not_combined() -> None:
    pages = {
        "ana": "Ana Souza of Porto",
        "x": "Porto",
        "prize": "Lark Prize 1999 cellist",
        "year": "1999",
    }
    index = Memory(pages)
    assess(index, k=1)
    assert not [asked for asked in index.asked if len(set(asked) - {"Ana Souza"}) > 1]
    vague = Vague(pages)
    assess(vague, k=1)
    assert ("Lark Prize", "1999") in vague.asked or ("1999", "Lark Prize") in vague.asked


@pytest.mark.parametrize(
    ("rule", "lower", "upper", "risky"),
    [
        ("hits", 3, None, {"porto", "1999", "cellist"}),
        ("hits", 1, 2, {"ana souza", "lark prize"}),
        ("hits", 100, None, set()),
        ("either", 3, None, {"ana souza", "cellist", "porto", "lark prize", "1999"}),
        ("both", 3, None, {"cellist", "porto", "1999"}),
    ],
)
def test_hits_between_bounds(rule: str, lower: int, upper: int | None, risky: set[str]) -> None:
    found = assess(Memory(), rule=rule, lower=lower, upper=upper, max_arity=1)
    assert {key[0] for key, e in found.items() if e.risky} == risky
    assert "hits, which is" in found["porto",].reason
    assert all((e.score >= e.threshold) == e.risky for e in found.values())


def test_hits_of_what_is_added_never_grow() -> None:
    index = Memory()
    assess(index, rule="hits", lower=100)
    assert all(len(asked) == 1 for asked in index.asked)


def test_without_a_person_the_direct_identifiers_stand_in() -> None:
    found = assess(Memory(), protected=False)
    assert found["lark prize",].risky
    assert "someone the text names" in found["lark prize",].reason
    target = document(False)
    quasi = [e for e in entities(target) if e.identifier is not IdentifierType.DIRECT]
    evidence = WebIndicator(Memory()).assess(target, quasi)  # type: ignore[arg-type]
    assert evidence
    assert not any(e.risky for e in evidence)


def test_the_budget_ends_the_search_and_is_told() -> None:
    index = Memory()
    found = assess(index, k=1, budget=12)
    assert len(index.asked) == 12
    assert "the budget of 12 queries ended" in found["1999",].reason
    assert "budget" not in found["ana souza",].reason


def test_a_dry_run_counts_and_asks_nothing() -> None:
    index = Memory()
    found = assess(index, dry_run=True)
    assert index.asked == []
    assert set(found) == {(e.id,) for e in entities(document())}
    # The name; five entities and six pairs of the four that may stay, each with and without the name. The name with
    # the entity that is the name is the same question as the name.
    assert "counted 21 queries" in found["porto",].reason
    assert not any(e.risky for e in found.values())


@given(
    st.lists(st.sets(st.sampled_from("abcd")), min_size=1, max_size=12),
    st.integers(1, 3),
    st.integers(0, 11),
)
def test_pruning_changes_no_answer(texts: list[set[str]], k: int, person: int) -> None:
    """Against the plain algorithm: a combination is risky if it, or a part of it, is by Algorithm 1."""
    pages = {
        str(at): "".join(sorted(text)) + ("N" if at == person else "")
        for at, text in enumerate(texts)
    }
    search = WebSearch(Memory(pages), ["N"], "", k)
    search.run("abcd", range(4), 3)
    pruned = {f.members for f in search.findings if f.risky}
    plain = Memory(pages)
    about = set(plain.search(["N"], k))
    for size in (1, 2, 3):
        for members in combinations(range(4), size):
            terms = ["abcd"[at] for at in members]
            about |= set(plain.search(["N", *terms], k))
            truth = bool(about & set(plain.search(terms, k)))
            covered = any(set(part) <= set(members) for part in pruned)
            assert covered >= truth
            assert not (members in pruned and not truth)


def test_a_policy_names_it(tmp_path: Path) -> None:
    build_index(
        [PublicPage(url, "", text) for url, text in PAGES.items()], tmp_path / "pages.index"
    )
    raw = {
        "name": "w",
        "protect": ["Ana Souza"],
        "indicators": [
            {
                "kind": "web",
                "index": {"kind": "local", "path": str(tmp_path / "pages.index")},
                "k": 5,
            }
        ],
    }
    result = Sanitizer(Policy.parse(raw)).sanitize(TEXT)
    assert {e.indicator for e in result.evidence} == {"web"}
    assert any("(ana)" in e.reason for e in result.evidence)


def test_the_default_policy_asks_an_index_that_is_named(tmp_path: Path) -> None:
    build_index(
        [PublicPage(url, "", text) for url, text in PAGES.items()], tmp_path / "pages.index"
    )
    raw = {"extends": "balanced", "protect": ["Ana Souza"], "index": str(tmp_path / "pages.index")}
    evidence = Sanitizer(Policy.parse(raw)).sanitize(TEXT).evidence
    assert {e.indicator for e in evidence} >= {"sequence", "web"}
    own = Policy.parse(
        {**raw, "indicators": [{"kind": "web", "index": {"kind": "local", "path": "x"}}]}
    )
    assert [part.kind for part in own.assessed].count(
        "web"
    ) == 1  # what a policy spells out is not added again


def test_a_policy_that_is_wrong_is_refused() -> None:
    def parse(**web: object) -> Policy:
        return Policy.parse({"name": "w", "indicators": [{"kind": "web", **web}]})

    with pytest.raises(PolicyError, match="index"):
        parse()
    with pytest.raises(PolicyError, match="did you mean 'max_arity'"):
        parse(index={"kind": "local", "path": "x"}, max_aritty=2)
    with pytest.raises(PolicyError, match=r"indicators\.0\.web\.index: unknown kind"):
        parse(index={"kind": "nowhere"})

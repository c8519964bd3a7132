"""The optimiser: the same optimum as brute force, demands, conflicts, reasons, and plans without CP-SAT."""

import math
import random
import sys
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise import plugins
from maskwise.decide import OptimalSolver, ThresholdSolver, hitting_set
from maskwise.decide.optimiser import Optimiser
from maskwise.decide.options import list_options
from maskwise.decide.problem import SCALE, Option, Problem
from maskwise.errors import PlanError
from maskwise.mask import Replacement
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import (
    Action,
    Document,
    Entity,
    EntityType,
    Evidence,
    IdentifierType,
    Level,
    Override,
    Provenance,
)
from maskwise.text.exposure import Hazard, measure_hazards


def keep(name):
    return Override(name, Action.KEEP, author="R. Vale", reason="it is public")


def mark(entities, **sources):
    """The entities, with the mentions of those named marked as the line marks listed texts."""
    return [
        replace(e, mentions=tuple(replace(m, source=sources[e.id]) for m in e.mentions))
        if e.id in sources
        else e
        for e in entities
    ]


def suppress(name):
    return Override(name, Action.SUPPRESS)


def expose(entities, evidence, plan):
    """The exposure of a plan by its formula."""
    left = 1.0
    for hazard in measure_hazards(entities, evidence):
        left *= 1 - hazard.weight * min(plan.by_entity[e].visible for e in hazard.entities)
    return 1 - left


# Problems as numbers


@st.composite
def problems(draw):
    count = draw(st.integers(1, 12))
    options = []
    for _ in range(count):
        whole = draw(st.integers(0, 20))
        shares = draw(
            st.lists(
                st.sampled_from([0.25, 0.5, 0.75]), unique=True, max_size=1 if count > 6 else 3
            )
        )
        steps = [Option(round(whole * s), s, s >= 0.5) for s in (0.0, *sorted(shares), 1.0)]
        first = draw(st.integers(0, len(steps) - 1)) if draw(st.booleans()) else 0
        last = (
            draw(st.integers(first + 1, len(steps))) if draw(st.integers(0, 5)) == 0 else len(steps)
        )
        options.append(tuple(steps[first:last]))
    members = st.lists(st.integers(0, count - 1), min_size=1, max_size=4, unique=True).map(
        lambda m: tuple(sorted(m))
    )
    combinations = tuple(draw(st.lists(members, max_size=14)))
    subjects = draw(st.lists(members, max_size=14, unique=True))
    hazards = tuple(
        (m, Hazard(tuple(map(str, m)), draw(st.sampled_from([0.05, 0.2, 0.5, 0.9]))))
        for m in subjects
    )
    budget = draw(st.sampled_from([None, 0.05, 0.3, 1.0]))
    return Problem(tuple(options), combinations, hazards, budget)


def best(problem):
    """The least loss by trying everything, None when nothing solves the problem."""
    choices = product(*(range(len(options)) for options in problem.options))
    return min((problem.measure_loss(c) for c in choices if problem.is_solved(c)), default=None)


def solvable(problem):
    return problem.is_solved(tuple(len(options) - 1 for options in problem.options))


@settings(max_examples=150, deadline=None)
@given(problem=problems(), small=st.sampled_from([0, hitting_set.SMALL]))
def test_the_optimum_is_that_of_brute_force(problem, small):
    if not solvable(problem):
        assert best(problem) is None
        return
    solution = Optimiser(effort=10.0, small=small).solve(problem)
    assert solution.proved
    assert problem.is_solved(solution.choice)
    assert problem.measure_loss(solution.choice) == solution.bound == best(problem)


@settings(max_examples=100, deadline=None)
@given(problem=problems())
def test_without_the_exact_solver_plans_are_safe_and_bounds_true(problem):
    if not solvable(problem):
        return
    solution = Optimiser(effort=0.0, small=0).solve(problem)
    assert problem.is_solved(solution.choice)
    assert solution.bound <= best(problem) <= problem.measure_loss(solution.choice)
    assert not solution.proved or problem.measure_loss(solution.choice) == best(problem)


@settings(max_examples=100, deadline=None)
@given(problem=problems(), data=st.data())
def test_quick_answers_after_a_change_are_safe_and_bounds_true(problem, data):
    last = tuple(data.draw(st.integers(0, len(options) - 1)) for options in problem.options)
    if not solvable(problem):
        return
    solution = Optimiser(effort=1.0, small=0).solve(problem, last, exact=False)
    assert problem.is_solved(solution.choice)
    assert solution.bound <= best(problem) <= problem.measure_loss(solution.choice)
    assert not solution.proved or problem.measure_loss(solution.choice) == best(problem)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_reductions_keep_an_optimum(data):
    sets = data.draw(
        st.lists(st.frozensets(st.integers(0, 9), min_size=1, max_size=4), max_size=12)
    )
    weights = {m: data.draw(st.integers(0, 9)) for m in range(10)}
    taken, kernel = hitting_set.reduce_sets(weights, sets)
    answer = taken.union(
        *(
            hitting_set.hit_optimally(weights, piece)
            for piece in hitting_set.split_components(kernel)
        )
    )
    subsets = ({m for m in range(10) if number >> m & 1} for number in range(1 << 10))
    least = min(sum(weights[m] for m in one) for one in subsets if all(one & s for s in sets))
    assert all(answer & one for one in sets)
    assert sum(weights[m] for m in answer) == least


def test_rounding_never_lets_exposure_over_the_bound():
    hazards = tuple(((at,), Hazard((str(at),), 0.1)) for at in range(40))
    budget = 20 * -math.log1p(
        -0.1
    )  # room for twenty to the last bit; whole numbers may round that down to nineteen
    problem = Problem(((Option(0, 0.0, False), Option(3, 1.0, True)),) * 40, (), hazards, budget)
    solution = Optimiser(effort=1.0).solve(problem)
    assert solution.proved
    assert problem.measure_exposure(solution.choice) <= budget
    assert problem.measure_loss(solution.choice) in (60, 63)
    assert problem.units / SCALE <= budget


# Documents

DOC = Document("Ana Souza, nurse, Ascoli Piceno, born 1921, of the Blue Choir, no. 12/98")


def entity(name, text, kind, **options):
    start = DOC.text.index(text)
    attributes = {k: options.pop(k) for k in ("score", "subtype") if k in options}
    return Entity(
        name, kind, (DOC.mention(start, start + len(text), kind, **attributes),), **options
    )


ANA = entity(
    "ana", "Ana Souza", EntityType.PERSON, protected=True, identifier=IdentifierType.DIRECT
)
CODE = entity("code", "12/98", EntityType.CODE, identifier=IdentifierType.DIRECT)
NURSE = entity("nurse", "nurse", EntityType.DEM)
TOWN = entity("town", "Ascoli Piceno", EntityType.LOC, subtype="city")
YEAR = entity("year", "1921", EntityType.DATETIME)
CHOIR = entity("choir", "Blue Choir", EntityType.ORG)
ALL = (ANA, NURSE, TOWN, YEAR, CHOIR, CODE)
SAFE = [
    Evidence((e.id,), 0.1, 0.5, False, "scores 0.10, under 0.50", "test")
    for e in (NURSE, TOWN, YEAR, CHOIR)
]


def together(*entities, score=0.8):
    return Evidence(entities, score, 0.5, True, f"{' and '.join(entities)} return 3 pages", "web")


def masked(plan):
    return {d.entity for d in plan.decisions if d.masked}


def test_without_combinations_and_bound_it_masks_what_the_rules_mask():
    for evidence in ([], SAFE, [together("nurse")]):
        options = {"thresholds": {EntityType.LOC: 0}, "subtypes": {"city": 0.2}, "default": 0.9}
        optimal, simple = (
            s(**options).solve(DOC, ALL, evidence) for s in (OptimalSolver, ThresholdSolver)
        )
        assert masked(optimal) == masked(simple)
        assert optimal.optimal
        assert optimal.solver == "optimal (rules)"
        assert optimal.gap == 0
        assert optimal.bound == optimal.objective == simple.objective


def test_one_mask_that_breaks_two_combinations_beats_two_cheaper_ones():
    evidence = [*SAFE, together("nurse", "town"), together("town", "year")]
    plan = OptimalSolver().solve(DOC, ALL, evidence)
    assert plan.objective == 2 + 1 + 2
    assert masked(plan) in ({"ana", "code", "town"}, {"ana", "code", "nurse", "year"})
    evidence.append(together("town", "choir"))
    plan = OptimalSolver().solve(DOC, ALL, evidence)
    assert masked(plan) == {"ana", "code", "town"}
    assert plan.by_entity["town"].reasons == (
        "risky together: nurse and town return 3 pages (and 2 more combinations that this mask breaks)",
    )
    assert plan.by_entity["year"].reasons == (
        "scores 0.10, under 0.50",
        "1 risky combination with it broken by masking others",
    )


def test_a_combination_with_a_direct_identifier_costs_nothing():
    plan = OptimalSolver().solve(
        DOC, ALL, [*SAFE, together("ana", "town"), together("code", "year")]
    )
    assert masked(plan) == {"ana", "code"}


LEVELS = {"town": (Level("town in Italy", 0.4), Level("Italy", 0.7))}


def test_a_level_that_loses_enough_breaks_a_combination():
    solver = OptimalSolver()
    evidence = [*SAFE, together("town", "choir")]
    decision = solver.solve(DOC, ALL, evidence, LEVELS).by_entity["town"]
    assert (decision.action, decision.level, decision.lost) == (
        Action.GENERALISE,
        2,
        pytest.approx(1.4),
    )
    assert decision.visible == pytest.approx(0.3)
    decision = replace(solver, enough=0.4).solve(DOC, ALL, evidence, LEVELS).by_entity["town"]
    assert (decision.level, decision.lost) == (1, pytest.approx(0.8))
    risky = [*SAFE, together("town")]
    assert solver.solve(DOC, ALL, risky, LEVELS).by_entity["town"].level == 2


def test_no_ladder_generalises_a_direct_identifier():
    levels = {e.id: (Level("something", 0.9),) for e in ALL}
    plan = OptimalSolver().solve(DOC, ALL, [], levels)
    assert plan.by_entity["ana"].action is plan.by_entity["code"].action is Action.SUPPRESS


def test_levels_are_put_in_order():
    options = list_options((Level("b", 0.7), Level("a", 0.2), Level("all", 1.0)), 10.0, 0.5)
    assert [option.level for option in options] == [0, 2, 1, 0]
    assert [option.loss for option in options] == [0, 2000, 7000, 10000]


def test_the_bound_holds_and_says_so():
    evidence = [
        Evidence((e.id,), 0.45, 0.5, False, "scores 0.45", "test")
        for e in (NURSE, TOWN, YEAR, CHOIR)
    ]
    free = OptimalSolver().solve(DOC, ALL, evidence)
    assert expose(ALL, evidence, free) == pytest.approx(1 - (1 - 0.0225) ** 4)
    plan = OptimalSolver(bound=0.05).solve(DOC, ALL, evidence)
    assert masked(plan) == {"ana", "code", "nurse", "year"}
    assert plan.optimal
    assert expose(ALL, evidence, plan) <= 0.05
    assert plan.by_entity["year"].reasons == (
        "kept, it would raise exposure from 0.04 to 0.07; the bound is 0.05",
    )


def test_information_decides_and_can_come_from_anywhere():
    evidence = [*SAFE, together("town", "year")]
    assert "year" in masked(OptimalSolver().solve(DOC, ALL, evidence))
    rare = OptimalSolver(
        _measure=lambda document, entities: {e.id: 9.0 if e is YEAR else 2.5 for e in entities}
    )
    assert "town" in masked(rare.solve(DOC, ALL, evidence))


def test_information_of_the_language_model_by_policy():
    raw = {"name": "x", "decide": {"kind": "optimal", "information": "lm"}}
    text = "The nurse Ana Souza was born in Porto."
    result, words = (
        Sanitizer(Policy.parse({**raw, **more})).sanitize(text)
        for more in ({}, {"decide": {"kind": "optimal"}})
    )
    assert result.masks == words.masks
    content, counts = (
        {e.id: r.plan.by_entity[e.id].information for e in r.entities} for r in (result, words)
    )
    assert content.keys() == counts.keys() != set()
    assert all(value > 0 and value != counts[e] for e, value in content.items())


class Ends:
    """An operator with a ladder, as a third party would write one."""

    def levels(self, entity):
        return (Level(entity.first.text[:1], 0.6),)

    def replace(self, entity, decision, identity):
        return Replacement(tuple(m.text[:1] if decision.level else "***" for m in entity.mentions))


def test_operators_that_offer_levels_are_used(monkeypatch):
    build = plugins.build_part
    monkeypatch.setattr(
        plugins,
        "build_part",
        lambda group, *rest: Ends() if group == "operators" else build(group, *rest),
    )
    policy = Policy.parse({"name": "x", "decide": {"kind": "optimal"}})
    assert Sanitizer(policy).sanitize("Mail a@example.org from Porto.").text == "Mail *** from P."


def test_must_mask_and_must_keep():
    evidence = [*SAFE, together("town", "year")]
    marked = mark(ALL, choir=Provenance.LISTED, year=Provenance.KEPT)
    plan = OptimalSolver().solve(DOC, marked, evidence)
    assert masked(plan) == {"ana", "code", "choir", "town"}
    assert plan.by_entity["choir"].reasons == ("its text is in the policy's must_mask",)
    assert plan.by_entity["year"].reasons[0] == "its text is in the policy's must_keep"


@pytest.mark.parametrize("solver", [OptimalSolver(bound=0.001), ThresholdSolver()])
def test_what_the_user_keeps_stays_whole_however_risky(solver):
    marked = mark(ALL, town=Provenance.KEPT, year=Provenance.KEPT)
    plan = solver.solve(DOC, marked, [*SAFE, together("town", "year"), together("town", "choir")])
    assert "choir" in masked(plan)
    assert {"town", "year"}.isdisjoint(masked(plan))


def test_overrides_hold_and_are_taken_back():
    program = OptimalSolver().build_program(
        DOC, ALL, [*SAFE, together("town", "year"), together("year", "choir")]
    )
    assert masked(program.solve()) == {"ana", "code", "year"}
    overridden = program.solve([keep("year")])
    assert masked(overridden) == {"ana", "code", "town", "choir"}
    assert overridden.by_entity["year"].reasons[0] == "R. Vale decided so: it is public"
    assert overridden.by_entity["year"].override == keep("year")
    assert masked(program.solve([suppress("nurse")])) == {"ana", "code", "year", "nurse"}
    again = program.solve(exact=False)
    assert masked(again) == {"ana", "code", "year"}
    assert again.optimal


def test_every_masked_entity_can_be_shown_but_a_protected_name():
    rules = {
        "thresholds": {
            EntityType.ORG: 0,
            EntityType.LOC: 0,
            EntityType.DATETIME: 0,
            EntityType.DEM: 0,
        }
    }
    program = OptimalSolver(**rules).build_program(DOC, ALL, [*SAFE, together("town", "year")])
    assert masked(program.solve()) == {e.id for e in ALL}
    for shown in ALL[1:]:
        plan = program.solve([keep(shown.id)])
        assert masked(plan) == {e.id for e in ALL} - {shown.id}
        assert plan.by_entity[shown.id].added_exposure >= 0
    assert program.solve([keep("code")]).by_entity["code"].added_exposure > 0.9


def test_a_combination_that_a_person_keeps_whole_stays_whole():
    program = OptimalSolver(bound=0.2).build_program(DOC, ALL, [*SAFE, together("town", "year")])
    plan = program.solve([keep("town"), keep("year")])
    assert not plan.by_entity["town"].masked
    assert not plan.by_entity["year"].masked
    assert plan.by_entity["year"].added_exposure > 0.2


def test_the_last_override_of_an_entity_counts():
    program = OptimalSolver().build_program(DOC, ALL, SAFE)
    assert "town" not in masked(program.solve([suppress("town"), keep("town")]))


def test_must_keep_wins_over_a_verdict():
    marked = mark(ALL, choir=Provenance.KEPT)
    plan = OptimalSolver(thresholds={EntityType.ORG: 0}).solve(DOC, marked, SAFE)
    assert masked(plan) == {"ana", "code"}


CONFLICTS = [
    ([keep("ana")], "ana (PERSON at 0) names a person to protect; stop protecting"),
    (
        [Override("town", Action.GENERALISE, 3)],
        "town (LOC at 18) cannot be overridden to generalise at level 3",
    ),
    ([keep("nobody")], "an override names entity 'nobody'"),
]


@pytest.mark.parametrize(("overrides", "message"), CONFLICTS)
def test_conflicts_are_named_without_text(overrides, message):
    with pytest.raises(PlanError) as caught:
        OptimalSolver().build_program(DOC, ALL, [*SAFE, together("town", "year")]).solve(overrides)
    assert message in str(caught.value)
    assert "Ana" not in str(caught.value)
    assert "\n" not in str(caught.value)


# Larger documents


def crowd(count, combinations, seed, arity=2, reach=None):
    """A document of invented words, and combinations of neighbours (or of anybody) among them."""
    random_ = random.Random(seed)
    words = [f"word{at}x" for at in range(count)]
    document = Document(" ".join(words))
    entities, start = [], 0
    for at, word in enumerate(words):
        role = IdentifierType.DIRECT if at % 50 == 0 else IdentifierType.QUASI
        mention = document.mention(start, start + len(word), EntityType.ORG)
        entities.append(Entity(f"e{at}", EntityType.ORG, (mention,), role))
        start += len(word) + 1
    chosen = set()
    while len(chosen) < combinations:
        first = random_.randrange(count)
        others = [
            random_.randrange(first, min(count, first + (reach or count))) for _ in range(arity - 1)
        ]
        if len({first, *others}) == arity:
            chosen.add(tuple(sorted({first, *others})))
    evidence = [Evidence((e.id,), 0.1, 0.5, False, "scores 0.10", "test") for e in entities]
    evidence += [
        Evidence(tuple(f"e{m}" for m in one), 0.8, 0.5, True, "3 pages", "web")
        for one in sorted(chosen)
    ]
    weights = {e.id: random_.uniform(1, 40) for e in entities}
    return document, entities, evidence, lambda document, entities: weights


def broken(plan, evidence):
    visible = {d.entity for d in plan.decisions if not d.masked}
    return not any(e.risky and set(e.entities) <= visible for e in evidence)


def test_the_same_plan_always():
    *case, information = crowd(120, 300, 1)
    solver = OptimalSolver(_measure=information, effort=0.02)
    assert solver.solve(*case) == solver.solve(*case)


@pytest.mark.parametrize("missing", [False, True])
def test_fallbacks_leave_no_direct_identifier_and_no_combination(monkeypatch, missing):
    if missing:
        monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    document, entities, evidence, information = crowd(200, 600, 2)
    solver = OptimalSolver(_measure=information, bound=0.2, deadline=None if missing else 0.0)
    plan = solver.solve(document, entities, evidence)
    assert plan.solver == "optimal (greedy)"
    assert all(
        plan.by_entity[e.id].action is Action.SUPPRESS for e in entities if e.identifier == "DIRECT"
    )
    assert broken(plan, evidence)
    assert expose(entities, evidence, plan) <= 0.2
    assert plan.bound <= plan.objective
    assert plan.gap is not None


def test_greedy_is_near_the_optimum():
    document, entities, evidence, information = crowd(200, 500, 3, reach=12)
    solver = OptimalSolver(_measure=information)
    proved, greedy = (
        solver.solve(document, entities, evidence),
        replace(solver, effort=0.0).solve(document, entities, evidence),
    )
    assert proved.optimal
    assert proved.solver == "optimal (cp-sat)"
    assert proved.objective <= greedy.objective <= 1.1 * proved.objective


def test_a_large_document_is_solved_again_after_an_override():
    document, entities, evidence, information = crowd(500, 2000, 4, reach=12)
    program = OptimalSolver(_measure=information).build_program(document, entities, evidence)
    plan = program.solve()
    assert broken(plan, evidence)
    kept = next(d.entity for d in plan.decisions if not d.masked)
    again = program.solve([suppress(kept)], exact=False)
    assert again.by_entity[kept].masked
    assert broken(again, evidence)
    assert plan.objective <= again.objective
    assert again.bound <= again.objective

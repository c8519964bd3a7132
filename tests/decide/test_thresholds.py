"""The first decider: order of its rules, and reasons."""

from maskwise.decide import ThresholdSolver
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType

DOC = Document("Ana Souza, nurse, Porto, 3 May 2001, no. 12/98")


def entity(name, text, kind, **options):
    start = DOC.text.index(text)
    attributes = {k: options.pop(k) for k in ("score", "subtype", "source") if k in options}
    return Entity(
        name, kind, (DOC.mention(start, start + len(text), kind, **attributes),), **options
    )


ANA = entity(
    "e1",
    "Ana Souza",
    EntityType.PERSON,
    score=0.1,
    protected=True,
    identifier=IdentifierType.DIRECT,
)
NURSE = entity("e2", "nurse", EntityType.DEM, score=0.6)
PORTO = entity("e3", "Porto", EntityType.LOC, score=0.7, subtype="city")
DATE = entity("e4", "3 May 2001", EntityType.DATETIME, score=0.9)
CODE = entity(
    "e5",
    "12/98",
    EntityType.CODE,
    score=0.2,
    subtype="case_number",
    identifier=IdentifierType.DIRECT,
)
ALL = (ANA, NURSE, PORTO, DATE, CODE)


def risk(*entities, risky=True, indicator="test"):
    return Evidence(entities, 0.9, 0.5, risky, f"{indicator} says so", indicator)


def masked(plan):
    return {d.entity for d in plan.decisions if d.masked}


def test_direct_identifiers_are_masked_whatever_the_thresholds():
    plan = ThresholdSolver(default=2).solve(
        DOC, ALL, [risk("e1", risky=False), risk("e5", risky=False)]
    )
    assert masked(plan) == {"e1", "e5"}
    assert plan.by_entity["e1"].identifier is IdentifierType.DIRECT


def test_thresholds_by_type_and_subtype():
    solver = ThresholdSolver({EntityType.DEM: 0.8, EntityType.LOC: 0.8}, {"city": 0.65})
    assert masked(solver.solve(DOC, ALL, [])) == {"e1", "e3", "e4", "e5"}


def test_indicators_overrule_confidence_but_not_always():
    evidence = [risk("e2"), risk("e4", risky=False), risk("e3", risky=False)]
    plan = ThresholdSolver({EntityType.LOC: 0}).solve(DOC, ALL, evidence)
    assert masked(plan) == {"e1", "e2", "e3", "e5"}
    assert plan.by_entity["e2"].reasons == ("test says so",)


def test_subtypes_may_ask_for_more_and_say_so():
    evidence = [risk("e3")]
    plan = ThresholdSolver(subtypes={"city": 0.95}).solve(DOC, ALL, evidence)
    assert plan.by_entity["e3"].reasons == (
        "test says so, but 0.95 is needed for LOC of this kind",
    )
    plan = ThresholdSolver(subtypes={"city": 2}).solve(DOC, ALL, evidence)
    assert plan.by_entity["e3"].reasons == ("the policy keeps LOC of this kind",)
    assert "e3" in masked(ThresholdSolver(subtypes={"city": 0.8}).solve(DOC, ALL, evidence))


def test_a_risky_combination_gives_up_its_least_informative_member():
    solver = ThresholdSolver(default=2)
    assert masked(solver.solve(DOC, ALL, [risk("e2", "e4")])) == {"e1", "e5", "e2"}
    assert masked(solver.solve(DOC, ALL, [risk("e1", "e4")])) == {"e1", "e5"}


def test_objective_is_the_information_of_what_is_masked():
    plan = ThresholdSolver(default=2).solve(DOC, ALL, [])
    assert plan.objective == 2 + 1
    assert plan.by_entity["e4"].information == 3
    assert plan.by_entity["e4"].lost == 0
    assert all(d.reasons for d in plan.decisions)


def test_a_relative_who_shares_the_name_is_masked_whatever_an_indicator_says():
    relative = entity("e1", "Ana Souza", EntityType.PERSON, source="protect")
    plan = ThresholdSolver(default=2).solve(DOC, [relative], [risk("e1", risky=False)])
    assert masked(plan) == {"e1"}


def test_a_subtype_of_another_type_never_keeps_an_entity():
    """A country that linking took for a person's name does not keep her name."""
    document = Document("Ana Chad went to Chad")
    person = document.mention(0, 8, EntityType.PERSON)
    country = document.mention(17, 21, EntityType.LOC, subtype="country")
    entity = Entity("e1", EntityType.PERSON, (person, country))
    solver = ThresholdSolver(thresholds={EntityType.PERSON: 0}, subtypes={"country": 2})
    assert masked(solver.solve(document, [entity], [])) == {"e1"}
    alone = Entity("e1", EntityType.LOC, (country,))
    assert masked(solver.solve(document, [alone], [])) == set()

"""Time of the optimiser, of solving again after one override, and what the greedy plan loses more.

    python benchmarks/decide.py [--entities 500] [--combinations 2000] [--json FILE]

Three invented families of documents: `targets` (pairs with one of ten entities, as perturbation returns them), `near`
(pairs of entities close to each other) and `random` (pairs of anybody: sparse random graphs, where proofs are hard for
any solver). Each with and without a bound on exposure. Seconds are of the processor, one core, after the solver is
imported.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import figures
from maskwise.decide import OptimalSolver
from maskwise.text import Action, Document, Entity, EntityType, Evidence, IdentifierType, Override

Pick = Callable[[random.Random, int], tuple[int, int]]
FAMILIES: dict[str, Pick] = {
    "targets": lambda r, n: (r.randrange(10), r.randrange(n)),
    "near": lambda r, n: (first := r.randrange(n), min(n - 1, first + r.randint(1, 12))),
    "random": lambda r, n: (r.randrange(n), r.randrange(n)),
}


def build_case(
    pick: Pick, count: int, combinations: int, seed: int
) -> tuple[Document, list[Entity], list[Evidence], Any]:
    """A document of `count` one-word entities, one in fifty a direct identifier, and its pairs."""
    source = random.Random(seed)
    document = Document(" ".join(f"w{at:04d}" for at in range(count)))
    roles = [
        IdentifierType.DIRECT if at % 50 == 49 else IdentifierType.QUASI for at in range(count)
    ]
    entities = [
        Entity(
            f"e{at}", EntityType.ORG, (document.mention(6 * at, 6 * at + 5, EntityType.ORG),), role
        )
        for at, role in enumerate(roles)
    ]
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < combinations:
        one, other = pick(source, count)
        if one != other:
            pairs.add((min(one, other), max(one, other)))
    evidence = [
        Evidence((e.id,), source.uniform(0, 0.4), 0.5, False, "under", "sequence") for e in entities
    ]
    evidence += [
        Evidence((f"e{a}", f"e{b}"), 0.8, 0.5, True, "together", "web") for a, b in sorted(pairs)
    ]
    weights = {e.id: source.uniform(1, 40) for e in entities}
    return document, entities, evidence, lambda document, entities: weights


def time_call(solve: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    return solve(), time.process_time() - began


def measure(
    family: str, bound: float | None, count: int, combinations: int, seed: int
) -> dict[str, Any]:
    document, entities, evidence, information = build_case(
        FAMILIES[family], count, combinations, seed
    )
    solver = OptimalSolver(_measure=information, bound=bound)
    program = solver.build_program(document, entities, evidence)
    plan, first = time_call(program.solve)
    greedy = replace(solver, effort=0.0).solve(document, entities, evidence)
    source = random.Random(seed)
    free = [d for d in plan.decisions if d.identifier is not IdentifierType.DIRECT]
    again, proved, over = [], 0, []
    for decision in source.sample(free, 10):
        flipped = Action.SUPPRESS if decision.action is Action.KEEP else Action.KEEP
        override = Override(decision.entity, flipped)
        changed, seconds = time_call(lambda one=override: program.solve([one], exact=False))
        again.append(seconds)
        proved += changed.optimal
        if len(over) < 3:
            best = solver.build_program(document, entities, evidence).solve([override])
            over.append(changed.objective / best.objective - 1)
        program.solve()
    return {
        "family": family,
        "bound": bound,
        "solver": plan.solver,
        "seconds": round(first, 3),
        "optimal": plan.optimal,
        "gap": round(plan.gap or 0.0, 4),
        "re-solve, median": round(statistics.median(again), 3),
        "re-solve, worst": round(max(again), 3),
        "re-solves proved": f"{proved} of 10",
        "re-solve over solving anew": round(max(over), 4),
        "greedy over the plan": round(greedy.objective / plan.objective - 1, 4),
    }


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--entities", type=int, default=500)
    parser.add_argument("--combinations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    _, imported = time_call(lambda: __import__("ortools.sat.python.cp_model"))
    print(f"import of CP-SAT: {imported:.2f} s")
    size = (options.entities, options.combinations, options.seed)
    rows = []
    for family in FAMILIES:
        for bound in (None, 0.5):
            rows.append(measure(family, bound, *size))
            print("  ".join(f"{key}: {value}" for key, value in rows[-1].items()), flush=True)
    table = figures.build_figure(
        f"Solving {options.entities} entities with {options.combinations} combinations",
        "python benchmarks/decide.py --json docs/figures/decide.json",
        list(rows[0]),
        [["" if value is None else value for value in row.values()] for row in rows],
        seeds=[options.seed],
        note=f"Seconds of the processor, one core. Import of CP-SAT: {imported:.2f} s.",
    )
    figures.save_figure(options.json, table)


if __name__ == "__main__":
    main()

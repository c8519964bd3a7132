"""The head of a document's section: risk in the crowd, reasons for masking and keeping, and what was read."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from html import escape

from maskwise.crowd.measured import CrowdRisk, PersonRisk, Standing
from maskwise.result import Result

PEOPLE = 20  # tables of people; the JSON of the command has all
SHOWN = 6  # reasons of each kind, and examples of each; the list of entities has all
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
# Where a meter changes its colour: green up to the first, red above the second.
_LOW, _HIGH = 0.1, 0.5


def build_summary(results: Sequence[Result], notes: Sequence[str] = ()) -> str:
    """The facts about all texts of a file. `notes` say what was left out of it."""
    return f"""<div class="summary">
{_build_risk(results)}
{_build_reasons(results, True, "Masked, and why")}
{_build_reasons(results, False, "Kept, and why")}
{_build_coverage(results)}{_list_notes(notes)}
</div>"""


def _build_risk(results: Sequence[Result]) -> str:
    """Where each person stands in the crowd before and after, and what the plans lose."""
    decisions = [decision for result in results for decision in result.plan.decisions]
    lost = math.fsum(decision.lost for decision in decisions)
    whole = math.fsum(decision.information for decision in decisions)
    proof = ", and no plan loses less" if all(result.plan.optimal for result in results) else ""
    return f"""<div><h3>Risk in the crowd</h3>{_build_standings([result.risk for result in results])}
<p>Information lost: {lost:.1f} of {whole:.1f}{proof}.</p></div>"""


def _build_standings(risks: Sequence[CrowdRisk | None]) -> str:
    """One table per person of all texts, the likeliest to be found first, and what was not measured."""
    known = [risk for risk in risks if risk is not None]
    if not known:
        return "<p>Not measured; the option --risk measures it.</p>"
    people = _list_people(risks)
    said = []
    if len(people) > PEOPLE:
        said.append(f"and {len(people) - PEOPLE} more, who are not likelier to be found")
    if missing := sum(not risk.is_measured for risk in known):
        where = f" in {missing} of {len(known)} texts" if len(known) > 1 else ""
        said.append(f"Not measured{where}.")
    said += dict.fromkeys(risk.note for risk in known if risk.note)
    if people:
        crowd = f"{known[0].people:,} people"
        said.append(f"Rank among {crowd}, and the probability that the attacker finds the person.")
    tables = "".join(_build_person(*one) for one in people[:PEOPLE])
    return tables + "".join(f"<p>{escape(line)}</p>" for line in said)


def _list_people(risks: Sequence[CrowdRisk | None]) -> list[tuple[str, PersonRisk, int | None]]:
    """The people of all texts with their labels and, where it was missed, K; the likeliest to be found first."""
    found = []
    for number, risk in enumerate(risks, 1):
        for person in risk.persons if risk is not None else ():
            label = f"text {number}, {person.label}" if len(risks) > 1 else person.label
            missed = risk.k if risk is not None and person in risk.exposed else None
            found.append((label, person, missed))
    return sorted(found, key=lambda one: -one[1].probability)


def _build_person(label: str, person: PersonRisk, missed: int | None) -> str:
    """One person: the rank and the probability with each attacker before and after, with a meter of the latter."""
    rows = ""
    for name, before in person.before.items():
        rows += _build_standing(f"{name}, before", before)
        rows += _build_standing(f"{name}, after", person.after[name])
    head = '<tr><td></td><th scope="col">rank</th><th scope="col">probability</th></tr>'
    note = (
        ""
        if missed is None
        else f"<p>K = {missed} was missed: what may be masked does not suffice.</p>"
    )
    return f'<h4>{escape(label)}</h4><table class="risk">{head}{rows}</table>{note}'


def _build_standing(name: str, standing: Standing) -> str:
    value = standing.probability
    meter = (
        f'<meter min="0" max="1" low="{_LOW}" high="{_HIGH}" optimum="0" value="{value:.4f}">'
        f"{value:.2f}</meter>"
    )
    return (
        f'<tr><th scope="row">{escape(name)}</th><td>{standing.rank:,}</td>'
        f"<td>{meter} {value:.2f}</td></tr>"
    )


def _build_reasons(results: Sequence[Result], masked: bool, title: str) -> str:
    """Reasons with their counts, and examples of what stays.

    Reasons that differ only in their numbers count as one, and one of them is shown with its numbers.
    """
    found: dict[str, list[str]] = defaultdict(list)
    sentences: dict[str, dict[str, None]] = defaultdict(dict)
    entities = 0
    for result in results:
        for entity in result.findings:
            decision = result.plan.by_entity[entity.id]
            if decision.masked is not masked:
                continue
            entities += 1
            by_shape = {_NUMBERS.sub("0", reason): reason for reason in decision.reasons}
            for shape, sentence in sorted(by_shape.items()):
                found[shape].append(entity.longest.text)
                sentences[shape][sentence] = None
    ranked = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    rows = ""
    for shape, texts in ranked[:SHOWN]:
        rows += _build_reason(list(sentences[shape]), texts, not masked)
    more = f"<p>and {len(ranked) - SHOWN} more reasons</p>" if len(ranked) > SHOWN else ""
    return (
        f"<div><h3>{title}</h3><p>{_count_entities(entities)}</p><table>{rows}</table>{more}</div>"
    )


def _build_reason(sentences: Sequence[str], texts: Sequence[str], examples: bool) -> str:
    others = f" (and {len(sentences) - 1} like it with other numbers)" if len(sentences) > 1 else ""
    shown = list(dict.fromkeys(texts))[:SHOWN] if examples else []
    more = ", …" if examples and len(set(texts)) > SHOWN else ""
    listed = f"<br><small>{escape(', '.join(shown))}{more}</small>" if shown else ""
    return f"<tr><td>{len(texts)}</td><td>{escape(sentences[0])}{others}{listed}</td></tr>"


def _count_entities(entities: int) -> str:
    return "1 entity" if entities == 1 else f"{entities} entities"


def _list_notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    items = "".join(f"<li>{escape(text)}</li>" for text in notes)
    return f"\n<div><h3>Left out</h3><ul>{items}</ul></div>"


def _build_coverage(results: Sequence[Result]) -> str:
    """The certificate: whether every detector read every character."""
    characters = sum(r.coverage.characters for r in results)
    read: Counter[str] = Counter()
    for result in results:
        read.update(result.coverage.read)
    verdict = "INCOMPLETE: see the numbers."
    if all(result.coverage.complete for result in results):
        verdict = "Every detector read every character."
    ordered = _order_readers(results, read)
    rows = "".join(_build_row(name, count, characters) for name, count in ordered.items())
    return f"<div><h3>Coverage</h3><p>{verdict}</p><table>{rows}</table></div>"


def _order_readers(results: Sequence[Result], read: Mapping[str, int]) -> Mapping[str, int]:
    return {name: read[name] for result in results for name in result.coverage.read}


def _build_row(name: str, count: int, characters: int) -> str:
    return (
        f'<tr><th scope="row">{escape(name)}</th><td>{count} of {characters} characters</td></tr>'
    )

"""Compare policies on documents of your own: how much each keeps, and how hard the person is to find in the crowd.

python examples/compare_policies.py
"""

from pathlib import Path

from maskwise import Document
from maskwise.evaluate.tradeoff import summarise_outcomes
from maskwise.frontier import VersionTrial, list_versions
from maskwise.settings import CrowdSettings
from maskwise.text import Person

LETTER = Path(__file__).with_name("letter.txt").read_text("utf-8")
letters = [Document(LETTER, protected=(Person("Ingrid Solberg Hansen"),))]

# `maskwise pareto letters.jsonl -o page.html` draws the same as a page, with more versions.
crowd = CrowdSettings()
versions = list_versions(["research", "strict"], recalls=[], ks=[], asked=crowd)
outcomes = list(VersionTrial(versions, judges=crowd).run(letters))
for version in versions:
    own = [one.outcome for one in outcomes if one.version is version]
    point = summarise_outcomes(version.name, version.kind, own)
    print(f"{point.name:<12}{point.kept.value:4.0%} kept, rank {point.rank.value:,.0f}")

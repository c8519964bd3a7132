"""Mask a letter for one protected person and print the reason for each decision.

python examples/letter.py
"""

from pathlib import Path

from maskwise import sanitize

text = Path(__file__).with_name("letter.txt").read_text("utf-8")
result = sanitize(text, protect="Ingrid Solberg Hansen")

print(result.text)
for entity in result.entities:
    decision = result.plan.by_entity[entity.id]
    print(f"{entity.type:<9}{decision.action:<11}{decision.reasons[0]}")

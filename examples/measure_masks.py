"""Measure the masks of another tool against human annotators, with the metrics of the Text Anonymization Benchmark.

python examples/measure_masks.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from maskwise.evaluate.tab import evaluate_masks
from maskwise.text import EntityType, tab

CORPUS = """[{
  "doc_id": "letter", "text": "Ana Souza lives in Porto.", "task": "Ana Souza",
  "annotations": {"annotator1": {"entity_mentions": [
    {"entity_id": "e1", "entity_mention_id": "m1", "entity_type": "PERSON", "identifier_type": "DIRECT",
     "start_offset": 0, "end_offset": 9, "span_text": "Ana Souza", "confidential_status": "NOT_CONFIDENTIAL"},
    {"entity_id": "e2", "entity_mention_id": "m2", "entity_type": "LOC", "identifier_type": "QUASI",
     "start_offset": 19, "end_offset": 24, "span_text": "Porto", "confidential_status": "NOT_CONFIDENTIAL"}]}}
}]"""

with TemporaryDirectory() as folder:
    path = Path(folder, "corpus.json")
    path.write_text(CORPUS, "utf-8")
    corpus = tab.load_corpus(path)

# Another tool masked the name and left the town.
scores = evaluate_masks(corpus, {"letter": [(0, 9)]})
for name in ("precision", "recall", "entity_recall_direct", "entity_recall_quasi"):
    print(f"{name:<22}{scores[name].value:.2f}")
print(f"recall of places      {scores[f'recall_{EntityType.LOC.lower()}'].value:.2f}")

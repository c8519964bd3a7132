"""Record what Presidio's own services answer to the requests of `tests/server/presidio_cases.py`.

    .venv-peers/bin/python benchmarks/presidio_api.py --apps FOLDER -o tests/data/presidio_answers.json

FOLDER holds `analyzer_app.py` and `anonymizer_app.py`, the two `app.py` of Presidio's repository, which no package
ships. Run it in an environment with presidio-analyzer, presidio-anonymizer and Flask. A test compares our answers with
the recorded ones; `docs/server.md` lists what differs.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ANALYZER = ("/analyze", "/recognizers", "/supportedentities", "/health")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--apps", type=Path, required=True, help="folder of the two apps")
    parser.add_argument("-o", "--out", type=Path, required=True, help="where to write the answers")
    options = parser.parse_args()
    sys.path[:0] = [str(options.apps), str(ROOT)]
    cases = importlib.import_module("tests.server.presidio_cases").list_cases()
    analyzer = importlib.import_module("analyzer_app").create_app().test_client()
    anonymizer = importlib.import_module("anonymizer_app").create_app().test_client()
    answers = {}
    for case in cases:
        client = analyzer if case["path"].partition("?")[0] in ANALYZER else anonymizer
        answers[case["name"]] = ask(client, case)
    recorded = {
        "presidio-analyzer": version("presidio-analyzer"),
        "presidio-anonymizer": version("presidio-anonymizer"),
        "answers": answers,
    }
    options.out.write_text(json.dumps(recorded, indent=1, ensure_ascii=True) + "\n")
    print(f"{len(answers)} answers recorded in {options.out}")


def ask(client: Any, case: dict[str, Any]) -> dict[str, Any]:
    if "json" in case:
        found = client.open(case["path"], method=case["method"], json=case["json"])
    else:
        found = client.open(
            case["path"],
            method=case["method"],
            data=case.get("body", ""),
            content_type=case.get("kind"),
        )
    try:
        body = json.loads(found.get_data())
    except ValueError:
        body = found.get_data(as_text=True)
    return {"status": found.status_code, "body": body}


if __name__ == "__main__":
    main()

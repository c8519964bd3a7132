"""The description of the API that ships is the one of the code."""

import json
from pathlib import Path

from maskwise.server.openapi import describe_api

PAGE = Path(__file__).parents[2] / "docs" / "openapi.json"


def test_the_committed_description_is_up_to_date():
    assert describe_api() == PAGE.read_text("utf-8"), (
        "run python -m maskwise.server.openapi > docs/openapi.json"
    )


def test_no_text_goes_into_an_address():
    described = json.loads(PAGE.read_text("utf-8"))
    named = {
        parameter["name"]
        for path in described["paths"].values()
        for method in path.values()
        for parameter in method.get("parameters", ())
    }
    assert named == {"job", "language"}

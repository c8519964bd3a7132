"""A quick policy without the model, and invented letters."""

import json

import pytest
from batch_letters import RULES, write_letter

from maskwise.policy import Policy


@pytest.fixture
def rules():
    return Policy.parse(RULES)


@pytest.fixture
def rules_file(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text(json.dumps(RULES))
    return path


@pytest.fixture
def letters(tmp_path):
    folder = tmp_path / "letters"
    for number in range(12):
        path = folder / f"box{number % 3}" / f"letter{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_letter(number) * (1 + number % 4))
    return folder

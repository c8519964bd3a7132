"""JSON that can always be sent: half of a character, which clients and models cut off, has no form in UTF-8."""

from __future__ import annotations

import json
from typing import Any

from fastapi.responses import JSONResponse


def dump_json(value: Any) -> bytes:
    """A value as JSON in UTF-8; in ASCII, with escapes, where a text holds half of a character.

    >>> dump_json("Zoë"), dump_json("Zo\\ud83d")
    (b'"Zo\\xc3\\xab"', b'"Zo\\\\ud83d"')
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


class JsonAnswer(JSONResponse):
    """The answer of every route that gives JSON."""

    def render(self, content: Any) -> bytes:
        return dump_json(content)

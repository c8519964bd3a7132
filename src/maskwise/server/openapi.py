"""Prints the OpenAPI description of the server: `python -m maskwise.server.openapi > docs/openapi.json`."""

from __future__ import annotations

import json
import sys

from maskwise.server.app import create_app
from maskwise.server.service import Service
from maskwise.server.settings import ServerSettings


def describe_api() -> str:
    """The description as JSON, the same on every machine."""
    settings = ServerSettings(threads=1, policies=("balanced",))
    service = Service.build(settings)
    app = create_app(settings, service)
    service.close()
    return json.dumps(app.openapi(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(describe_api())

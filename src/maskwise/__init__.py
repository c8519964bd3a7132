"""Maskwise decides wisely what to mask.

>>> import maskwise
>>> maskwise.sanitize("Mr John Smith was born on 3 May 1971.").text
'[PERSON 1] was born on [DATETIME 1].'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from maskwise.api import sanitize as sanitize
    from maskwise.errors import MaskwiseError as MaskwiseError
    from maskwise.policy import Policy as Policy
    from maskwise.result import Result as Result
    from maskwise.sanitizer import Sanitizer as Sanitizer
    from maskwise.text import Document as Document
    from maskwise.text import Entity as Entity
    from maskwise.text import EntityType as EntityType
    from maskwise.text import Evidence as Evidence
    from maskwise.text import Mention as Mention
    from maskwise.text import Person as Person
    from maskwise.text import Plan as Plan

# Names are loaded when first used, so that `import maskwise` costs nothing.
_HOMES = {
    "Document": "maskwise.text",
    "Entity": "maskwise.text",
    "EntityType": "maskwise.text",
    "Evidence": "maskwise.text",
    "MaskwiseError": "maskwise.errors",
    "Mention": "maskwise.text",
    "Person": "maskwise.text",
    "Plan": "maskwise.text",
    "Policy": "maskwise.policy",
    "Result": "maskwise.result",
    "Sanitizer": "maskwise.sanitizer",
    "sanitize": "maskwise.api",
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'maskwise' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

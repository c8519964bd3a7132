"""Courts, ministries and parliaments in small letters, which name no party of a case.

Written with capitals they are organisations (see `organisation`). In small letters the words alone prove nothing, so
they only say what a model saw.
"""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_COURTS = (
    "administrative appeal city civil constitutional county criminal crown district federal family high labour "
    "magistrates military municipal provincial regional supreme"
).split()
_OF = "appeal|appeals|cassation|first instance|second instance|justice|human rights|audit"
_BODIES = ("parliament", "senate", "government")
_COURT = rf"(?:{'|'.join(_COURTS)})[ ]courts?|courts?[ ]of[ ](?:{_OF})"
_MINISTRY = r"ministry[ ]of[ ](?:the[ ])?[^\W\d_]{3,20}"

FAMILY = Family(
    name="institution",
    rules=(
        Rule(
            name="institution",
            type=EntityType.ORG,
            regex=rf"(?i:{_COURT}|{_MINISTRY}|{'|'.join(_BODIES)})(?![\w-])",
            triggers=(
                *(f"{kind} court" for kind in _COURTS),
                *("court of ", "courts of ", "ministry of ", *_BODIES),
            ),
            opens=True,
            hint=True,
        ),
    ),
    positive=(
        ("it went to the supreme court", ("supreme court",)),
        ("THE COURT OF FIRST INSTANCE", ("COURT OF FIRST INSTANCE",)),
        ("wrote to the ministry of the interior", ("ministry of the interior",)),
        ("the Parliament never answered", ("Parliament",)),
    ),
    negative=(
        "a tennis court",
        "court of public opinion",
        "the parliamentary group",
        "governments",
    ),
)

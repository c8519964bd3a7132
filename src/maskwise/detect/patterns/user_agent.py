"""User agents of browsers: with their versions they tell one device from most others."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_PART = r"(?:[ ](?:[A-Za-z][\w.]{1,30}/[\w.]{1,30}|\([^()\n]{1,80}\)|like[ ]Gecko)){0,12}"

FAMILY = Family(
    name="user_agent",
    rules=(
        Rule(
            name="user_agent",
            type=EntityType.CODE,
            regex=rf"(?:Mozilla|Opera|Dalvik)/[0-9.]{{1,8}}[ ]\([^()\n]{{3,200}}\){_PART}",
            triggers=("mozilla/", "opera/", "dalvik/"),
            opens=True,
            score=0.9,
        ),
    ),
    positive=(
        (
            'agent "Mozilla/5.0 (X11; Linux x86_64; rv:9.0) Gecko/20100101 Firefox/9.0" ok',
            ("Mozilla/5.0 (X11; Linux x86_64; rv:9.0) Gecko/20100101 Firefox/9.0",),
        ),
        (
            "Opera/9.8 (Windows NT 6.1; U; en) Presto/2.9 Version/12.0",
            ("Opera/9.8 (Windows NT 6.1; U; en) Presto/2.9 Version/12.0",),
        ),
    ),
    negative=("Mozilla (the foundation)", "an opera/ballet (in Lyon)"),
)

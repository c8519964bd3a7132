"""Hardware addresses of network cards: with colons, hyphens or dots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_HEX = "[0-9A-Fa-f]"


def _step_back(count: int) -> Callable[[re.Match[str]], Iterable[tuple[int, int]]]:
    """The match begins at a sign, which scans fast; the address begins `count` digits before."""
    return lambda match: ((match.start() - count, match.end()),)


def _keep_digits(surface: str) -> str:
    return re.sub(r"\W", "", surface).lower()


FAMILY = Family(
    name="mac",
    rules=(
        Rule(
            name="mac",
            type=EntityType.CODE,
            regex=rf":(?<={_HEX}{{2}}:)(?<![\w:-]...){_HEX}{{2}}(?::{_HEX}{{2}}){{4}}(?:(?::{_HEX}{{2}}){{2}})?(?![\w:])",
            value=_keep_digits,
            expand=_step_back(2),
        ),
        Rule(
            name="mac_hyphen",
            type=EntityType.CODE,
            regex=rf"-(?<={_HEX}{{2}}-)(?<![\w:-]...){_HEX}{{2}}(?:-{_HEX}{{2}}){{4}}(?![\w-])",
            check=lambda surface: not surface.replace("-", "").isdecimal(),
            value=_keep_digits,
            expand=_step_back(2),
        ),
        Rule(
            name="mac_dotted",
            type=EntityType.CODE,
            regex=rf"\.(?<={_HEX}{{4}}\.)(?<![\w.].....){_HEX}{{4}}\.{_HEX}{{4}}(?![\w.])",
            check=lambda surface: not surface.replace(".", "").isdecimal(),
            value=_keep_digits,
            expand=_step_back(4),
        ),
    ),
    positive=(
        ("card 00:1A:2b:3C:4D:5e was seen", ("00:1A:2b:3C:4D:5e",)),
        ("00-1A-2B-3C-4D-5E", ("00-1A-2B-3C-4D-5E",)),
        ("switch port 001a.2b3c.4d5e up", ("001a.2b3c.4d5e",)),
        ("from aa:bb:cc:dd:ee:ff to 11:22:33:44:55:66", ("aa:bb:cc:dd:ee:ff", "11:22:33:44:55:66")),
        ("EUI-64 02:00:5e:ff:fe:00:53:01.", ("02:00:5e:ff:fe:00:53:01",)),
        ("(de:ad:be:ef:00:01)", ("de:ad:be:ef:00:01",)),
        ("MAC=02-00-5E-10-00-00;", ("02-00-5E-10-00-00",)),
        ("hw 0200.5e10.0001,", ("0200.5e10.0001",)),
    ),
    negative=(
        "00:1A:2B:3C:4D",
        "at 10:15:30",
        "12-34-56-78-90-12",
        "1234.5678.9012",
        "g0:1A:2B:3C:4D:5E",
        "00:1A:2B:3C:4D:5E:6",
        "2001:db8:aa:bb:cc:dd:ee:ff:00",
    ),
)

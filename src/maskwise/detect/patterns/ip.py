"""Internet addresses, version 4 and 6, checked by the standard library."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import IPV4, IPV6

_HEAD = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}\Z")


def _is_valid(surface: str) -> bool:
    try:
        ip_address(surface)
    except ValueError:
        return False
    return True


def _include_head(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """The match begins at a colon, which scans fast; the address begins up to four digits before."""
    head = _HEAD.search(match.string, max(0, match.start() - 5), match.start())
    return ((head.start(), match.end()),) if head else ()


FAMILY = Family(
    name="ip",
    rules=(
        Rule(
            name=IPV4,
            type=EntityType.CODE,
            # Four numbers after "version" or "section" are no address.
            regex=r"[0-9](?<![\w.-][0-9])(?<![vV§]\s[0-9])(?<!(?i:rsion|ction|aragr)\s[0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}"
            r"(?![\w-]|\.[0-9])",
            shapes=("1.1", "10.1", "100.1"),
            opens=True,
            certain=True,
            check=_is_valid,
        ),
        Rule(
            name=IPV6,
            type=EntityType.CODE,
            regex=r":(?:[0-9A-Fa-f]{0,4}:){1,7}(?:(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[0-9A-Fa-f]{0,4})(?![\w:])",
            certain=True,
            check=lambda surface: any(map(str.isdecimal, surface)) and _is_valid(surface),
            value=str.lower,
            expand=_include_head,
        ),
    ),
    positive=(
        ("Logged in from 192.0.2.17.", ("192.0.2.17",)),
        ("hosts 198.51.100.1, 203.0.113.254", ("198.51.100.1", "203.0.113.254")),
        ("http://192.0.2.1:8080/", ("192.0.2.1",)),
        ("route 10.0.0.0/8", ("10.0.0.0",)),
        ("address 2001:db8::8a2e:370:7334 seen", ("2001:db8::8a2e:370:7334",)),
        ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", ("2001:0db8:85a3:0000:0000:8a2e:0370:7334",)),
        ("link fe80::1, next", ("fe80::1",)),
        ("mapped ::ffff:192.0.2.128 here", ("::ffff:192.0.2.128",)),
        ("[2001:db8::1]:443", ("2001:db8::1",)),
    ),
    negative=(
        "version 1.2.3.4",
        "300.1.2.3",
        "1.2.3.4.5",
        "at 10:15:30 sharp",
        "std::vector",
        "a::b is a scope",
        "12:30",
        "00:1A:2B:3C:4D:5E",
        "section 4.1.2.3",
    ),
)

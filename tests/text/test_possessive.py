from __future__ import annotations

import re
import sys

import pytest

from maskwise.detect.patterns import list_families
from maskwise.text import possessive

# What Python before 3.11.5 gets wrong: the body of the repetition can match in more than one way.
CASES = [
    (r"(?:ab?c?)*+d", "abcad"),
    (r"(?:(?:oneand|one)(?: to )?)*+x", "one to oneandx"),
    (r"(?P<a>a++)(?:b|c{1,2}+)?+(?P<d>d)?", "aaccd"),
    (r"(?i)A*+(?=(?:b?)++c)", "aAbc"),
    (r"a*+a", "aaa"),
]


@pytest.mark.parametrize(("pattern", "text"), CASES)
def test_atomic_groups_match_as_possessive_quantifiers_should(pattern: str, text: str) -> None:
    found = possessive.compile_rewritten(pattern)
    assert found.pattern == pattern
    match = found.search(text)
    by_hand = {
        CASES[0]: ("abcad", {}),
        CASES[1]: ("one to oneandx", {}),
        CASES[2]: ("aaccd", {"a": "aa", "d": "d"}),
        CASES[3]: ("aA", {}),
        CASES[4]: None,
    }[pattern, text]
    assert (match and (match[0], match.groupdict())) == by_hand


def test_flags_and_groups_stay() -> None:
    plain, found = (
        make(r"(?P<x>a)(b)++(?P<y>c)?", re.IGNORECASE)
        for make in (re.compile, possessive.compile_rewritten)
    )
    assert (found.flags, found.groups, dict(found.groupindex)) == (
        plain.flags,
        plain.groups,
        dict(plain.groupindex),
    )


@pytest.mark.skipif(possessive.WRONG, reason="this Python has nothing right to compare with")
def test_all_rules_find_the_same_either_way() -> None:
    for family in list_families():
        texts = [text for text, *_ in family.positive]
        for rule in family.rules:
            found = possessive.compile_rewritten(rule.regex, rule.flags)
            for text in texts:
                assert [m.span() for m in found.finditer(text)] == [
                    m.span() for m in rule.compiled.finditer(text)
                ]


def test_the_workaround_is_for_old_versions_only() -> None:
    assert (sys.version_info < (3, 11, 5)) == possessive.WRONG

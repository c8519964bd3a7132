"""Codes of doors, gates and alarms, keys of wireless networks, and passwords that somebody sets."""

from __future__ import annotations

from maskwise.detect.patterns._labels import EDGE
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.detect.patterns.secret import is_secret
from maskwise.text import EntityType

_LOCKS = (
    "door",
    "gate",
    "alarm",
    "lock",
    "locker",
    "padlock",
    "key safe",
    "keypad",
    "safe",
    "garage",
    "entry",
    "access",
    "security",
)
_LOCK = "|".join(_LOCKS)
# A lock may well have a year for its code.
_DIGITS = r"(?<![\w.,])(?:[A-Z]{1,2}-)?[0-9](?:[ -]?[0-9]){2,9}(?![\w%]|[.,:/][0-9])"

FAMILY = Family(
    name="lock",
    rules=(
        # the door code 4471, code for the alarm if you need it: 1984, pin for my card is 0815
        Rule(
            name="secret_code",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:(?:{_LOCK})[ -](?:pass)?(?:code|combo|combination)"
            rf"|(?:code|combination) (?:for|to|of|on) (?:(?:the|my|our|his|her|their) )?(?:[a-z]+ )?(?:{_LOCK})"
            r"(?:[ ](?!is|was)[a-z]+){0,7}?"
            r"|pin(?: (?:code|number))? (?:for|to|of|on) (?:(?:the|my|our|his|her|their|your) )?[a-z]+(?: [a-z]+)?"
            r"(?=[ ]?(?:is|was|[:=])))"
            rf"(?:[ ]?(?i:is|was|now|changes to|changed to|[:=])){{0,2}}[ ](?P<m>{_DIGITS})",
            triggers=(
                *_LOCKS,
                "code for ",
                "code to ",
                "code of ",
                "code on ",
                "combination ",
                "pin ",
            ),
            opens=True,
            check=lambda surface: 4 <= sum(map(str.isdecimal, surface)) <= 10,
        ),
        # the wifi key Mossy-Kettle-41, reset pw to otter-22
        Rule(
            name="secret_password",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:(?:wi-?fi|wlan|wpa2?|hotspot|router)"
            r"(?:[ -](?:key|code|pass|pw)(?:[ ]?[:=]|[ ]is)?|[ ]?[:=]|[ ]is)"
            r"|(?:pass|pw|login)[ ](?:to|is|was))[ ]{0,2}[\"“‘']?(?P<m>[^\s\"'“”<>]{6,80}(?<![.,;:!?)\]]))",
            triggers=(
                "wifi",
                "wi-fi",
                "wlan",
                "wpa",
                "hotspot",
                "router",
                "pass ",
                "pw ",
                "login ",
            ),
            opens=True,
            check=is_secret,
        ),
    ),
    positive=(
        ("the door code 4471# and LOCKER COMBO 12-33-07", ("4471", "12-33-07")),
        ("Padlock code changes to 1987 on", ("1987",)),
        ("code for the alarm if you need it: 9035", ("9035",)),
        ("The code to our front gate is 2580.", ("2580",)),
        ("the PIN for her old phone is 2468", ("2468",)),
        ("says WiFi key brindle-Otter-41 but", ("brindle-Otter-41",)),
        ("new wifi: kelp_raft88!", ("kelp_raft88",)),
        ("I reset his pw to Lilac.Barn7 today", ("Lilac.Barn7",)),
    ),
    negative=(
        "the security code of 1998",
        "the wifi is terrible here",
        "a router with wifi and 4 ports",
        "the code for the lock screen was rewritten",
        "please pass to Reception",
        "access code required",
        "a pin for the lapel of 4000 years ago",
    ),
)

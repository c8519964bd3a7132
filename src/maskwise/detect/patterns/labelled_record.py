"""Numbers of accounts, customers, staff, orders and cases after their label, in any layout and case."""

from __future__ import annotations

from functools import partial

from maskwise.detect.patterns._labels import (
    ANNOUNCED_GAP,
    CODE,
    EDGE,
    GAP,
    STRICT,
    is_code,
    list_literals,
    match_labelled,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.word_lists import read_words

# Words that say "number" on their own.
_STRONG = (
    *(
        "acct",
        "account[ _-]?no",
        "account[ _-]?number",
        "account[ _-]?num",
        "account[ _-]?id",
        "acc no",
        "a/c no",
        "a/c",
    ),
    *(
        "customer[ _-]?no",
        "customer[ _-]?number",
        "customer[ _-]?id",
        "cust[ _-]?id",
        "client[ _-]?id",
        "client no",
    ),
    *(
        "employee[ _-]?id",
        "employee[ _-]?no",
        "employee[ _-]?number",
        "emp[ _-]?id",
        "staff[ _-]?id",
        "staff no",
    ),
    *(
        "student[ _-]?id",
        "student[ _-]?no",
        "student number",
        "badge[ _-]?id",
        "badge no",
        "badge number",
        "badge #",
    ),
    *(
        "order[ _-]?id",
        "invoice[ _-]?no",
        "invoice[ _-]?id",
        "tracking[ _-]?id",
        "tracking no",
        "tracking number",
    ),
    *(
        "booking[ _-]?id",
        "booking ref",
        "claim[ _-]?id",
        "claim no",
        "claim number",
        "policy[ _-]?no",
        "policy[ _-]?id",
    ),
    *(
        "policy number",
        "case[ _-]?id",
        "case no",
        "case number",
        "case #",
        "ticket[ _-]?id",
        "ticket no",
    ),
    *(
        "certificate no",
        "certificate number",
        "certificate #",
        "routing number",
        "routing no",
        "sort code",
        "aba",
    ),
    *(
        "loyalty[ _-]?no",
        "loyalty number",
        "frequent flyer",
        "inmate no",
        "inmate number",
        "booking number",
    ),
    *(
        "transaction[ _-]?id",
        "reference[ _-]?id",
        "case ref",
        "file ref",
        "matter no",
        "docket no",
        "kundennummer",
    ),
)
# Words that mean other things too: they need "no.", "ID" or a sign before the code, or a code that is no plain number.
_WEAK = read_words("weak_record_labels")
_BOOKINGS = (
    "booking",
    "reservation",
    "confirmation",
    "pnr",
    "record locator",
    "locator",
    "voucher",
    "coupon",
    "promo",
)


def _make_rule(name: str, words: tuple[str, ...], gap: str, value: str, least: int) -> Rule:
    return Rule(
        name=name,
        type=EntityType.CODE,
        regex=match_labelled(words, value, gap),
        triggers=list_literals(words),
        opens=True,
        score=0.8,
        check=partial(is_code, least=least),
    )


_SIGNS = (
    ":",
    "=",
    "#",
    "|",
    " :",
    " =",
    " #",
    " |",
    '":',
    "':",
    "\t",
    "  ",
    ">",
    ".:",
    "_",
    "**",
    "*",
    "<",
)
_ANNOUNCING = (" n", " id", " code", " ref", " (n", ", n", "n", "id", "-n", "-id", ". n", ".n")

FAMILY = Family(
    name="labelled_record",
    rules=(
        _make_rule("record_labelled", _STRONG, GAP, CODE, 3),
        Rule(
            name="record_labelled",
            type=EntityType.CODE,
            regex=match_labelled([rf"{word}s?" for word in _WEAK], CODE, ANNOUNCED_GAP),
            triggers=tuple(word + sign for word in _WEAK for sign in (*_SIGNS, *_ANNOUNCING)),
            opens=True,
            score=0.8,
            check=partial(is_code, least=3),
        ),
        Rule(
            name="record_labelled",
            type=EntityType.CODE,
            regex=match_labelled(_WEAK, STRICT, r"(?![^\W\d_])\.?[ ](?:(?i:is|was)[ ])?"),
            triggers=tuple(word + sign for word in _WEAK for sign in (" ", ". ")),
            opens=True,
            score=0.7,
            check=partial(is_code, least=5),
        ),
        # Any other label that ends in "ID": "Widget ID: 4711", "orgId=4711".
        Rule(
            name="record_labelled",
            type=EntityType.CODE,
            regex=rf"(?:(?<![^\W_])(?i:id)|(?<=[a-z])I[dD])(?![^\W\d_])(?:[ ]?(?i:no|number|nr|code)\b\.?)?"
            rf"[\"'*_)\]]{{0,3}}[ ]?[:=#|>][\s\"'*_(#]{{0,12}}(?P<m>{CODE})",
            triggers=("id:", "id=", "id ", 'id"', "id'", "id#", "id|", "id>", "id*"),
            opens=True,
            score=0.8,
            check=partial(is_code, least=3),
        ),
        # "PC 2210 Tolm": the number of an officer
        Rule(
            name="record_labelled",
            type=EntityType.CODE,
            regex=r"(?<!\w)(?:W?PCS?O?|D[CSI]|DCI|[Oo]fficer|[Cc]onstable|[Tt]rooper|[Dd]eputy)"
            r"[ ](?:(?:no\.?|badge)[ ])?#?(?P<m>[0-9]{2,6})(?=,?[ ][A-Z][^\W\d_]+)",
            triggers=(
                "pc ",
                "pcso ",
                "dc ",
                "ds ",
                "di ",
                "dci ",
                "officer ",
                "constable ",
                "trooper ",
                "deputy ",
            ),
            opens=True,
            score=0.8,
        ),
        # "ref QK7R2M": capitals and figures in turn are no word and no amount.
        Rule(
            name="record_labelled",
            type=EntityType.CODE,
            regex=r"(?<![^\W_])(?i:ref|reference|code|pnr|ticket|order|claim|case|file|policy|voucher|booking|reservation|confirmation)"
            r"(?![^\W\d_])[.:#]?[ ](?:(?i:is|was|no\.?|number)[ ])?\(?"
            r"(?=[A-Z]{0,9}[0-9]{1,9}[A-Z])(?=[0-9]{0,9}[A-Z]{1,9}[0-9])(?P<m>[A-Z0-9]{6,12})(?![\w-])",
            triggers=(
                *(
                    "ref",
                    "code ",
                    "code:",
                    "pnr",
                    "ticket ",
                    "order ",
                    "claim ",
                    "case ",
                    "file ",
                    "policy ",
                ),
                "voucher ",
                "booking ",
                "reservation ",
                "confirmation ",
            ),
            opens=True,
            score=0.8,
        ),
        Rule(
            name="record_booking",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(_BOOKINGS)})(?:[ _-]?(?i:ref(?:erence)?|code|no|number|id|locator)"
            rf")?(?![^\W\d_])\.?"
            r"(?:[ ](?i:is)[ ]|[ ]?[:=#|][ ]{0,12})[\"']?(?P<m>[A-Z0-9]{5,8})(?![\w-])",
            triggers=list_literals(_BOOKINGS),
            opens=True,
            score=0.8,
        ),
        # "PNR X7KQ2P": figures among letters need no sign.
        Rule(
            name="record_booking",
            type=EntityType.CODE,
            regex=rf"{EDGE}(?i:{'|'.join(_BOOKINGS)})(?:[ _-]?(?i:ref(?:erence)?|code|no|number|id|locator))?"
            r"(?![^\W\d_])\.?[ ](?:(?i:is|was)[ ])?(?=[A-Za-z]{0,7}[0-9])(?=[0-9]{0,7}[A-Za-z])"
            r"(?P<m>[A-Za-z0-9]{5,8})(?![\w-])",
            triggers=list_literals(_BOOKINGS),
            opens=True,
            score=0.8,
        ),
    ),
    positive=(
        ("acct=00471123", ("00471123",)),
        ("seat 12A pnr x7kq2p", ("x7kq2p",)),
        ("my acct is 00471123 thanks", ("00471123",)),
        ("Acct. no.: 0047 1123", ("0047 1123",)),
        ("Account no.      NO-00471123", ("NO-00471123",)),
        ("ACCOUNT NUMBER | 00471123", ("00471123",)),
        ("accountNumber: 00471123,", ("00471123",)),
        ('"customer_id": "c-99812"', ("c-99812",)),
        ("Employee ID E4711", ("E4711",)),
        ("badge 47110 was used", ("47110",)),
        ("badge no. 471", ("471",)),
        ("student id s-99812", ("s-99812",)),
        ("Order: 889-1234567", ("889-1234567",)),
        ("your order ab-1234567 has shipped", ("ab-1234567",)),
        ("invoice # 2023-0417-b", ("2023-0417-b",)),
        ("Claim\t55-1234-K", ("55-1234-K",)),
        ("claim no. 55-1234-K", ("55-1234-K",)),
        ("case ref: kl/88/2001", ("kl/88/2001",)),
        ("certificate number gb-4711", ("gb-4711",)),
        ("Tracking: 1Z999AA10123456784", ("1Z999AA10123456784",)),
        ("booking ref: XKJQPL", ("XKJQPL",)),
        ("PNR: XK4QPL", ("XK4QPL",)),
        ("Widget ID: 4711", ("4711",)),
        ("orgId=4711&x=1", ("4711",)),
        ("member KRV 373B50369", ("KRV 373B50369",)),
        ("member afa 984m36352 is", ("afa 984m36352",)),
        ("policy POL-77-04 lapsed", ("POL-77-04",)),
        ("stopped by PC 2210 Tolm today", ("2210",)),
        ("flies to Oslo, ref QK7R2M.", ("QK7R2M",)),
        ("though the booking (ZX8N4W) says so", ("ZX8N4W",)),
    ),
    negative=(
        "the report of 2004",
        "order: 20 units",
        "an order of 12 May 2003",
        "Order 12 people to go",
        "a claim of 50000 euros",
        "the case of 1998",
        "Report: 2004-05-12",
        "in case 3 people come",
        "a record 12,000 people",
        "payment: 500 EUR",
        "file: 12:30",
        "card 12 of 30",
        "the group: 25 people",
        "Study 2 was small",
        "a unit of 12345 men",
        "booking: please call",
        "Unit 731",
        "in case COVID19 returns",
        "code ISO8601",
    ),
)

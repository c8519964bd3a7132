"""Numbers of cases, applications and decisions, and everything that "no." or "nos." announces.

The announcing word stays outside, and each number of a list is a mention of its own.
"""

from __future__ import annotations

from maskwise.detect.patterns._context import expand_each
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import refuse_before
from maskwise.text.subtypes import CITATION

# German and Austrian registers: "2 BvR 2268/12", "5/26 Kls 6350 Js 203391/06 4/08", "XV GC 375/01", "4R 128/79".
_REGISTER = (
    r"(?<![\w/])[0-9IVXK]{1,4}[a-z]?(?:/[0-9]{1,3})?[ ]?(?:[A-Z][A-Za-z]{0,4}[ ](?:[0-9]{1,6}[ ])?){1,3}"
    r"[0-9]{1,7}/[0-9]{2,4}(?:[/ -](?:[0-9]{1,3}/[0-9]{2}|[0-9IVX]{1,4}))?(?![\w/])"
)
# Signs in one piece that hold a digit: "27961/02", "3-1-1-12-04", "C-105/03", "12/21.1.12", "D-4840", "1F_1/2007".
# Capitals before a number that announce it and are no part of it: "record (SSN 999-22-8726)".
_LABELS = (
    r"(?:SSN|MRN|IMEI|IMSI|ICCID|EIN|NPI|DEA|VIN|MAC|TEL|FAX|REF|ACCT|TAX|ORDER|CLAIM|BADGE|PLATE|CASE|PIN|NHS|IS|WAS|ARE"
    r"|INVOICE|BOOKING|TRACKING|CUSTOMER|OF|THE|AND|FOR|FROM|S/N|ID)(?![\w-])"
)
_PLAIN = (
    rf"(?<![\w/])(?!{_LABELS})"
    r"(?!ECHR|(?:19|20)[0-9]{2}-[IVX]+\b)(?:[A-Z]{1,5}[ ]?[-/.]?[ ]?){0,2}[0-9][0-9A-Z]{0,14}"
    r"(?:[-/.:_–][0-9A-Z]{1,14}|/[ ](?:19|20)[0-9]{2}){0,7}[a-z]?(?:\([a-z0-9]{1,3}\))?(?!\w|[.,][0-9])"
)
_DOCKET = r"[0-9]{1,2}:[0-9]{2}-[a-z]{2}-[0-9]{3,6}(?:-[A-Z]{1,4}){0,3}(?![\w-])"
_ITEM = rf"(?:{_DOCKET}|{_REGISTER}|{_PLAIN})"
# "(no. 2)" after a case name and "Protocol No. 1" tell one thing of two or three apart: they identify nobody.
_FIRST = rf"(?![1-9](?![\w/.:-]|[ ][A-Z]|,[ ][0-9]|[ ]and[ ][0-9])){_ITEM}"
_AND = r"(?:[ ]?[,;][ ](?:(?:and|or)[ ])?|[ ](?:and|or|to|&)[ ]|[ ]?[–-][ ]?)(?:[Nn]os?\.?[ ])?"
_LIST = rf"{_FIRST}(?:{_AND}{_ITEM}){{0,30}}+"

_NOT_PRESSURE = refuse_before(
    "BP ",
    "BP: ",
    "bp ",
    "bp: ",
    "ressure ",
    "ressure: ",
    "ressure of ",
    "ressure is ",
    "ressure was ",
)

_CASE = (
    r"applications?|appeals?|cases?|files?|case[ -]files?|dockets?|judgments?|decisions?|orders?|complaints?|claims?"
    r"|petitions?|matters?|proceedings|records?|circulars?|bills?|reference|ref|directives?|regulations?|gazette|bgbl"
)
_SPLIT = r"(?=[A-Z0-9 ]{0,12}[-/_:][0-9A-Z]{1,9})"

FAMILY = Family(
    name="case_number",
    rules=(
        Rule(
            name="numbered",
            type=EntityType.CODE,
            regex=r"[Nn№](?<!\w.)(?<!Protocol .)(?<!Protocols .)(?<![Tt]ooth .)(?<![Tt]eeth .)"
            r"(?:(?:os?|OS?|r|rs)?(?:\.[ \u00a0]{0,2}(?:[:\t][ \t]{0,8})?|[ \u00a0])(?<!n[ \u00a0])|[°º][ \u00a0]?"
            rf"|(?:umber|UMBER)[Ss]?[ :]{{1,2}}|(?<=№)[ \u00a0]?)(?P<m>{_LIST})",
            triggers=(
                "no.",
                "nos.",
                "no ",
                "nos ",
                "nr.",
                "nr ",
                "nrs.",
                "number",
                "№",
                "n°",
                "nº",
                "no\u00a0",
            ),
            opens=True,
            expand=expand_each(_ITEM),
        ),
        Rule(
            name="case",
            type=EntityType.CODE,
            regex=rf"\b(?i:{_CASE})\b\.?[ :()]{{1,2}}(?P<m>{_SPLIT}{_ITEM}(?:{_AND}{_SPLIT}{_ITEM}){{0,30}}+)",
            triggers=tuple(
                "application appeal case file docket judgment decision order complaint claim petition matter "
                "proceedings record circular bill reference ref. directive regulation gazette bgbl".split()
            ),
            opens=True,
            score=0.8,
            expand=expand_each(_ITEM),
        ),
        Rule(
            name="case_bare",
            type=EntityType.CODE,
            # Year ranges ("1998/99") and dates ("12/06") are left to others.
            regex=rf"[0-9](?<![\w./:,-].){_NOT_PRESSURE}"
            r"(?:[0-9]{2,5}/[0-9]{2}(?!\s?(?i:mm))(?<!(?:19|20)[0-9]{2}/[0-9]{2})|[0-9]{2,5}/(?:19|20)[0-9]{2}(?<!(?:19|20)[0-9]{2}/[0-9]{4})|[0-9]{3}/[0-9]{2,4}/[A-Z]{2,5}"
            r"|[0-9]{3}/[0-9]{1,3}/[0-9]{1,6}(?:/[0-9]{1,6})?(?<=[0-9]{3}/[0-9]{2}/[0-9]{3})"
            r"|[0-9]{0,2}[ ][A-Z][A-Za-z]{0,4}[ ](?:[0-9]{1,6}[ ][A-Z][a-z][ ])?[0-9]{1,6}/[0-9]{2,4}"
            r"|(?<=[12])[089][0-9]{2}:[0-9]{1,4}"
            r"|[0-9]?:[0-9]{2}-[a-z]{2}-[0-9]{3,6}(?:-[A-Z]{1,4}){0,3}"
            r"|(?:-[0-9]{1,2}){2,3}-[0-9]{1,5}-[0-9]{2})(?![\w/-]|[.,:][0-9])",
            shapes=(
                *("100/", "1000/", "10000/", "100000/", "1 A", "10 A", "100 A"),
                *("1000:1", "1:10-", "10:10-", "1-1"),
            ),
            opens=True,
        ),
        Rule(
            name="case_letter",
            type=EntityType.CODE,
            regex=r"[A-Z](?<![\w/.-].)[A-Z]{0,3}[-/‑][0-9]{1,6}/[0-9]{2,4}(?:[ ]?[A-Z]{1,5}\b)?(?![\w/])",
            shapes=tuple("A" + "B" * more + sign for more in range(4) for sign in ("-1", "/1")),
            opens=True,
        ),
        Rule(
            name=CITATION,
            type=EntityType.CODE,
            regex=r"[\[(](?:19|20)[0-9]{2}[\])][ ](?:[0-9]{1,2}[ ])?(?:[A-Z][A-Za-z.]{0,9}[ ]?){1,3}"
            r"(?:(?<=[ .])|(?<=\w),[ ])(?:p\.[ ])?[0-9]{1,5}(?:,[ ]?[0-9]{1,5})?(?:[ ]\([A-Z][A-Za-z]{1,6}\))?(?!\w)",
            triggers=("[19", "[20", "(19", "(20"),
            opens=True,
        ),
    ),
    positive=(
        ("an application (no. 27961/02) against", ("27961/02",)),
        (
            "applications nos. 63480/00, 58372/00 and 61878/00 were joined",
            ("63480/00", "58372/00", "61878/00"),
        ),
        ("Case C-131/12 of the court", ("C-131/12",)),
        ("Appl. no.: 2011/15\nAppl. no.\t2012/15", ("2011/15", "2012/15")),
        ("see 2:19-cv-01234-ABC today", ("2:19-cv-01234-ABC",)),
        ("Case No. 4 U 123/98 was closed", ("4 U 123/98",)),
        ("decision no. 3-1-1-12-04 of the court", ("3-1-1-12-04",)),
        ("(2004) EWCA Civ 1234, and [2003] UKHL 12.", ("(2004) EWCA Civ 1234", "[2003] UKHL 12")),
        ("as in 40123/98, he argued", ("40123/98",)),
        (
            "file no. 2 BvR 99999/12; file nos. 9 BvR 1/09 and 9 BvR 2/10",
            ("2 BvR 99999/12", "9 BvR 1/09", "9 BvR 2/10"),
        ),
        ("file number RPO 990886/94/II.", ("RPO 990886/94/II",)),
        ("plots nos. 260, 268, 119/5 and 425. The", ("260", "268", "119/5", "425")),
        ("under case no. 1996/9, then", ("1996/9",)),
        ("the Hunting Act (1971:999)", ("1971:999",)),
        ("file no. 5/26 Kls 9950 Js 903391/06 4/08", ("5/26 Kls 9950 Js 903391/06 4/08",)),
        ("judgment 1F_1/2007 of", ("1F_1/2007",)),
        ("[2001] 3 WLR 999 said", ("[2001] 3 WLR 999",)),
        ("appeal case 01-99109 on", ("01-99109",)),
        ("sheet no. 12/27E2, registration no. D-4840", ("12/27E2", "D-4840")),
        ("ex parte Berg, CO/9092/92, unreported", ("CO/9092/92",)),
        ("Law no. 999/1993 of", ("999/1993",)),
    ),
    negative=(
        "teeth numbers 4, 13, 20 and tooth number 29 were drawn",
        "Berg v. Norway (no. 2)",
        "Article 1 of Protocol No. 1",
        "there was no evidence",
        "in the years 1998/99",
        "on 12/06/2003",
        "he said no. The others",
        "a number of witnesses",
        "24/7 and 1/2",
        "blood pressure 120/80, then BP: 130/85, then 125/75 mmHg",
        "no. of items",
        "(2004) was a bad year",
    ),
)

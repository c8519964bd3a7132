"""Numbers of files, accounts, policies, invoices, patients, employees, plots, after a word for the record."""

from __future__ import annotations

from maskwise.detect.patterns._context import CODE, NUMBER, match_after
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.word_lists import read_words

# Words that need "no.", "number", "ID", "#" or a colon before the code.
_RECORDS = read_words("records")
# Abbreviations and words that announce a code on their own.
_ALONE = (
    "mrn",
    "medical record",
    "iban",
    "imei",
    "imsi",
    "sheet/plan",
    "plot",
    "parcel",
    "account",
    "acct",
    "invoice",
    "policy",
    "ref",
    "our ref",
    "your ref",
    "aktenzeichen",
    "az",
    "customer id",
    "employee id",
    "patient id",
    "user id",
    "student id",
    "tracking id",
    "order id",
)
# A code after these stands without "no.": four digits in a row or a sign between, not a year.
_STRICT = (
    r"(?!(?:19|20)[0-9]{2}(?![\w/-]))(?=[A-Z0-9/._-]{0,8}(?:[0-9]{4}|[0-9][-/.][A-Z0-9]|[A-Z][-/]?[0-9]{3}))"
    + CODE
)

FAMILY = Family(
    name="record",
    rules=(
        # "quoting FLAT4C": what a payer is to write
        Rule(
            name="record_quoted",
            type=EntityType.CODE,
            regex=r"(?<!\w)(?i:quot(?:e|ing)|reference|payment title|title)[ :]{1,2}[\"“']?"
            r"(?P<m>(?=[A-Z]{0,12}[0-9])(?=[0-9]{0,12} ?[A-Z])[A-Z0-9]{3,14}(?:[ -][A-Z0-9]{2,12})?)(?!\w)",
            triggers=("quot", "reference", "title"),
            opens=True,
            score=0.8,
            check=lambda surface: sum(map(str.isalnum, surface)) > 5,
        ),
        Rule(
            name="record",
            type=EntityType.CODE,
            regex=match_after(_RECORDS, CODE, NUMBER),
            triggers=tuple(
                f"{word}{sign}"
                for word in _RECORDS
                for sign in (" n", " id", " code", " ref", " #", "#", ":", " :", " (n", ", n")
            ),
            opens=True,
            score=0.85,
            check=lambda surface: len(surface) > 1,
        ),
        Rule(
            name="record_alone",
            type=EntityType.CODE,
            regex=match_after(
                _ALONE, _STRICT, r"[\s.:#(]{1,4}(?:(?i:no|nos|nr|number|is|was)\b[\s.:#]{1,3}){0,2}"
            ),
            triggers=(
                *(
                    "mrn",
                    "medical record",
                    "iban",
                    "imei",
                    "imsi",
                    "sheet/plan",
                    "plot ",
                    "parcel ",
                    "account ",
                    "acct",
                ),
                *("invoice ", "policy ", "ref.", "ref:", "ref ", "aktenzeichen", "az.", "az:"),
                *(
                    "customer id",
                    "employee id",
                    "patient id",
                    "user id",
                    "student id",
                    "tracking id",
                    "order id",
                ),
            ),
            opens=True,
            score=0.8,
        ),
    ),
    positive=(
        ("Pay into our account quoting MILL4C.", ("MILL4C",)),
        ("MRN: 00123456", ("00123456",)),
        ("policy no. AB-123456/7", ("AB-123456/7",)),
        ("account number 12345678 at the bank", ("12345678",)),
        ("Invoice INV-2020-0017 was paid", ("INV-2020-0017",)),
        ("customer ID: C-99812", ("C-99812",)),
        ("prisoner no. A1234BC", ("A1234BC",)),
        ("employee number 4711", ("4711",)),
        ("order #889-1234567", ("889-1234567",)),
        ("police report no. 2019/5512", ("2019/5512",)),
        ("patient id P0099887", ("P0099887",)),
        ("Our ref: KL/88/2001", ("KL/88/2001",)),
        (
            "plot no. 45, sheet/plan 12/21.1.12, registration no. C1703",
            ("45", "12/21.1.12", "C1703"),
        ),
        ("file no. 77-04", ("77-04",)),
        ("tracking number 1Z999AA10123456784", ("1Z999AA10123456784",)),
        ("social security number 123 45 6789", ("123 45 6789",)),
        ("sort code 12-34-56, account no. 0012 3456", ("0012 3456",)),
        ("IMEI 990000862471854", ("990000862471854",)),
    ),
    negative=(
        "the report of 2004",
        "patient 12",
        "an account in 1998",
        "order of 12 May 2003",
        "in case 3 people come",
        "the policy was changed in 2001",
        "number of files: many",
        "file a report",
        "plot of 300 sq. m",
    ),
)

"""A label decides: its value is found whole in every layout and case, and the label itself stays readable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from maskwise.detect.merge import merge_mentions
from maskwise.detect.patterns import PatternDetector
from maskwise.text import Document, EntityType

RULES = PatternDetector()
# Labels that need no other word, each with values of its trade.
LABELS = {
    "SSN": ("999-22-8726", "999 22 8726", "999228726"),
    "Social Security Number": ("999-22-8726",),
    "MRN": ("00471123", "MR-00-471123", "H471123"),
    "Medical record no.": ("471123-K",),
    "Health plan ID": ("HP-471123", "KRV 373B50369"),
    "Member ID": ("W471123908", "XYZ-471-123"),
    "Account no.": ("00471123", "NO-0047-1123", "0047 1123 908"),
    "Acct": ("00471123", "SV-471123"),
    "Policy no.": ("AB-123456/7", "JWW 556K19942"),
    "Certificate number": ("GB-47112", "C 471123"),
    "License no.": ("RN-471123", "B4711239"),
    "Driver's license": ("US-DL-D1234567", "D123-4567-8901"),
    "Passport no.": ("IE-P9912345", "N1234567", "533380006"),
    "License plate": ("AB12 CDE", "KLM-456", "B-MW 1234"),
    "Plate": ("J-PU 2269", "PAB 2175"),
    "VIN": ("1M8GDM9AXKP042788",),
    "Device serial": ("PM-88213-X", "AA12345678"),
    "S/N": ("AA12345678", "4471-AC-99"),
    "Device ID": ("9AB123456",),
    "IMEI": ("990000862471854", "99-000086-247185-4"),
    "IMSI": ("001010123456789",),
    "ICCID": ("8947000000000000001",),
    "MAC": ("00:00:5E:00:53:AF", "00-00-5E-00-53-AF"),
    "Fax": ("(212) 555-0199", "020 7946 0807"),
    "Tel": ("(212) 555-0199", "212-555-0123", "01 99 00 12 34"),
    "NHS no.": ("999 123 4567",),
    "Tax ID": ("99-1234567",),
    "EIN": ("99-7654321",),
    "NPI": ("1999999999",),
    "DEA number": ("AB1234563",),
    "Case no.": ("2023/0417-B", "4 U 123/98"),
    "Ref": ("KL/88/2001", "88-1204-K"),
    "Invoice": ("INV-2020-0017", "2023-0417"),
    "Order": ("889-1234567", "A-471123"),
    "Customer no.": ("C-99812", "471123"),
    "Employee ID": ("E4711", "47110"),
    "Badge": ("B-4711", "47110"),
    "Student ID": ("S-99812",),
    "Booking": ("XK4711", "BK-471123"),
    "Tracking": ("1Z999AA10123456784",),
    "Claim": ("55-1234-K",),
    "Fingerprint ID": ("FP-0091-22",),
    "Biometric ID": ("BIO-88213",),
    "Voiceprint ID": ("VP-88213",),
}
LAYOUTS = {
    "form": "Name: x\n{label}: {value}\nDone",
    "spaced": "{label}      {value}\n",
    "tabbed": "{label}\t{value}\tok",
    "table": "| {label} | {value} |",
    "log": "level=info {label}={value} done",
    "json": '{{"{label}": "{value}", "x": 1}}',
    "markdown": "- **{label}:** {value}",
    "markup": "<td>{label}</td><td>{value}</td>",
    "prose": "It was found that the {label} is {value}, as they said.",
    "chat": "yes my {label} is {value} thx",
    "bracket": "the record ({label} {value}) was closed",
}
CASES = {"as it is": str, "lower": str.lower, "upper": str.upper}


def written() -> Iterator[tuple[str, str, str, str]]:
    for label, values in LABELS.items():
        for layout in LAYOUTS.values():
            for case in CASES.values():
                for value in values:
                    yield (
                        case(layout.format(label=label, value=value)),
                        case(label),
                        case(value),
                        layout,
                    )


def test_labelled_values_are_codes_in_every_layout_and_case() -> None:
    missed, swallowed = [], []
    for text, label, value, _ in written():
        mentions = RULES.detect([Document(text)])[0].mentions
        start = text.index(value, text.index(label) + len(label))
        codes = [m for m in mentions if m.type is EntityType.CODE]
        covered = {at for m in codes for at in range(m.start, m.end)}
        if not all(at in covered for at in range(start, start + len(value)) if text[at].isalnum()):
            missed.append((text, [m.text for m in codes]))
        if any(
            m.start < text.index(label) + len(label) and m.end > text.index(label) for m in codes
        ):
            swallowed.append((text, [m.text for m in codes]))
    assert missed == []
    assert swallowed == []


@pytest.mark.parametrize(
    "text",
    [
        "The order of 12 May 2003 was set aside in case of doubt.",
        "Order: 20 boxes. Claim: 500 EUR. Invoice: 12.05.2004.",
        "The policy of 1998 covered 12,000 people; the report had 300 pages.",
        "Ref: see above. Account: none. Plate: broken.",
        "In Study 2 the group was 25 people, the record 12.5 per cent.",
        "Section 12 of the Public Order Act 1986; Article 6 § 1; Regulation 7(2).",
        "Blood pressure 120/80, 500 mg twice daily, 7.2 %, 81 MG, 1.1 MG/DL.",
        "On 3 May 2019 at 14:30 he paid NOK 38,500 for 3 nights in room 12.",
    ],
)
def test_ordinary_numbers_are_no_codes(text: str) -> None:
    mentions = merge_mentions(RULES.detect([Document(text)])[0].mentions)
    assert [m.text for m in mentions if m.type is EntityType.CODE] == []

"""Numbers of devices, vehicles and body measurements after their label, in any layout and case."""

from __future__ import annotations

from functools import partial

from maskwise.detect.patterns._labels import (
    ANNOUNCED_GAP,
    CODE,
    GAP,
    STRICT,
    is_code,
    list_literals,
    match_labelled,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_DEVICE = (
    *(
        "serial[ _-]?no",
        "serial[ _-]?number",
        "serial[ _-]?num",
        "serial #",
        "s/n",
        "device[ _-]?serial",
        "device[ _-]?id",
    ),
    *(
        "device[ _-]?no",
        "device number",
        "imei",
        "imsi",
        "iccid",
        "meid",
        "msisdn",
        "udid",
        "udi",
        "sim no",
    ),
    *(
        "pacemaker serial",
        "implant serial",
        "pump serial",
        "machine[ _-]?id",
        "hardware[ _-]?id",
        "hwid",
        "android[ _-]?id",
    ),
    *(
        "advertising[ _-]?id",
        "idfa",
        "asset[ _-]?tag",
        "model no",
        "lot no",
        "lot number",
        "cookie[ _-]?id",
    ),
)
_DEVICE_WEAK = (
    "serial",
    "sn",
    "device",
    "implant",
    "pacemaker",
    "meter",
    "sim",
    "lot",
    "asset",
    "ser",
)
_BIOMETRIC = (
    *(
        "fingerprint[ _-]?id",
        "fingerprint[ _-]?no",
        "fingerprint number",
        "fingerprint template",
        "fingerprint ref",
    ),
    *(
        "biometric[ _-]?id",
        "biometric[ _-]?no",
        "biometric number",
        "biometric template",
        "biometric ref",
        "biometric",
    ),
    *(
        "voiceprint[ _-]?id",
        "voiceprint",
        "voice print",
        "faceprint",
        "face[ _-]?id",
        "facial[ _-]?id",
        "iris[ _-]?id",
    ),
    *(
        "iris scan",
        "iris template",
        "retina[ _-]?id",
        "retina scan",
        "retinal scan",
        "palm[ _-]?id",
        "palm print",
    ),
    *(
        "dna[ _-]?id",
        "dna sample",
        "dna profile",
        "fingerprint",
        "photo[ _-]?id",
        "photo no",
        "image[ _-]?id",
    ),
)
_MAC = (
    "mac[ _-]?address",
    "mac[ _-]?addr",
    "mac",
    "hardware address",
    "bluetooth address",
    "bssid",
    "wlan address",
)
_HEX = r"(?i:(?:[0-9a-f]{2}[:. -]){5}[0-9a-f]{2}|[0-9a-f]{4}[.:-][0-9a-f]{4}[.:-][0-9a-f]{4}|[0-9a-f]{12})(?![\w:])"
_PLATES = (
    *(
        "plates",
        "license[ _-]?plates",
        "licence[ _-]?plates",
        "number[ _-]?plates",
        "license[ _-]?plate",
        "licence[ _-]?plate",
        "number[ _-]?plate",
        "vehicle[ _-]?plate",
        "car[ _-]?plate",
        "registration[ _-]?plate",
    ),
    *(
        "plate[ _-]?no",
        "plate[ _-]?number",
        "plate #",
        "reg[ _-]?plate",
        "vehicle[ _-]?reg",
        "vehicle[ _-]?registration",
    ),
    *(
        "car[ _-]?registration",
        "car[ _-]?reg",
        "tag[ _-]?number",
        "tag[ _-]?no",
        "vrm",
        "vrn",
        "kennzeichen",
        "plate",
    ),
)
_NO_PLATE = (
    r"(?:(?<=[=\"])|(?!(?i:no|is|was|number|of|the|in|on|at|for|and|from|a|an|by|to)(?![\w-])))"
)
# "ab12 cde"
_SMALL = r"(?:(?<=[a-z][a-z][0-9][0-9] )|(?<=[a-z][a-z] [0-9][0-9] ))(?!was|has|and|the|for|but|had|did|who)[a-z]{3}"
_PLATE = (
    rf"(?<![\w-]){_NO_PLATE}(?=[A-Za-zÄÖÜäöü -]{{0,8}}[0-9])"
    r"(?:[A-Za-zÄÖÜäöü]{1,4}(?:[ ·-]?[A-Za-z]{1,2}(?=[ ·-]?[0-9]))?[ ·-]?"
    rf"(?:[0-9]{{1,3}}(?:[ ·-]?[A-Z]{{1,3}}|[·-]?[a-z]{{1,3}}|[ ]{_SMALL})?|[0-9]{{4,5}}(?:[·-]?[A-Za-z]{{1,2}})?)"
    r"|[0-9]{1,4}[ ·-]?(?:[A-Z]{1,4}(?:[ ·-]?[0-9]{1,5})?|[a-z]{1,4}[ ·-]?[0-9]{1,5})"
    r"|[0-9]{3,4}-[a-z]{2,3}"
    r"|[0-9]{3,4}(?:[ ](?!was|has|and|the|for|but|had|did|who)|-)?[b-df-hj-np-tv-z]{2,3})(?![\w-])"
)
_VIN = r"(?<!\w)[A-HJ-NPR-Za-hj-npr-z0-9]{17}(?!\w)"


def _make_rule(
    name: str, words: tuple[str, ...], gap: str = GAP, value: str = CODE, least: int = 4
) -> Rule:
    return Rule(
        name=name,
        type=EntityType.CODE,
        regex=match_labelled(words, value, gap),
        triggers=list_literals(words),
        opens=True,
        score=0.8,
        check=partial(is_code, least=least),
    )


def _is_plate(surface: str) -> bool:
    signs = sum(map(str.isalnum, surface))
    return 4 <= signs <= 9 and any(map(str.isdecimal, surface)) and any(map(str.isalpha, surface))


FAMILY = Family(
    name="labelled_device",
    rules=(
        _make_rule("device_labelled", _DEVICE),
        _make_rule("device_labelled", _DEVICE_WEAK, ANNOUNCED_GAP),
        _make_rule(
            "device_labelled", _DEVICE_WEAK, r"(?![^\W\d_])\.?[ ](?:(?i:is)[ ])?", STRICT, 6
        ),
        _make_rule("biometric_labelled", _BIOMETRIC),
        Rule(
            name="mac_labelled",
            type=EntityType.CODE,
            regex=match_labelled(_MAC, _HEX),
            triggers=list_literals(_MAC),
            opens=True,
        ),
        Rule(
            name="plate_labelled",
            type=EntityType.CODE,
            regex=match_labelled(_PLATES, _PLATE),
            triggers=list_literals(_PLATES),
            opens=True,
            check=_is_plate,
        ),
        # "plate RT4 71K": two groups with letters and digits need no colon
        Rule(
            name="plate_labelled",
            type=EntityType.CODE,
            regex=r"(?<![^\W_])(?i:plates?)[ :]{1,2}"
            r"(?P<m>(?=[A-Z]{0,4}[0-9])[A-Z0-9]{2,4}[ ·-](?=[A-Z]{0,4}[0-9])[A-Z0-9]{2,4})(?![\w-])",
            triggers=("plate ", "plates ", "plate:"),
            opens=True,
            check=_is_plate,
        ),
        Rule(
            name="vin_labelled",
            type=EntityType.CODE,
            regex=match_labelled(
                ("vin", "chassis", "vehicle[ _-]?identification", "vehicle[ _-]?id"),
                f"(?:{_VIN}|{STRICT})",
            ),
            triggers=(
                "vin",
                *list_literals(("chassis", "vehicle[ _-]?identification", "vehicle[ _-]?id")),
            ),
            opens=True,
            check=partial(is_code, least=6),
        ),
    ),
    positive=(
        ("plates: BD 51 SMR and plates: bd 51 smr", ("BD 51 SMR", "bd 51 smr")),
        ("Serial number: SN-4471-AC", ("SN-4471-AC",)),
        ("S/N 4471ac99", ("4471ac99",)),
        ("device serial pm-88213-x", ("pm-88213-x",)),
        ("Pacemaker serial 88213-X", ("88213-X",)),
        ("IMEI: 99-000086-247185-4", ("99-000086-247185-4",)),
        ("iccid=8947000000000000001", ("8947000000000000001",)),
        ("deviceId: a1b2c3d4", ("a1b2c3d4",)),
        ("Fingerprint ID FP-0091-22", ("FP-0091-22",)),
        ("biometric id: bio_88213", ("bio_88213",)),
        ("voiceprint VP88213", ("VP88213",)),
        ("MAC: 00005E0053AF", ("00005E0053AF",)),
        ("mac 00 00 5e 00 53 af", ("00 00 5e 00 53 af",)),
        ("License plate: ab12 cde", ("ab12 cde",)),
        ("plate | KLM-456", ("KLM-456",)),
        ("plate=klm456", ("klm456",)),
        ('plate_no="WAS 9086"', ("WAS 9086",)),
        ('tag_no="WH98 ZYC" vehicle_registration="y-ml 0809"', ("WH98 ZYC", "y-ml 0809")),
        ("PLATE NO. 34 ABC 123", ("34 ABC 123",)),
        ("his plate is XY 12345.", ("XY 12345",)),
        ("plate RT4 71K, red", ("RT4 71K",)),
        ("vin: 1m8gdm9axkp042788", ("1m8gdm9axkp042788",)),
        ("Tag no.: WA24 ZBH", ("WA24 ZBH",)),
        ("Plate no.\tPAB 2175", ("PAB 2175",)),
        ("license_plate=abc 1234", ("abc 1234",)),
        ("pacemaker serial: abc-12345-de", ("abc-12345-de",)),
        ("Iris scan ID: IRIS-123456", ("IRIS-123456",)),
        ("fingerprint id is fpt-1234-ab", ("fpt-1234-ab",)),
        ("VIN 1M8GDM9AXKP042788", ("1M8GDM9AXKP042788",)),
    ),
    negative=(
        "a serial killer of 1998",
        "the device was 12 cm long",
        "plate 12 shows a horse",
        "a plate of 3 fish",
        "vin rouge, 12345 bottles",
        "the lot of 20 men",
        "fingerprints of 12 people",
        "biometric data from 2004",
        "a Mac with 12 inches",
        "serial: daily",
    ),
)

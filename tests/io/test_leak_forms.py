"""The leak check finds every writing of a secret in every form that can be decoded, and in two forms at once."""

from __future__ import annotations

import base64
import bz2
import gzip
import html
import io
import lzma
import quopri
import random
import string
import zipfile
import zlib
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.errors import LeakError
from maskwise.io import leaks
from maskwise.io.leaks.decoding import Decoder
from maskwise.text import Person

NAME = "Zbigniew Kowalczyk"
SHORTER = "Ina Hansen"
PHONE = "+44 7700 900413"
CODE = "GB33BUKB20201555555555"
MAIL = "z.kowalska77@example.org"
LINK = "https://example.org/people/zkowal-page.html"


def between(text, sign):
    return sign.join(text)


def as_zip(data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.bin", data)
    return buffer.getvalue()


def wrap(text, width=20):
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def as_rtf(text):
    return "".join(f"\\'{byte:02x}" for byte in text.encode("cp1252"))


def as_utf7(text):
    packed = base64.b64encode(text.encode("utf-16-be")).decode().rstrip("=")
    return f"+{packed}-"


def punycode(text):
    letters = text.replace(" ", "-") + "ż"
    return "xn--" + letters.encode("punycode").decode()


# Text to text. Each form keeps ASCII only, so that a second form can follow.
FORMS = {
    "base64": lambda t: base64.b64encode(t.encode()).decode(),
    "base64 of more": lambda t: base64.b64encode(
        f"The name is {t}, and no more.".encode()
    ).decode(),
    "base64 without padding": lambda t: base64.b64encode(t.encode()).decode().rstrip("="),
    "base64 for addresses": lambda t: base64.urlsafe_b64encode(b"\xff\xfe? " + t.encode()).decode(),
    "base64 in lines": lambda t: wrap(base64.b64encode(f"Dear {t}, good day".encode()).decode()),
    "base64 after a word": lambda t: "x" + base64.b64encode(t.encode()).decode(),
    "base64 after two letters": lambda t: "ab_" + base64.b64encode(t.encode()).decode(),
    "base64 in a link": lambda t: f"data:text/plain;base64,{base64.b64encode(t.encode()).decode()}",
    "base64 of UTF-16": lambda t: base64.b64encode(t.encode("utf-16-le")).decode(),
    "percent": lambda t: "".join(f"%{byte:02X}" for byte in t.encode()),
    "percent in part": lambda t: quote(t.replace("k", "ą")).replace("%C4%85", "%6B"),
    "percent twice": lambda t: quote("".join(f"%{byte:02x}" for byte in t.encode())),
    "percent with u": lambda t: "".join(f"%u{ord(c):04x}" for c in t),
    "entities": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "entities in hexadecimal": lambda t: "".join(f"&#x{ord(c):x};" for c in t),
    "entities twice": lambda t: html.escape("".join(f"&#{ord(c)};" for c in t)),
    "quoted-printable": lambda t: "".join(f"={byte:02X}" for byte in t.encode()),
    "quoted-printable in lines": lambda t: quopri.encodestring(
        ("word " * 13 + t).encode()
    ).decode(),
    "encoded word in base64": lambda t: f"=?utf-8?b?{base64.b64encode(t.encode()).decode()}?=",
    "encoded word quoted": lambda t: f"=?iso-8859-1?q?{t.replace(' ', '_').replace('a', '=61')}?=",
    "encoded words": lambda t: (
        f"=?utf-8?q?{t[:4].replace(' ', '_')}?=\n =?utf-8?q?{t[4:].replace(' ', '_')}?="
    ),
    "UTF-7": as_utf7,
    "ODF names": lambda t: "".join(c if c.isalnum() else f"_{ord(c):02x}_" for c in t),
    "ODF names throughout": lambda t: "".join(f"_{ord(c):02x}_" for c in t),
    "OOXML names": lambda t: "".join(c if c.isalnum() else f"_x{ord(c):04X}_" for c in t),
    "OOXML names throughout": lambda t: "".join(f"_x{ord(c):04x}_" for c in t),
    "JSON": lambda t: "".join(f"\\u{ord(c):04x}" for c in t),
    "JSON twice": lambda t: "".join(f"\\\\u{ord(c):04x}" for c in t),
    "JavaScript": lambda t: "".join(f"\\x{ord(c):02x}" for c in t),
    "JavaScript in braces": lambda t: "".join(f"\\u{{{ord(c):04x}}}" for c in t),
    "octal": lambda t: "".join(f"\\{ord(c):03o}" for c in t),
    "CSS": lambda t: "".join(f"\\{ord(c):x} " for c in t),
    "CSS of six digits": lambda t: "".join(f"\\{ord(c):06x}" for c in t),
    "RTF": as_rtf,
    "RTF by number": lambda t: "".join(f"\\u{ord(c)}?" for c in t),
    "RTF in groups": lambda t: (
        "{\\b " + "}{\\i ".join("\\" + c if c in "{}\\" else c for c in t) + "}"
    ),
    "hexadecimal": lambda t: t.encode().hex(),
    "hexadecimal, apart": lambda t: t.encode().hex(" "),
    "hexadecimal with colons": lambda t: t.encode().hex(":").upper(),
    "hexadecimal in code": lambda t: ", ".join(f"0x{byte:02x}" for byte in t.encode()),
    "hexadecimal of UTF-16": lambda t: t.encode("utf-16-be").hex(),
    "numbers in code": lambda t: "String.fromCharCode(" + ",".join(str(ord(c)) for c in t) + ")",
    "tags between": lambda t: "<b></b>".join(t),
    "terminal": lambda t: "\x1b[1m".join(t),
    "terminal colours": lambda t: "\x1b[38;5;12m" + "\x1b[0m\x1b[4m".join(t) + "\x1b[0m",
    "gzip in base64": lambda t: base64.b64encode(gzip.compress(t.encode(), mtime=0)).decode(),
    "zlib in base64": lambda t: base64.b64encode(zlib.compress(t.encode())).decode(),
    "zip in base64": lambda t: base64.b64encode(as_zip(t.encode())).decode(),
    "zip in zip in base64": lambda t: base64.b64encode(as_zip(as_zip(t.encode()))).decode(),
}

# Text to text that no decoder need undo.
SPACED = {
    "plain": str,
    "letters apart": lambda t: " ".join(t),
    "stops between": lambda t: between(t, "."),
    "zero width": lambda t: between(t, "\u200b"),
    "soft hyphens": lambda t: between(t, "\u00ad"),
    "accents": lambda t: between(t, "\u0301"),
    "emoji": lambda t: between(t, "\U0001f600"),
    "lines": lambda t: "\n".join(t.split(" ")),
    "snake": lambda t: "_".join(t.split(" ")),
    "kebab": lambda t: "-".join(t.split(" ")),
    "glued": lambda t: t.replace(" ", ""),
    "small": str.lower,
    "capitals": str.upper,
    "full width": lambda t: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t),
    "mathematical": lambda t: "".join(chr(0x1D400 + ord(c) - 65) if c.isupper() else c for c in t),
    "tag characters": lambda t: "".join(chr(0xE0000 + ord(c)) for c in t),
}

# Bytes of a text.
PACKED = {
    "UTF-8": str.encode,
    "UTF-16": lambda t: t.encode("utf-16"),
    "UTF-16, little": lambda t: t.encode("utf-16-le"),
    "UTF-16, big": lambda t: t.encode("utf-16-be"),
    "UTF-16, odd": lambda t: b"\x01" + t.encode("utf-16-le") + b"\x02\x03",
    "UTF-32, little": lambda t: t.encode("utf-32-le"),
    "UTF-32, big": lambda t: t.encode("utf-32-be"),
    "UTF-32, odd": lambda t: b"\x01" + t.encode("utf-32-le"),
    "EBCDIC": lambda t: t.encode("cp037"),
    "gzip": lambda t: gzip.compress(t.encode(), mtime=0),
    "zlib": lambda t: zlib.compress(t.encode()),
    "bzip2": lambda t: bz2.compress(t.encode()),
    "xz": lambda t: lzma.compress(t.encode()),
    "zip": lambda t: as_zip(t.encode()),
    "zip in gzip": lambda t: gzip.compress(as_zip(t.encode()), mtime=0),
    "zip after other bytes": lambda t: b"\x89PNG\r\n" + bytes(range(256)) + as_zip(t.encode()),
    "among bytes": lambda t: bytes(range(128, 256)) * 3 + t.encode() + bytes(range(128, 256)) * 3,
}

WRITINGS = {  # of a protected person, whom no reader met
    "as given": "Zbigniew Kowalczyk",
    "reversed": "Kowalczyk, Zbigniew",
    "surname": "Kowalczyk",
    "possessive": "Kowalczyk's",
    "initial": "Z. Kowalczyk",
    "user": "zkowalczyk",
    "user, turned": "kowalczykz",
    "camel case": "zbigniewKowalczyk",
    "camel case, turned": "KowalczykZbigniew",
    "backwards": "kyzclawoK weingibZ",
    "surname backwards": "kyzclawok",
    "accents": "Zbígniew Kowálczyk",
    "double": "Kowalczyk-Nowak",
    "in an address": "zbigniew.kowalczyk@example.org",
    "in a path": "/home/zkowalczyk/letters",
}
WRITINGS_OF_SHORTER = {
    "as given": "Ina Hansen",
    "reversed": "Hansen, Ina",
    "surname": "Hansen",
    "plural": "the Hansens",
    "user": "ihansen",
    "user, turned": "hanseni",
    "glued": "inahansen",
    "camel case": "inaHansen",
    "in camel case": "fileOfHansen",
    "numbered": "hansen2",
    "in a path": "/home/ihansen/",
    "double": "Berg-Hansen",
}


def found(raw, suffix=".txt", masked=(), people=(), names=()):
    try:
        leaks.check_file(raw, suffix, "x", masked, ["a masked text"], people, names)
    except LeakError:
        return True
    return False


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("secret", [NAME, PHONE, CODE])
def test_a_masked_string_is_found_in_every_form(form, secret):
    assert found(f"first line\nThe roof. {FORMS[form](secret)} y".encode(), masked=[secret])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("writing", WRITINGS)
def test_a_protected_person_is_found_in_every_form(form, writing):
    if form == "percent in part" and not WRITINGS[writing].isascii():
        form = "percent"
    text = WRITINGS[writing]
    if form == "RTF":
        text = text.encode("cp1252", "replace").decode("cp1252")
    assert found(f"first line\nThe roof. {FORMS[form](text)} y".encode(), people=[Person(NAME)])


@pytest.mark.parametrize("form", SPACED)
@pytest.mark.parametrize("secret", [NAME, "Kowalczyk", PHONE.replace(" ", "")])
def test_a_secret_is_found_however_it_is_spaced(form, secret):
    assert found(
        f"first line\nThe roof: {SPACED[form](secret)} y".encode(),
        masked=[PHONE],
        people=[Person(NAME)],
    )


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("form", ["plain", "base64", "percent", "entities", "JSON", "hexadecimal"])
@pytest.mark.parametrize("secret", ["Kowalczyk", PHONE, CODE])
def test_a_secret_is_found_in_packed_bytes(packing, form, secret):
    text = FORMS.get(form, str)(secret)
    raw = PACKED[packing](f"The new roof. {text} and the rest.")
    assert found(raw, ".bin", masked=[PHONE, CODE], people=[Person(NAME)])


def test_a_domain_in_punycode_is_read():
    assert found(
        f"http://{punycode('Zbigniew Kowalczyk')}.example/".encode(), people=[Person(NAME)]
    )


@pytest.mark.parametrize("writing", WRITINGS_OF_SHORTER)
def test_a_person_of_a_short_name_is_found(writing):
    assert found(f"The roof. {WRITINGS_OF_SHORTER[writing]} y".encode(), people=[Person(SHORTER)])


@pytest.mark.parametrize("order", [str, lambda t: ", ".join(reversed(t.split(" ", 1)))])
@pytest.mark.parametrize(
    ("name", "writings"),
    [
        ("Jürgen Müller", ["Mueller", "Muller", "jmueller", "Juergen Mueller", "JURGEN MULLER"]),
        ("Søren Ørsted", ["Orsted", "Oersted", "soersted", "Soren Orsted"]),
        ("Łukasz Wałęsa-Nowicki", ["Walesa", "Nowicki", "walesanowicki", "lwalesanowicki"]),
        ("Anna van der Meulen", ["Meulen", "van der Meulen", "vandermeulen", "avandermeulen"]),
        ("Dr Seán O'Rourke", ["O'Rourke", "ORourke", "orourke", "sorourke", "O’ROURKE"]),
        ("Иван Петренко", ["Петренко", "ПЕТРЕНКО", "Петренко Иван", "иванпетренко"]),
        ("김철수 이영희", ["이영희 김철수"]),
        ("黄义达", ["他是黄义达。"]),
    ],
)
def test_spellings_of_a_protected_person(name, writings, order):
    people = [Person(order(name))]
    assert [
        writing for writing in writings if not found(f"roof {writing} y".encode(), people=people)
    ] == []


PARTS = {
    PHONE: [
        "07700 900413",
        "7700900413",
        "447700900413",
        "0044 7700 900413",
        "+44 (0) 7700-900413",
    ],
    CODE: [
        "GB33 BUKB 2020 1555 5555 55",
        "gb33bukb20201555555555",
        "20201555555555",
        "IBAN:GB33BUKB20201555555555",
    ],
    MAIL: ["z.kowalska77", "ZKOWALSKA77", "z_kowalska77"],
    LINK: ["zkowal-page", "zkowalpage"],
}


@pytest.mark.parametrize(
    ("secret", "part"), [(secret, part) for secret in PARTS for part in PARTS[secret]]
)
def test_parts_of_a_masked_identifier_are_found(secret, part):
    assert found(f"The roof. {part} y".encode(), masked=[secret])


def test_words_of_a_masked_name_are_found():
    assert found(b"of Kowalczyk here", masked=["Mr Jan Kowalczyk"], names=["Mr Jan Kowalczyk"])


def test_what_is_protected_is_not_excused_by_being_visible():
    for text in ("Zbigniew Kowalczyk came.", "Kowalczyk came.", "see /home/zkowalczyk/"):
        with pytest.raises(LeakError):
            leaks.check_file(text.encode(), ".txt", "x", [], [text], [Person(NAME)])


SYLLABLES = ["ko", "wal", "czy", "zbig", "nie", "mar", "tin", "sza", "lev", "gro", "dun", "pel"]
secrets = st.builds(
    lambda given, family: f"{''.join(given)} {''.join(family)}".title(),
    st.lists(st.sampled_from(SYLLABLES), min_size=2, max_size=3),
    st.lists(st.sampled_from(SYLLABLES), min_size=3, max_size=4),
)


@pytest.mark.parametrize("inner", FORMS)
def test_every_two_forms_at_once(inner):
    text = FORMS[inner](NAME)
    missed = [
        outer
        for outer in FORMS
        if not found(f"The roof: {FORMS[outer](text)} y".encode(), people=[Person(NAME)])
    ]
    assert missed == []


@given(secrets, st.sampled_from(sorted(FORMS)), st.sampled_from(sorted(FORMS)))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_two_forms_of_any_name(secret, inner, outer):
    raw = f"The roof: {FORMS[outer](FORMS[inner](secret))} end".encode()
    assert found(raw, people=[Person(secret)]), (inner, outer)


@given(
    st.lists(
        st.sampled_from(["entities", "percent", "JSON", "quoted-printable", "OOXML names"]),
        min_size=9,
    )
)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_forms_side_by_side_in_one_word(forms):
    text = "".join(FORMS[form](letter) for form, letter in zip(forms, "Kowalczyk", strict=False))
    assert found(f"The roof: {text} end".encode(), people=[Person(NAME)])


@given(secrets, st.sampled_from(sorted(FORMS)), st.sampled_from(sorted(PACKED)))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_form_in_packed_bytes(secret, form, packing):
    assert found(
        PACKED[packing](f"The roof: {FORMS[form](secret)} end"), ".bin", people=[Person(secret)]
    )


@given(st.text(string.ascii_letters + string.digits + "%&=_+\\<>{}/?# ;-", max_size=400))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_no_text_is_a_leak_by_chance_nor_an_error(text):
    leaks.check_file(text.encode(), ".txt", "x", [PHONE, CODE], [text], [Person(NAME)])


def test_noise_is_no_leak():
    noise = random.Random(5).randbytes(1 << 20)
    names = [
        f"{a}{b}{c} {d}{e}".title()
        for a, b, c, d, e in zip(*[iter(SYLLABLES * 50)] * 5, strict=True)
    ]
    leaks.check_file(noise, ".bin", "x", names, [], [Person(NAME)])


UNITS = [
    "%25",
    "&amp;",
    "\\u0041",
    "\\",
    "=3D",
    "_41_",
    "+AGE-",
    "<b>",
    "12,",
    "QUJD",
    "a\x1b[1m",
    "&lt;b&gt;%41\\x41=41 ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_opened_grows_with_the_text(unit):
    few, many = (
        sum(len(view.text) for view in Decoder().read_text(unit * count)) for count in (1500, 6000)
    )
    assert many <= 10 * few  # four times the text; sixteen would be quadratic
    assert many <= 60 * len(unit) * 6000


def test_what_is_opened_in_noise_stays_small():
    noise = random.Random(7).randbytes(1 << 18)
    views = Decoder().read_bytes(noise)
    assert sum(len(view.text) for view in views) < 2 * len(noise)

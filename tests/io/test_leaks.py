"""Names planted in every hiding place are gone; and with any one cleaner turned off the check refuses the file."""

import base64
import dataclasses
import re
from collections import Counter
from urllib.parse import quote

import pytest
import samples
from samples import NAME, SAMPLES, SURNAME

from maskwise.errors import LeakError, OutputError
from maskwise.files import sanitize_file
from maskwise.io import delimited, eml, html, jsons, leaks, parquet, plain
from maskwise.io.leaks.decoding import Decoder
from maskwise.io.leaks.folding import fold

NOTHING = re.compile("(?!)")


def places(raw, name):
    """How often the planted surname stands in each kind of place, as the leak readers see it."""
    found = Counter()
    for piece in leaks.pieces(raw, "." + name.rpartition(".")[2]):
        views = [piece.text, *(view.text for view in Decoder().read_text(piece.text))]
        found[piece.place] += any(SURNAME in fold(view) for view in views)
    return +found


@pytest.mark.parametrize("name", SAMPLES)
def test_no_planted_name_is_left(sanitizer, name):
    assert places(SAMPLES[name], name)
    done = sanitize_file(sanitizer, SAMPLES[name], name)
    assert not places(done.data, name)
    assert SURNAME.encode() not in done.data.lower()


def test_the_samples_hide_names_where_formats_can():
    mail = places(samples.EML, "m.eml")
    assert {"header From", "header Message-ID", "another header", "preamble", "image/png, bytes"} <= set(mail)
    assert {"text", "attributes", "tags", "comments"} <= set(places(samples.HTML, "p.html"))
    table = places(samples.parquet(), "t.parquet")
    assert {"metadata", "metadata of a column", "statistics", "column 1", "column 2", "column 3"} <= set(table)


def _keep_cuts(monkeypatch):
    read = html.Html.read

    def without(self, raw, name):
        loaded = read(self, raw, name)
        return dataclasses.replace(loaded, layout=dataclasses.replace(loaded.layout, cuts=()))

    monkeypatch.setattr(html.Html, "read", without)


def _unsplit(module):
    return lambda patch: patch.setattr(module, "split", lambda layout, alignment: list(layout.texts))


def _known_headers(patch):
    patch.setattr(eml, "STRUCTURE", eml.STRUCTURE | {"received", "x-mailer"})


def _preambles(patch):
    patch.setattr(eml.Message, "preamble", property(lambda self: NAME, lambda self, value: None), raising=False)


MUTATIONS = {
    "text as it was": ("letter.txt", lambda p: p.setattr(plain, "encode", lambda text, how: samples.TXT)),
    "html comments, scripts and handlers": ("page.html", _keep_cuts),
    "html style comments": ("page.html", lambda p: p.setattr(html, "_STYLE_COMMENT", NOTHING)),
    "html alternative texts": ("page.html", lambda p: p.setattr(html, "STRUCTURE", html.STRUCTURE | {"alt"})),
    "html attributes": ("page.html", lambda p: p.setattr(html.Html, "_attributes", lambda *_: iter(()))),
    "html inner escapes": ("page.html", lambda p: p.setattr(html, "_ATOM", NOTHING)),
    "json values": ("data.json", _unsplit(jsons)),
    "json lines": ("rows.jsonl", _unsplit(jsons)),
    "csv cells": ("table.csv", _unsplit(delimited)),
    "tsv cells": ("table.tsv", _unsplit(delimited)),
    "parquet values": ("table.parquet", lambda p: p.setattr(parquet, "filled", lambda value, *_: value)),
    "parquet metadata": ("table.parquet", lambda p: p.setattr(parquet, "_metadata", lambda found: found)),
    "eml headers": ("mail.eml", _known_headers),
    "eml preamble": ("mail.eml", _preambles),
    "eml parameters": ("mail.eml", lambda p: p.setattr(eml, "_neutral", lambda *_: None)),
    "eml bodies": ("mail.eml", lambda p: p.setattr(eml, "_fill", lambda *_: None)),
    "eml attachments": ("mail.eml", lambda p: p.setattr(eml._Walk, "_unknown", lambda *_: None)),
}


@pytest.mark.parametrize("cleaner", MUTATIONS)
def test_the_check_fails_when_a_cleaner_is_off(sanitizer, monkeypatch, cleaner):
    name, turn_off = MUTATIONS[cleaner]
    sanitize_file(sanitizer, SAMPLES[name], name)
    turn_off(monkeypatch)
    with pytest.raises(LeakError) as caught:
        sanitize_file(sanitizer, SAMPLES[name], name)
    assert SURNAME not in str(caught.value).lower()
    assert "\n" not in str(caught.value)


VARIANTS = {
    "plain": NAME,
    "capitals": NAME.upper(),
    "reversed": samples.REVERSED,
    "address": samples.MAIL,
    "glued": NAME.replace(" ", ""),
    "accents": "Zbígniew Kowálczyk",
    "full width": "Ｚｂｉｇｎｉｅｗ Ｋｏｗａｌｃｚｙｋ",
    "soft hyphen": "Zbig\u00adniew Kowal\u200bczyk",
    "entities": "".join(f"&#{ord(c)};" for c in NAME),
    "url": quote(f"ą {NAME}").replace("K", "%4B"),
    "quoted-printable": NAME.replace("K", "=4B"),
    "escaped": NAME.replace("K", "\\u004b"),
    "base64": base64.b64encode(NAME.encode()).decode(),
    "base64 of utf-16": base64.b64encode(NAME.encode("utf-16-le")).decode(),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_are_found(variant):
    with pytest.raises(LeakError, match="line 2"):
        leaks.check(f"x\n{VARIANTS[variant]} y".encode(), ".txt", "x", [NAME], ["a masked text"])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_wide_bytes_are_searched(encoding):
    with pytest.raises(LeakError):
        leaks.check(b"\x01" + NAME.encode(encoding), ".bin", "x", [NAME], [])


@pytest.mark.parametrize(
    ("masked", "file", "visible"),
    [
        ("5", "5 apples", "apples"),  # everywhere
        ("Lee", "fleece", "nothing"),  # part of a word
        ("314", "page 314", "nothing"),  # too few digits
        ("Paris", "Paris is a city", "Paris is a city"),  # the plan kept it
    ],
)
def test_what_is_no_leak(masked, file, visible):
    assert leaks.check(file.encode(), ".txt", "x", [masked], [visible]).searched <= 1


def test_counts():
    assert leaks.check(b"abc", ".txt", "x", ["Ann Lee", "5", "abc"], ["abc"]) == leaks.Checked(1, 2)


def test_an_output_that_cannot_be_read_again_is_withdrawn():
    with pytest.raises(LeakError, match="cannot be read again"):
        leaks.check(b"PAR1", ".parquet", "x", [NAME], [])


def test_an_error_while_writing_tells_no_text(sanitizer, monkeypatch):
    def fail(*_):
        raise ValueError(NAME)

    monkeypatch.setattr(plain, "encode", fail)
    with pytest.raises(OutputError) as caught:
        sanitize_file(sanitizer, samples.TXT, "letter.txt")
    assert SURNAME not in str(caught.value).lower()

"""Names planted in every hiding place are gone; and with any one cleaner turned off the check refuses the file."""

import base64
import dataclasses
import json
import re
from collections import Counter
from urllib.parse import quote

import office
import pytest
import samples
from samples import NAME, SAMPLES, SURNAME

from maskwise.errors import LeakError, OutputError
from maskwise.files import sanitize_file
from maskwise.io import (
    arrow_types,
    delimited,
    eml,
    html,
    html_attributes,
    jsons,
    leaks,
    parquet,
    plain,
)
from maskwise.io.leaks.decoding import Decoder
from maskwise.io.leaks.folding import fold_text
from maskwise.text import Person

NOTHING = re.compile("(?!)")


def places(raw, name):
    """How often the planted surname stands in each kind of place, as the leak readers see it."""
    found = Counter()
    for piece in leaks.read_pieces(raw, "." + name.rpartition(".")[2]):
        views = [piece.text, *(view.text for view in Decoder().read_text(piece.text))]
        found[piece.place] += any(SURNAME in fold_text(view) for view in views)
    return +found


@pytest.mark.parametrize("name", SAMPLES)
def test_no_planted_name_is_left(sanitizer, name):
    assert places(SAMPLES[name], name)
    done = sanitize_file(sanitizer, SAMPLES[name], name)
    assert not places(done.data, name)
    assert SURNAME.encode() not in done.data.lower()


def test_the_samples_hide_names_where_formats_can():
    mail = places(samples.EML, "m.eml")
    assert {
        "header From",
        "header Message-ID",
        "another header",
        "preamble",
        "image/png, bytes",
    } <= set(mail)
    assert {"text", "attributes", "tags", "comments"} <= set(places(samples.HTML, "p.html"))
    table = places(samples.parquet(), "t.parquet")
    assert {
        "metadata",
        "metadata of a column",
        "statistics",
        "column 1",
        "column 2",
        "column 3",
    } <= set(table)


def _keep_cuts(monkeypatch):
    read = html.Html.read

    def without(self, raw, name):
        loaded = read(self, raw, name)
        return dataclasses.replace(loaded, layout=dataclasses.replace(loaded.layout, cuts=()))

    monkeypatch.setattr(html.Html, "read", without)


def _unsplit(module):
    def keep_texts(layouts, alignments):
        return [text for layout in layouts for text in layout.texts]

    return lambda patch: patch.setattr(module, "mask_all", keep_texts)


def _known_headers(patch):
    patch.setattr(eml, "STRUCTURE", eml.STRUCTURE | {"received", "x-mailer"})
    _raw_headers(patch)


def _raw_headers(patch):
    patch.setattr(eml, "neutralise_value", lambda message, name: str(message[name]))


def _kept_metadata(patch):
    patch.setattr(arrow_types, "rewrite_pandas_metadata", lambda found, *_: found)


def _preambles(patch):
    patch.setattr(
        eml.Message,
        "preamble",
        property(lambda self: NAME, lambda self, value: None),
        raising=False,
    )


MUTATIONS = {
    "text as it was": (
        "letter.txt",
        lambda p: p.setattr(plain, "encode_text", lambda text, how: samples.TXT),
    ),
    "html comments, scripts and handlers": ("page.html", _keep_cuts),
    "html style comments": (
        "page.html",
        lambda p: p.setattr(html, "clean_sheet", lambda sheet, _: sheet),
    ),
    "html alternative texts": (
        "page.html",
        lambda p: p.setattr(html_attributes, "can_stay", lambda name, _: name == "alt"),
    ),
    "html attributes": (
        "page.html",
        lambda p: p.setattr(html_attributes.AttributeReader, "read_all", lambda *_: None),
    ),
    "html inner escapes": ("page.html", lambda p: p.setattr(html, "FLOW", NOTHING)),
    "json values": ("data.json", lambda p: p.setattr(jsons, "edit_atoms", lambda *_: [])),
    "json lines": ("rows.jsonl", lambda p: p.setattr(jsons, "edit_atoms", lambda *_: [])),
    "csv cells": ("table.csv", _unsplit(delimited)),
    "tsv cells": ("table.tsv", _unsplit(delimited)),
    "parquet values": (
        "table.parquet",
        lambda p: p.setattr(parquet, "_choose_leaf", lambda leaf, *_: leaf),
    ),
    "parquet metadata": (
        "table.parquet",
        lambda p: p.setattr(arrow_types, "rewrite_pandas_metadata", lambda found, *_: found),
    ),
    "eml headers": ("mail.eml", _known_headers),
    "eml preamble": ("mail.eml", _preambles),
    "eml parameters": ("mail.eml", _raw_headers),
    "eml bodies": ("mail.eml", lambda p: p.setattr(eml, "fill_part", lambda *_: None)),
    "eml attachments": (
        "mail.eml",
        lambda p: p.setattr(eml._MessageWalk, "_replace_unknown", lambda *_: None),
    ),
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
        leaks.check_file(
            f"x\n{VARIANTS[variant]} y".encode(), ".txt", "x", [NAME], ["a masked text"]
        )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_wide_bytes_are_searched(encoding):
    with pytest.raises(LeakError):
        leaks.check_file(b"\x01" + NAME.encode(encoding), ".bin", "x", [NAME], [])


NO_LEAK = {  # masked strings, the text of the file; the masked text shows no more than "nothing"
    "a digit": (["5"], "5 apples"),
    "a part of a word": (["Lee"], "fleece"),
    "a part of a word with a capital": (["Lee"], "aLeef"),
    "three digits": (["314"], "page 314"),
    "a number in a longer one": (["77009004"], "id 1277009004"),
    "numbers in two cells": (["7700900413"], "7700,900413"),
    "numbers in two lines": (["7700900413"], "7700\n900413"),
    "numbers in a list": (["7700900413"], "[7700, 900413]"),
    "the country code": (["+44 7700 900413"], "+44 20 7946 0000"),
    "the domain": (["ana@example.org"], "see example.org"),
    "the last word of a link": (["https://example.org/about/team.html"], "our team of html"),
    "a word of the format": (["Georgia"], "%47eorgia &#71;eorgia"),
    "short and escaped": (["Ann"], "%41nn"),
    "short and apart": (["Ann"], "A. n. n."),
}


@pytest.mark.parametrize("case", NO_LEAK)
def test_what_is_no_leak(case):
    masked, file = NO_LEAK[case]
    leaks.check_file(file.encode(), ".txt", "x", masked, ["nothing"])


def test_what_the_plan_kept_is_no_leak():
    leaks.check_file(b"Paris is a city", ".txt", "x", ["Paris"], ["Paris is a city"])


EVERYDAY = {  # people of everyday names, and texts that do not speak of them
    "Rose May": "The rose of the month of may; a rose may rise. Rising may be hard.",
    "Will Long": "This will, long after, go along and belong. The long will.",
    "Mark Young": "Mark: see the young people. Younger marks.",
    "Ann Lee": "The fleece of the annual planned leeway.",
    "Li Wei": "I like weird weights; lima, weiner.",
    "Sam Miles": "She smiles and samples ten miles.",
    "Ada Cross": "They came across and crossed. Adage.",
    "Bo Read": "bread, ready, already; read both.",
    "Al Ward": "award, toward, backward, ward of court",
    "Kay King": "okay, making, taking; the kings",
    "Christian Church": "The christian church of the village.",
    "Jack London": "A jacket from Londonderry.",
    "Ed Ng": "ending, edging, red king",
}


@pytest.mark.parametrize("name", EVERYDAY)
@pytest.mark.parametrize("suffix", [".txt", ".html", ".json", ".csv"])
def test_everyday_words_are_no_leak(name, suffix):
    text = EVERYDAY[name]
    leaks.check_file(json.dumps(text).encode(), suffix, "x", [], [text], [Person(name)])


@pytest.mark.parametrize(
    "name", ["Ann Strong", "Jan Button", "Ada Center", "Bo Georgia", "Al Courier", "Ida Normal"]
)
def test_words_of_formats_are_no_leak(name):
    style = b"p { font-family: Georgia, Courier; text-align: center; font-style: normal }"
    page = b"<style>" + style + b"</style><strong>a</strong>"
    leaks.check_file(
        page + b"<button class='strong'>b</button>", ".html", "x", [name], ["a b"], [Person(name)]
    )
    with pytest.raises(LeakError):
        leaks.check_file(
            page + f"<i title='{name}'></i>".encode(), ".html", "x", [], ["a b"], [Person(name)]
        )


def test_companies_in_namespaces_are_no_leak():
    raw = office.with_one("Zbigniew Kowalczyk")["letter.docx"]
    leaks.check_file(
        raw, ".docx", "x", ["Microsoft", "Oasis", "Main", "Relationships"], ["nothing"]
    )


def test_a_refusal_says_how_many_where_and_what_to_do():
    raw = f"one\n{NAME} and {NAME}\nthree {SURNAME}".encode()
    with pytest.raises(LeakError) as caught:
        leaks.check_file(raw, ".txt", "letter.txt", [], [], [Person(NAME)])
    message = str(caught.value)
    assert message.startswith("letter.txt: 1 strings that must not be seen")
    assert "line 2 (1)" in message
    assert "line 3 (1)" in message
    assert "remove them" in message
    assert SURNAME not in message.lower()


def test_counts():
    assert leaks.check_file(b"abc", ".txt", "x", ["Ann Lee", "5", "abc"], ["abc"]) == leaks.Checked(
        1, 2
    )


def test_an_output_that_cannot_be_read_again_is_withdrawn():
    with pytest.raises(LeakError, match="cannot be read again"):
        leaks.check_file(b"PAR1", ".parquet", "x", [NAME], [])


@pytest.mark.parametrize(
    "hidden", [NAME, SURNAME, "zkowalczyk", base64.b64encode(NAME.encode()).decode()]
)
def test_a_protected_person_whom_no_reader_met_is_found(sanitizer, monkeypatch, hidden):
    monkeypatch.setattr(plain.PlainText, "write", lambda *_: f"nothing {hidden}".encode())
    with pytest.raises(LeakError):
        sanitize_file(sanitizer, b"nothing", "letter.txt")


def test_a_person_named_for_one_file_is_sought_too(sanitizer, monkeypatch):
    monkeypatch.setattr(plain.PlainText, "write", lambda *_: b"see /home/ihansen/")
    sanitize_file(sanitizer, b"nothing", "letter.txt")
    with pytest.raises(LeakError):
        sanitize_file(sanitizer, b"nothing", "letter.txt", (Person("Ina Hansen"),))


def test_an_error_while_writing_tells_no_text(sanitizer, monkeypatch):
    def fail(*_):
        raise ValueError(NAME)

    monkeypatch.setattr(plain, "encode_text", fail)
    with pytest.raises(OutputError) as caught:
        sanitize_file(sanitizer, samples.TXT, "letter.txt")
    assert SURNAME not in str(caught.value).lower()

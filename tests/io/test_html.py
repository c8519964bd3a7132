"""Pages are read as browsers read them, and written so that every parser reads them alike."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from office import png

from maskwise.io.css import clean_sheet, clean_style
from maskwise.io.html import Html
from maskwise.io.html_names import ELEMENTS, can_stay
from maskwise.io.html_tokens import Kind, tokenize
from maskwise.mask import Alignment

WORDS = r"""<p> </p> <b ~x=' a> ' " <!-- --> --!> <script> </script~x> <style> </style/> <title> </title> <svg> </svg>
    <xmp>
    </xmp> <plaintext> <textarea> </textarea> <![CDATA[ ]]> <? ?> </ > < & &# &#9 1; &lt &nbsp; <x-y~z=1>
    <a~href="/a?b=%41" <img~alt='x'y="z"> <p~title="<b>"> <rt> <pre> a b ~ .c{color:red} #d{} @import ; &lt;b&gt;
    <meta~name=author~content= </p~x="1"> <noscript> </noscript> <iframe> <!doctype~html> ~id=e ~class='f~g' ~hidden
    <math> <annotation> ~style='color:red ~href=#x <a <input </textarea~ Zm9vIGJhciBmb28gYmFyIGI=""".split()
PARTS = [part.replace("~", " ") for part in WORDS] + ["\u200b", "\n"]
SOURCES = st.text("<>&;/=\"'! -ab\n#x") | st.lists(st.sampled_from(PARTS), max_size=14).map("".join)


def clean(source: str) -> str:
    """What is written when nothing is masked."""
    page = Html()
    loaded = page.read(source.encode(), "x")
    return page.write(loaded, loaded.texts, (Alignment(()),)).decode()


def squeeze(text: str) -> str:
    return re.sub(r"\W+", "", text)


@given(SOURCES)
def test_a_clean_page_is_clean(source):
    once = clean(source)
    assert clean(once) == once


@given(SOURCES)
def test_every_tag_that_is_written_is_a_known_one(source):
    for token in tokenize(clean(source)):
        assert token.kind is not Kind.CUT
        assert token.kind in (Kind.TEXT, Kind.DOCTYPE) or token.name in ELEMENTS | {"style"}


class Seen(HTMLParser):
    """All text of a page, as the parser of the standard library finds it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


@given(SOURCES.filter(lambda source: "style" not in source))
def test_another_parser_finds_no_text_that_was_not_read(source):
    once = clean(source)
    seen = Seen()
    seen.feed(once)
    seen.close()
    read = squeeze("".join(Html().read(source.encode(), "x").texts))
    for text in seen.found:
        assert squeeze(text) in read or not squeeze(text)


@given(st.text("ab<>&;#=/ \n\"'", max_size=40))
def test_tokens_cover_the_source(source):
    tokens = list(tokenize(source))
    assert "".join(source[token.start : token.end] for token in tokens) == source


def test_an_ordinary_page_stays_as_it_is():
    page = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Report</title>
<style>
p { color: red; margin: 0 auto }
@media print { p { color: black } }
</style></head>
<body>
<h1 align="center">Report &amp; more</h1>
<p style="color: #333; font-weight: bold">5 &lt; 6,
<a href="https://example.org/a?b=1&amp;c=2" target="_blank">a link</a>
<table border=1 cellpadding="2"><tr><td colspan=2 valign='top'>x</td></tr></table>
<img src="a.png" alt="a roof" width="50" height="40"><br/>
<input type="text" disabled><svg viewBox="0 0 10 10"><path d="M0 0L10 10" stroke="red"/></svg>
</body></html>
"""
    assert clean(page) == page


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (
            '<p class="b a" id="x"><a href="#x">y</a>',
            '<p class="n1 n2" id="n3"><a href="#n3">y</a>',
        ),
        (
            "<style>.b{color:red}</style><p class=b>x",
            '<style>.n1 { color:red }</style><p class="n1">x'.replace("r:r", "r: r"),
        ),
        ("<p a=1 title=x b=2>y", "<p title=x>y"),
        ('<p a="1"title="x">y', '<p title="x">y'),
        ("<x-y>a</x-y>", "a"),
        ("<xmp>a<b>c</xmp>d", "<pre>ac</pre>d"),
        ("<p>x</p y=1>", "<p>x</p>"),
        ("a<b", "a"),
        ("1 < 2 <3", "1 < 2 <3"),
        ("&<!-- -->lt;", "&amp;lt;"),
        ("<<!-- -->b>", "&lt;b>"),
    ],
)
def test_what_is_written(source, written):
    assert clean(source) == written


@pytest.mark.parametrize(
    ("name", "value", "stays"),
    [
        ("width", "50%", True),
        ("width", "7700900413", False),
        ("points", "1,2 3,4", True),
        ("points", "7700 900413", False),
        ("lang", "en-GB", True),
        ("lang", "kowalczyk", False),
        ("align", "center", True),
        ("align", "kowalczyk", False),
        ("bgcolor", "#FFF", True),
        ("data-x", "1", False),
        ("xmlns", "http://www.w3.org/2000/svg", True),
        ("xmlns", "http://x.example", False),
    ],
)
def test_attributes_stay_by_their_value(name, value, stays):
    assert can_stay(name, value) is stays


@pytest.mark.parametrize(
    ("sheet", "cleaned"),
    [
        ("p { color: red }", "p { color: red }"),
        ("p { color: kowalczyk; margin: 0 }", "p { margin: 0 }"),
        ("p::after { content: 'x' }", "p::after {  }"),
        ("@import 'x'; p { top: 1px }", "p { top: 1px }"),
        (
            "p { font-family: 'Times New Roman', serif }",
            'p { font-family: "Times New Roman", serif }',
        ),
        ("@media print { p { top: 1px } }", "@media print { p { top: 1px } }"),
        ("a[title=x] { top: 1px } b { top: 2px }", "b { top: 2px }"),
        ("/* x */ b { top: 2px }", "b { top: 2px }"),
        (":root { --x: 1px } p { top: var(--x) }", ":root { --n: 1px }\np { top: var(--n) }"),
    ],
)
def test_style_sheets(sheet, cleaned):
    assert clean_sheet(sheet, lambda _: "n") == cleaned


def test_a_style_attribute():
    assert clean_style("color: red; background: url(x); top: 1px", str) == "color: red; top: 1px"


def test_pictures_in_the_page_lose_their_metadata():
    source = f'<img src="data:image/png;base64,{base64.b64encode(png("Kowalczyk")).decode()}">'
    written = clean(source)
    data = base64.b64decode(written.split(",")[1].split('"')[0])
    assert data.startswith(b"\x89PNG")
    assert b"Kowalczyk" not in data
    assert Html().read(source.encode(), "x").notes == ("1 pictures kept, whose text is not read",)

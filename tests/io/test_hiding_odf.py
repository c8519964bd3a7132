"""Secrets in every place of OpenDocument, Parquet, tables, rich text, PDF and pictures are gone, or refused."""

from __future__ import annotations

import io

import odf.opendocument
import pypdf
import pytest
import samples
from hiding import (  # fmt: skip
    BODY,
    SECRETS,
    Place,
    choose_trial,
    csv,
    holds,
    images,
    judge,
    odt,
    parquet,
    pdf,
    rtf,
    tsv,
)

from maskwise.files import sanitize_file
from maskwise.io.odt import Odt
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

MODULES = {
    "csv": csv,
    "images": images,
    "odt": odt,
    "parquet": parquet,
    "pdf": pdf,
    "rtf": rtf,
    "tsv": tsv,
}
FEWEST = {"csv": 25, "images": 50, "odt": 250, "parquet": 80, "pdf": 110, "rtf": 50, "tsv": 25}
REFUSED = {"odt: document type", "pdf: tiny text"}  # and the pages of PDF that `test_pdf` lists
TABLES = [place for name in ("csv", "tsv", "parquet", "rtf") for place in MODULES[name].PLACES]


@pytest.fixture(scope="module")
def coarse(request):
    """The sanitiser of this folder, with pages drawn coarsely: here only the bytes of PDF count."""
    policy = {"name": "test", "protect": [samples.NAME], "formats": {"pdf": {"dpi": 50}}}
    return Sanitizer(Policy.parse(policy))


def name_of(place: Place) -> str:
    return place.name


@pytest.mark.parametrize("format", MODULES)
def test_each_format_has_its_places(format):
    names = [place.name for place in MODULES[format].PLACES]
    assert len(names) == len(set(names)) >= FEWEST[format]


@pytest.mark.parametrize("place", [*odt.PLACES, *images.PLACES, *TABLES], ids=name_of)
def test_nothing_leaks(sanitizer, place):
    trial = choose_trial(place, 1)
    assert judge(sanitizer, place, *trial) == ("refused" if place.name in REFUSED else "cleaned"), (
        trial
    )


@pytest.mark.parametrize("place", pdf.PLACES, ids=name_of)
def test_nothing_leaks_from_the_bytes_of_pdf(coarse, place):
    outcome = judge(coarse, place, "name", beside=False)
    assert outcome in ("cleaned", "refused")
    if place.name.removeprefix("pdf: ") in pdf.UNSEEN and place.name not in REFUSED:
        assert outcome == "cleaned"


@pytest.mark.parametrize("place", odt.PLACES, ids=name_of)
def test_cleaned_texts_open_and_show_the_body(sanitizer, place):
    if place.name in REFUSED:
        return
    raw = place.build(SECRETS["name"][0], BODY)
    assert holds(raw, SECRETS["name"][0]), "the place holds the secret to begin with"
    done = sanitize_file(sanitizer, raw, "x.odt")
    opened = odf.opendocument.load(io.BytesIO(done.data))
    assert BODY in str(opened.text)
    again = sanitize_file(sanitizer, done.data, "x.odt")
    assert again.results[0].text == Odt().read(done.data, "x.odt").texts[0], (
        "what is clean stays as it is"
    )


def test_a_cleaned_pdf_opens(coarse):
    done = sanitize_file(coarse, pdf.file(BODY), "x.pdf")
    assert len(pypdf.PdfReader(io.BytesIO(done.data)).pages) == 1

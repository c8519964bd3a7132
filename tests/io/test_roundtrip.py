"""Restoring undoes masking, in files of every reversible format. `benchmarks/roundtrip.py` tries thousands of each."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import roundtrip
from maskwise.files import restore_file, sanitize_file
from maskwise.io.readings import list_readings
from maskwise.mask.vault import Vault
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

KEY = b"k" * 32


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """A sanitiser that writes tokens, and the vault that they come from."""
    place = tmp_path_factory.mktemp("vault") / "v"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MASKWISE_VAULT_KEY", KEY.decode())
        raw = {"name": "t", "operator": {"kind": "encrypt"}, "vault": {"path": str(place)}}
        yield Sanitizer(Policy.parse({**raw, "protect": roundtrip.PROTECTED})), Vault(place, KEY)


SETTINGS = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("suffix", roundtrip.EXACT)
@SETTINGS
@given(rng=st.randoms(use_true_random=False))
def test_files_of_text_come_back_as_they_were(sealed, suffix, rng):
    assert roundtrip.restores(*sealed, suffix, rng) in (None, roundtrip.REFUSED)


@given(number=st.integers(0, 2**32 - 1))
@example(number=0x349A2545)
def test_a_token_is_read_as_it_stands(number):
    token = f"=  [CODE {number:08X}], [PERSON {number:08X}.2]"
    assert list_readings(token) == (token,)


@pytest.mark.parametrize("suffix", [*roundtrip.EXACT, *roundtrip.BY_TEXT])
def test_hardly_any_is_refused(sealed, suffix):
    ends = [
        roundtrip.restores(*sealed, suffix, Random(f"{suffix} {number}")) for number in range(10)
    ]
    assert ends.count(None) >= 9


@pytest.mark.parametrize("suffix", roundtrip.BY_TEXT)
@settings(SETTINGS, max_examples=6)
@given(rng=st.randoms(use_true_random=False))
def test_office_files_come_back_with_their_texts(sealed, suffix, rng):
    assert roundtrip.restores(*sealed, suffix, rng) in (None, roundtrip.REFUSED)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "a.md",
            "Mr Hugo Castell(the plaintiff) met [Mr Hugo Castell](https://example.org/) and *Mrs Ines Varga*.",
        ),
        ("a.md", "| Mr Hugo Castell | x |\n|---|---|\n"),
        ("a.html", "<pre>Mr Hugo Castell\n    met\n\n  Mrs Ines Varga</pre>"),
        ("a.html", "<p title='Mr Hugo Castell'>R&amp;D of Mr Hugo Castell &lt; 5</p>"),
        (
            "a.json",
            '{"phone": 48512345678, "lat": 59.91, "no": "48512345678", "Mr Hugo Castell": [1.50, null]}',
        ),
        ("a.jsonl", '{"phone": 48512345678}\n{"phone": "48512345678"}\n'),
        ("a.csv", 'who,said\n"Mr Hugo Castell","a ""b"""\n'),
    ],
)
def test_what_looked_like_something_else(sealed, name, source):
    sanitizer, vault = sealed
    masked = sanitize_file(sanitizer, source.encode(), name).data
    assert b"Castell" not in masked
    assert restore_file(masked, name, vault).data.decode() == source

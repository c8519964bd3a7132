"""Reversible pseudonyms: what a vault gives back, to whom, and what can be read of it without the key."""

import multiprocessing
import sqlite3
import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maskwise.errors import MaskingError, PolicyError, VaultError
from maskwise.mask.encrypt import restore_tokens
from maskwise.mask.keys import Cost, read_secret
from maskwise.mask.token import TOKEN
from maskwise.mask.vault import Vault
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType

KEY, OTHER = b"k" * 32, b"o" * 32
CHEAP = Cost(n=2)
LETTER = "Mr Hugo Castell was born on 3 May 1971. Castell met Mrs Ines Varga. Mr Castell left."


@pytest.fixture
def sealed(tmp_path, monkeypatch):
    """A maker of sanitisers that share a vault; each call is a run of its own."""
    monkeypatch.setenv("MASKWISE_VAULT_KEY", KEY.decode())
    Vault(tmp_path / "v", KEY, cost=CHEAP).count_entities()

    def made(**keys):
        raw = {"name": "t", "detectors": [{"kind": "patterns"}], "operator": {"kind": "encrypt"}}
        return Sanitizer(Policy.parse({**raw, "vault": {"path": str(tmp_path / "v")}, **keys}))

    return made


def test_a_text_comes_back_also_in_another_run(sealed, tmp_path):
    masked = [sealed().sanitize(LETTER).text for _ in range(2)]
    assert masked[0] == masked[1]
    assert "Castell" not in masked[0]
    assert restore_tokens(masked[0], Vault(tmp_path / "v", KEY, exist=True)).text == LETTER


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.sampled_from(
            [
                "Mr Hugo Castell",
                "Castell",
                "3 May 1971",
                "a@b.org",
                " ",
                "\n",
                ", ",
                "[PERSON 1]",
                "x][",
            ]
        )
        | st.text(max_size=8),
        max_size=12,
    )
)
def test_restoring_undoes_masking(sealed, tmp_path, pieces):
    text = "".join(pieces)
    if TOKEN.search(text):
        return
    masked = sealed().sanitize(text).text
    assert restore_tokens(masked, Vault(tmp_path / "v", KEY)).text == text


def test_all_mentions_of_an_entity_share_their_tag_and_documents_share_people(sealed):
    run = sealed()
    first, second = run.run([LETTER, "Hugo Castell wrote to Mr Hugo Castell."])
    tags = {TOKEN.match(first.text)[2]}
    tags |= {found[2] for found in TOKEN.finditer(second.text) if found[1] == "PERSON"}
    assert len(tags) == 1


def test_scope_document_keeps_documents_apart(sealed, tmp_path):
    first, second = sealed(scope="document").run(["Mr Hugo Castell left.", "Mr Hugo Castell came."])
    assert TOKEN.search(first.text)[2] != TOKEN.search(second.text)[2]
    assert restore_tokens(second.text, Vault(tmp_path / "v", KEY)).text == "Mr Hugo Castell came."


def test_nothing_in_clear_in_the_file_or_its_journal(tmp_path):
    path = tmp_path / "v"
    vault = Vault(path, KEY, cost=CHEAP)
    seen = b""
    with vault.open_batch():
        vault.write_tokens(EntityType.PERSON, ("hugo castell",), ("Hugo Castell", "Castell"))
        vault.note(EntityType.PERSON, 1, "Peter\nHall")
        seen += b"".join(file.read_bytes() for file in tmp_path.iterdir())
    seen += b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert vault.recall(EntityType.PERSON, 1) == "Peter\nHall"
    for name in ("castell", "hugo", "peter", "hall"):
        assert name.encode() not in seen.lower()
        assert name.encode("utf-16-le") not in seen.lower()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_wrong_key_opens_nothing(tmp_path):
    Vault(tmp_path / "v", KEY, cost=CHEAP).count_entities()
    with pytest.raises(VaultError, match="does not open"):
        Vault(tmp_path / "v", OTHER).count_entities()
    with pytest.raises(VaultError, match="no such vault"):
        Vault(tmp_path / "absent", KEY, exist=True).count_entities()
    (tmp_path / "text").write_bytes(b"not a database" * 200)
    with pytest.raises(VaultError, match="not a vault"):
        Vault(tmp_path / "text", KEY, cost=CHEAP).count_entities()


@pytest.mark.parametrize(
    "forge",
    [
        "UPDATE wording SET text = CAST(substr(text, 1, length(text) - 1) || x'00' AS BLOB)",
        "UPDATE wording SET text = (SELECT w.text FROM wording w WHERE w.number <> wording.number)",
    ],
)
def test_forged_rows_are_noticed(tmp_path, forge):
    vault = Vault(tmp_path / "v", KEY, cost=CHEAP)
    text = " ".join(
        vault.write_tokens(EntityType.PERSON, ("hugo castell",), ("Hugo Castell", "Castell"))
    )
    vault.close()
    with sqlite3.connect(tmp_path / "v") as connection:
        connection.execute(forge)
    connection.close()
    with pytest.raises(VaultError, match="damaged or forged"):
        restore_tokens(text, Vault(tmp_path / "v", KEY))


def test_a_new_key_keeps_the_pseudonyms(tmp_path):
    path = tmp_path / "v"
    vault, other = Vault(path, KEY, cost=CHEAP), Vault(path, KEY)
    before = vault.write_tokens(EntityType.PERSON, ("hugo castell",), ("Hugo Castell", "Castell"))
    vault.note(EntityType.PERSON, 1, "Peter\nHall")
    other.count_entities()
    vault.rotate(OTHER)
    fresh = Vault(path, OTHER, exist=True)
    assert (
        fresh.write_tokens(EntityType.PERSON, ("hugo castell",), ("Castell", "Hugo Castell"))
        == before[::-1]
    )
    assert fresh.recall(EntityType.PERSON, 1) == "Peter\nHall"
    assert restore_tokens(before[1], fresh).text == "Castell"
    with pytest.raises(
        VaultError, match="does not open"
    ):  # a writer that was open before must not write to the old
        other.write_tokens(EntityType.PERSON, ("ines varga",), ("Ines Varga",))
    assert [file.name for file in tmp_path.iterdir()] == ["v"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def write(path, start):
    vault = Vault(path, KEY, cost=CHEAP)
    for at in range(start, start + 30):
        vault.write_tokens(EntityType.PERSON, (f"person {at}",), (f"Person {at}",))


def test_two_writers_take_turns(tmp_path):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write, args=(tmp_path / "v", start)) for start in (0, 15)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    vault = Vault(tmp_path / "v", KEY, cost=CHEAP)
    assert (vault.count_entities(), vault.count_wordings()) == ({"PERSON": 45}, 45)
    numbers = {vault.number(EntityType.PERSON, (f"person {at}",)) for at in range(45)}
    assert numbers == set(range(1, 46))


def test_what_failed_is_not_remembered(tmp_path):
    vault = Vault(tmp_path / "v", KEY, cost=CHEAP)

    def broken():
        with vault.open_batch():
            vault.number(EntityType.PERSON, ("hugo castell",))
            raise MaskingError("no")

    with pytest.raises(MaskingError):
        broken()
    assert vault.count_entities() == {}


def test_what_is_refused(sealed, tmp_path, monkeypatch):
    with pytest.raises(MaskingError, match="restore it first"):
        sealed().sanitize("Mr Hugo Castell saw [PERSON 0123ABCD].")
    with pytest.raises(PolicyError, match="needs a vault"):
        Sanitizer(Policy.parse({"name": "t", "operator": {"kind": "encrypt"}}))
    with pytest.raises(PolicyError, match="needs a vault"):
        Sanitizer(Policy.parse({"name": "t", "scope": "vault"}))
    (tmp_path / "short").write_bytes(b"abc\n")
    with pytest.raises(VaultError, match="at least 16"):
        read_secret(file=tmp_path / "short")
    monkeypatch.delenv("MASKWISE_VAULT_KEY")
    with pytest.raises(VaultError, match="--key-file"):
        read_secret("MASKWISE_VAULT_KEY")


def test_tokens_of_another_vault_stay(tmp_path):
    done = restore_tokens("[PERSON 0123ABCD] left.", Vault(tmp_path / "v", KEY, cost=CHEAP))
    assert (done.text, done.tokens, done.unknown) == ("[PERSON 0123ABCD] left.", 0, 1)

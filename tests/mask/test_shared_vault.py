"""Shared vaults: tokens that follow from the key, in any order, from any process, and nothing in clear."""

import subprocess
import sys

import pytest

from maskwise.errors import VaultError
from maskwise.mask.encrypt import restore_tokens
from maskwise.mask.keys import Cost
from maskwise.mask.shared_vault import SharedVault
from maskwise.text import EntityType

SECRET = b"an invented key of many letters"
CHEAP = Cost(2, 1, 1)
PERSON = EntityType.PERSON


@pytest.fixture
def url(tmp_path):
    return f"sqlite://{tmp_path / 'cases.vault'}"


def test_tokens_do_not_depend_on_order(url, tmp_path):
    ana, bruno = (("ana souza",), ("Ana Souza", "Souza")), (("bruno keller",), ("Keller",))
    first = SharedVault(url, SECRET, cost=CHEAP)
    forward = [first.write_tokens(PERSON, *who) for who in (ana, bruno)]
    again = SharedVault(url, SECRET)
    backward = [again.write_tokens(PERSON, *who) for who in (bruno, ana)]
    assert forward == backward[::-1]
    assert len({*forward[0], *forward[1]}) == 3
    assert again.count_entities() == {"PERSON": 2}
    text = f"{forward[0][0]} met {forward[1][0]}; {forward[0][1]} left."
    assert restore_tokens(text, again).text == "Ana Souza met Keller; Souza left."
    assert b"Souza" not in (tmp_path / "cases.vault").read_bytes()


def test_a_wrong_key_opens_nothing(url):
    SharedVault(url, SECRET, cost=CHEAP).write_tokens(PERSON, ("ana souza",), ("Ana Souza",))
    with pytest.raises(VaultError, match="does not open the vault"):
        SharedVault(url, b"another key of many letters").count_entities()


def test_a_vault_that_must_exist_is_not_made(url, tmp_path):
    with pytest.raises(VaultError, match="no such vault"):
        SharedVault(url, SECRET, exist=True).count_entities()
    assert not (tmp_path / "cases.vault").exists()


def test_a_server_that_is_gone_is_one_line_without_its_password(monkeypatch):
    monkeypatch.setattr("maskwise.mask.shared_vault.PAUSE", 0)
    gone = SharedVault("postgresql://me:pass@127.0.0.1:1/cases", SECRET)
    monkeypatch.setattr(gone, "_connect", lambda: (_ for _ in ()).throw(OSError("Ana Souza")))
    with pytest.raises(
        VaultError, match=r"postgresql://127.0.0.1:1/cases: does not answer \(OSError\)$"
    ):
        gone.count_entities()


def test_forged_rows_are_noticed(url):
    vault = SharedVault(url, SECRET, cost=CHEAP)
    [a] = vault.write_tokens(PERSON, ("ana souza",), ("Ana Souza",))
    [b] = vault.write_tokens(PERSON, ("bruno keller",), ("Bruno Keller",))
    tags = [token.split()[1].split(".")[0] for token in (a, b)]
    vault._execute(
        "UPDATE token SET sealed = (SELECT sealed FROM token WHERE tag = ?) WHERE tag = ?",
        (tags[0], tags[1]),
    )
    with pytest.raises(VaultError, match="damaged or forged"):
        restore_tokens(b, vault)


def test_processes_write_at_once(url):
    code = (
        "import sys; from maskwise.mask.shared_vault import SharedVault; from maskwise.text import EntityType; "
        "from maskwise.mask.keys import Cost; "
        "v = SharedVault(sys.argv[1], sys.argv[2].encode(), cost=Cost(2, 1, 1)); "
        "print([v.write_tokens(EntityType.PERSON, (f'name {n}',), (f'Name {n}',)) for n in range(40)])"
    )
    command = [sys.executable, "-c", code, url, SECRET.decode()]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    a, b = (each.communicate()[0] for each in running)
    assert a == b != ""
    assert SharedVault(url, SECRET).count_entities() == {"PERSON": 40}

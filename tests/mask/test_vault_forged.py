"""A vault in other hands: whatever is changed, exchanged, copied or removed in it is noticed before it misleads."""

import hashlib
import multiprocessing
import os
import shutil
import sqlite3
from functools import partial
from itertools import combinations

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from maskwise.errors import VaultError
from maskwise.mask.encrypt import restore_tokens
from maskwise.mask.keys import Cost, Keys
from maskwise.mask.vault import Vault
from maskwise.text import EntityType

KEY, OTHER = b"k" * 32, b"o" * 32
CHEAP = Cost(n=2)
PEOPLE = {
    ("hugo castell",): ("Hugo Castell", "Castell"),
    ("ines varga", "ines maria varga"): ("Ines Varga", "Mrs Varga"),
    ("ida lund",): ("Ida Lund",),
}
PLACES = {("northmoor",): ("Northmoor", "the town of Northmoor")}
TABLES = ("identity", "alias", "wording")


def fill(vault):
    """Fill a vault; returns a text with every token, and what it stands for."""
    tokens, texts = [], []
    for kind, known in ((EntityType.PERSON, PEOPLE), (EntityType.LOC, PLACES)):
        for keys, wordings in known.items():
            tokens += vault.write_tokens(kind, keys, wordings)
            texts += wordings
    vault.note(EntityType.PERSON, 1, "Peter\nHall")
    vault.note(EntityType.PERSON, 2, "Olga\nBrandt")
    vault.close()
    return " and ".join(tokens), " and ".join(texts)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A vault, the text it masked and the original; and another vault with the same key and the same people."""
    folder = tmp_path_factory.mktemp("made")
    masked, original = fill(Vault(folder / "v", KEY, cost=CHEAP))
    fill(Vault(folder / "w", KEY, cost=CHEAP))
    return folder, masked, original


def read(path, table):
    with sqlite3.connect(path) as connection:
        rows = [list(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid")]
    connection.close()
    return rows


def write(path, table, rows):
    """Put rows in the place of a table, without the constraints that SQLite would hold them to."""
    with sqlite3.connect(path) as connection:
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE TABLE {table} ({', '.join(names)})")
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})", rows)
    connection.close()


def swaps(rows):
    for column in range(len(rows[0])):
        for one, other in combinations(range(len(rows)), 2):
            if rows[one][column] != rows[other][column]:
                forged = [list(row) for row in rows]
                forged[one][column], forged[other][column] = rows[other][column], rows[one][column]
                yield f"cell {column} of rows {one} and {other} exchanged", forged


def changes(rows):
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            for forged_cell in (other for other in other_values(cell) if other != cell):
                forged = [list(row) for row in rows]
                forged[at][column] = forged_cell
                yield f"cell {column} of row {at} changed", forged


def other_values(cell):
    yield None
    if isinstance(cell, int):
        yield from (cell + 1, str(cell), cell + 0.5)
    elif isinstance(cell, str):
        yield from (f"{cell}0", cell.lower(), cell.encode(), "")
    else:
        last = len(cell) - 1
        for at in sorted({0, last // 2, last}):
            yield cell[:at] + bytes([cell[at] ^ 1]) + cell[at + 1 :]
        yield from (cell[:-1], cell + b"\0", b"", cell.hex())


def removals(rows):
    for at in range(len(rows)):
        yield f"row {at} removed", rows[:at] + rows[at + 1 :]
        yield f"row {at} twice", [*rows, rows[at]]
    yield "all rows removed", []


def expect_refused(path, masked, what):
    try:
        intact = Vault(path, KEY, exist=True).verify().is_intact
    except VaultError as error:
        expect_one_line(error)
    else:
        assert not intact, what
    reader, keeper = Vault(path, KEY, exist=True), Vault(path, KEY, exist=True, cost=CHEAP)
    for use in (partial(restore_tokens, masked, reader), partial(keeper.rotate, OTHER)):
        error = failure_of(use)
        assert error is not None, what
        expect_one_line(error)


def failure_of(use):
    try:
        use()
    except VaultError as error:
        return error
    return None


def expect_one_line(error):
    message = str(error)
    assert "\n" not in message
    assert not any(
        name in message.lower() for name in ("castell", "varga", "lund", "northmoor", "hall")
    )


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("forge", [swaps, changes, removals])
def test_whatever_is_done_to_a_row_is_noticed(made, tmp_path, table, forge):
    folder, masked, _ = made
    cases = list(forge(read(folder / "v", table)))
    assert len(cases) > 5
    for what, forged in cases:
        shutil.copy(folder / "v", tmp_path / "v")
        write(tmp_path / "v", table, forged)
        expect_refused(tmp_path / "v", masked, f"{table}: {what}")


@pytest.mark.parametrize("table", TABLES)
def test_a_row_of_another_vault_with_the_same_key_is_noticed(made, tmp_path, table):
    folder, masked, _ = made
    rows, others = read(folder / "v", table), read(folder / "w", table)
    for at, other in enumerate(others):
        shutil.copy(folder / "v", tmp_path / "v")
        write(tmp_path / "v", table, [*rows[:at], other, *rows[at + 1 :]])
        expect_refused(tmp_path / "v", masked, f"{table}: row {at} of another vault")


def test_whatever_is_done_to_the_header_is_noticed(made, tmp_path):
    folder, masked, _ = made
    rows = read(folder / "v", "meta")
    others = dict(read(folder / "w", "meta"))
    copied = [
        (f"{name} of another vault", [[n, others[n] if n == name else value] for n, value in rows])
        for name in ("salt", "check", "tally")
    ]
    cheaper = [
        ("a cheaper cost", [[n, b"scrypt 4 8 1" if n == "kdf" else value] for n, value in rows])
    ]
    removed = [(what, forged) for what, forged in removals(rows) if "removed" in what]
    for what, forged in [*swaps(rows), *changes(rows), *copied, *cheaper, *removed]:
        if dict(map(tuple, forged)) != dict(
            map(tuple, rows)
        ):  # both cells of two rows exchanged is the same header
            shutil.copy(folder / "v", tmp_path / "v")
            write(tmp_path / "v", "meta", forged)
            expect_refused(tmp_path / "v", masked, f"meta: {what}")


def test_no_changed_byte_of_the_file_makes_a_wrong_text(made, tmp_path):
    """A byte that SQLite does not use changes nothing; any other is an error."""
    folder, masked, original = made
    raw = (folder / "v").read_bytes()
    for at in range(0, len(raw), 61):
        (tmp_path / "v").write_bytes(raw[:at] + bytes([raw[at] ^ 255]) + raw[at + 1 :])
        try:
            text = restore_tokens(masked, Vault(tmp_path / "v", KEY, exist=True)).text
        except VaultError as error:
            expect_one_line(error)
        else:
            assert text == original, at


def test_an_index_that_leads_to_somebody_else_is_noticed(made, tmp_path):
    """Two tags are exchanged in one page of the file: in the table, or in the index of it, which SQLite trusts."""
    folder, masked, _ = made
    raw = (folder / "v").read_bytes()
    one, other, *_ = (row[3].encode() for row in read(folder / "v", "identity"))
    pages = [raw[at : at + 4096] for at in range(0, len(raw), 4096)]
    holding = [at for at, page in enumerate(pages) if one in page]
    assert len(holding) == 2
    for at in holding:
        forged = pages[at].replace(one, b"?" * 8).replace(other, one).replace(b"?" * 8, other)
        (tmp_path / "v").write_bytes(b"".join([*pages[:at], forged, *pages[at + 1 :]]))
        expect_refused(tmp_path / "v", masked, f"page {at}")


def test_an_untouched_vault_is_intact(made):
    folder, masked, original = made
    vault = Vault(folder / "v", KEY, exist=True)
    found = vault.verify()
    assert found.is_intact
    assert found.rows == sum(len(read(folder / "v", table)) for table in TABLES)
    assert restore_tokens(masked, vault).text == original


def test_a_writer_notices_what_leads_to_somebody_else(made, tmp_path):
    folder, _, _ = made
    shutil.copy(folder / "v", tmp_path / "v")
    rows = read(tmp_path / "v", "alias")
    rows[0][1], rows[1][1] = rows[1][1], rows[0][1]
    write(tmp_path / "v", "alias", rows)
    with pytest.raises(VaultError, match="damaged or forged"):
        Vault(tmp_path / "v", KEY).write_tokens(
            EntityType.PERSON, ("hugo castell",), ("Hugo Castell",)
        )


def add_people(path):
    vault = Vault(path, KEY)
    for at in range(40):
        vault.write_tokens(EntityType.PERSON, (f"person {at}",), (f"Person {at}",))


def test_a_vault_that_is_being_written_is_intact_at_every_moment(tmp_path):
    vault = Vault(tmp_path / "v", KEY, cost=CHEAP)
    vault.count_entities()
    writer = multiprocessing.get_context("fork").Process(target=add_people, args=(tmp_path / "v",))
    writer.start()
    checks = [Vault(tmp_path / "v", KEY, exist=True).verify() for _ in range(30)]
    writer.join()
    assert writer.exitcode == 0
    assert all(check.is_intact for check in checks)
    assert vault.verify() == ((120), (0, 0, 0), 0)


# --- what a guess costs ----------------------------------------------------------------------------------------------


def test_a_new_vault_has_the_advised_cost_and_says_so(tmp_path):
    assert Cost() == Cost(n=2**17, r=8, p=1)
    Vault(tmp_path / "v", KEY).count_entities()
    assert dict(read(tmp_path / "v", "meta"))["kdf"] == b"scrypt 131072 8 1"


def test_a_cheap_vault_is_sealed_at_the_advised_cost_by_rotate(made, tmp_path):
    folder, masked, original = made
    shutil.copy(folder / "v", tmp_path / "v")
    Vault(tmp_path / "v", KEY, exist=True).rotate(OTHER)
    assert dict(read(tmp_path / "v", "meta"))["kdf"] == b"scrypt 131072 8 1"
    assert restore_tokens(masked, Vault(tmp_path / "v", OTHER, exist=True)).text == original


@pytest.mark.parametrize(
    "text",
    ["scrypt 1073741824 8 1", "scrypt 131072 8 99", "scrypt 131072 0 1", "scrypt 100 8 1", "scrypt 1 8 1", "scrypt",
     "scrypt 131072 8 -1", "argon2 1 2 3", "scrypt 131072 8 1 ", "scrypt ² 8 1", "scrypt 0131072 8 1"],
)  # fmt: skip
def test_costs_that_no_vault_asks_for_are_refused(text):
    assert Cost.parse(text) is None


# --- version 1 -------------------------------------------------------------------------------------------------------


def write_earlier(path, secret=KEY):
    """A vault as version 1 wrote it: values bound to the id of their identity, a cheaper cost."""
    salt = os.urandom(16)
    both = hashlib.scrypt(secret, salt=salt, n=2**14, r=8, p=1, dklen=64)
    cipher, keys = AESGCM(both[:32]), Keys(both[:32], both[32:])

    def seal(text, place):
        nonce = os.urandom(12)
        return nonce + cipher.encrypt(nonce, text.encode(), place.encode())

    masked, original = [], []
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL)")
        connection.execute(
            "CREATE TABLE identity (id INTEGER PRIMARY KEY, type TEXT NOT NULL, number INTEGER NOT NULL, "
            "tag TEXT NOT NULL, note BLOB, UNIQUE (type, number), UNIQUE (type, tag))"
        )
        connection.execute(
            "CREATE TABLE alias (lookup BLOB PRIMARY KEY, identity INTEGER NOT NULL, key BLOB NOT NULL)"
        )
        connection.execute(
            "CREATE TABLE wording (identity INTEGER NOT NULL, number INTEGER NOT NULL, lookup BLOB NOT NULL UNIQUE, "
            "text BLOB NOT NULL, PRIMARY KEY (identity, number))"
        )
        meta = (("salt", salt), ("version", b"1"), ("check", seal("maskwise", "check")))
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
        for at, (names, wordings) in enumerate(PEOPLE.items(), 1):
            tag = keys.compute_lookup("tag", "PERSON", names[0]).hex().upper()[:8]
            note = seal("Peter\nHall", f"note {at}") if at == 1 else None
            connection.execute(
                "INSERT INTO identity VALUES (?, 'PERSON', ?, ?, ?)", (at, at, tag, note)
            )
            for name in names:
                row = (
                    keys.compute_lookup("alias", "PERSON", name),
                    at,
                    seal(f"PERSON\n{name}", f"alias {at}"),
                )
                connection.execute("INSERT INTO alias VALUES (?, ?, ?)", row)
            for number, text in enumerate(wordings, 1):
                row = (
                    at,
                    number,
                    keys.compute_lookup("wording", str(at), text),
                    seal(text, f"wording {at} {number}"),
                )
                connection.execute("INSERT INTO wording VALUES (?, ?, ?, ?)", row)
                masked.append(f"[PERSON {tag}]" if number == 1 else f"[PERSON {tag}.{number}]")
                original.append(text)
    connection.close()
    return " and ".join(masked), " and ".join(original)


def test_an_earlier_vault_is_read_and_upgraded_by_rotate(tmp_path):
    path = tmp_path / "v"
    masked, original = write_earlier(path)
    before = path.read_bytes()
    vault = Vault(path, KEY, exist=True, cost=CHEAP)
    assert restore_tokens(masked, vault).text == original
    assert vault.verify().is_intact
    assert vault.is_earlier
    for write_to in (vault, Vault(path, KEY)):
        with pytest.raises(VaultError, match="only read; upgrade it with `maskwise vault rotate`"):
            write_to.write_tokens(EntityType.PERSON, ("bo berg",), ("Bo Berg",))
    assert path.read_bytes() == before
    with pytest.raises(VaultError, match="does not open"):
        Vault(path, OTHER, exist=True).count_entities()
    vault.rotate(OTHER)
    fresh = Vault(path, OTHER)
    assert not fresh.is_earlier
    assert restore_tokens(masked, fresh).text == original
    assert fresh.recall(EntityType.PERSON, 1) == "Peter\nHall"
    assert fresh.write_tokens(EntityType.PERSON, ("hugo castell",), ("Castell",)) == (
        masked.split(" and ")[1],
    )
    assert dict(read(path, "meta"))["version"] == b"2"
    assert [file.name for file in tmp_path.iterdir()] == ["v"]


@pytest.mark.parametrize(("table", "column"), [("identity", 3), ("identity", 0), ("alias", 1), ("alias", 2),
                                               ("wording", 0), ("wording", 3), ("wording", 2)])  # fmt: skip
def test_what_was_exchanged_in_an_earlier_vault_is_noticed(tmp_path, table, column):
    path = tmp_path / "v"
    masked, _ = write_earlier(path)
    rows = read(path, table)
    rows[0][column], rows[-1][column] = rows[-1][column], rows[0][column]
    write(path, table, rows)
    expect_refused(path, masked, f"{table} {column}")

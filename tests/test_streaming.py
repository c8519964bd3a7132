"""Large tables in blocks: the same masks as in one piece, rows that cross blocks stay whole, memory holds few names."""

import io

import pytest

from maskwise import streaming
from maskwise.mask.identity import MemoryLedger
from maskwise.mask.spilled import SpilledLedger
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType

RULES = {"name": "x", "detectors": [{"kind": "patterns"}]}


def make_table(rows):
    yield "customer_id,name,amount,note\n"
    for at in range(rows):
        who = at % 7
        yield f'{9000 + who},{"Anna" if who % 2 else "Piotr"} {"Berg" * (who // 2 + 1)},{at}.50,"says ""x"",\ntwice"\n'


@pytest.mark.parametrize("size", [64, 700, 1 << 20])
def test_blocks_give_what_the_whole_gives(monkeypatch, size):
    raw = "".join(make_table(40)).encode()
    whole = io.BytesIO()
    sanitizer = Sanitizer(Policy.parse(RULES))
    streaming.sanitize_stream(sanitizer, io.BytesIO(raw), whole, "x.csv")
    monkeypatch.setattr(streaming.split_blocks, "__defaults__", (size,))
    reader_types = streaming.io.build_reader(".csv").list_types(raw, "x.csv")
    monkeypatch.setattr("maskwise.io.delimited.Delimited.list_types", lambda *_: reader_types)
    parts = io.BytesIO()
    done = streaming.sanitize_stream(sanitizer, io.BytesIO(raw), parts, "x.csv")
    assert parts.getvalue() == whole.getvalue()
    assert done.rows == 40
    assert b"Anna" not in parts.getvalue()


def test_blocks_end_with_a_row():
    raw = b'a,"x\ny"\nb,"z"\nc,d'
    blocks = list(streaming.split_blocks(io.BytesIO(raw), quoted=True, size=5))
    assert b"".join(blocks) == raw
    assert all(block.count(b'"') % 2 == 0 for block in blocks)


def test_a_ledger_on_disk_numbers_like_one_in_memory():
    keys = [((at * 7) % 50, EntityType.CODE if at % 2 else EntityType.PERSON) for at in range(300)]
    small, large = SpilledLedger(most=5), MemoryLedger()
    numbers = [
        (small.number(kind, (str(key),)), large.number(kind, (str(key),))) for key, kind in keys
    ]
    assert all(ours == theirs for ours, theirs in numbers)
    assert small.find(EntityType.CODE, ("999",)) is None


def test_only_large_tables_of_separate_rows_are_cut():
    sanitizer = Sanitizer(Policy.parse(RULES))
    assert streaming.can_stream(".csv", streaming.LARGE, sanitizer)
    assert not streaming.can_stream(".csv", streaming.LARGE - 1, sanitizer)
    assert not streaming.can_stream(".json", streaming.LARGE, sanitizer)

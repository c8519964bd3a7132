"""Functions for other programs: a LangChain detector, a NeMo Guardrails action, a filter of log records."""

import asyncio
import io
import logging

import pytest

from maskwise.errors import MaskingError
from maskwise.integrations.langchain import make_detector
from maskwise.integrations.logs import FAILED, MaskingFilter
from maskwise.integrations.nemo import make_action
from maskwise.sanitizer import Sanitizer

TEXT = "Ms Orla Vexley wrote to Tom Reed. Vexley lives in Porto."


def test_langchain_replaces_matches_from_the_last_to_the_first():
    text = TEXT
    found = make_detector()(TEXT)
    for match in reversed(found):
        assert text[match["start"] : match["end"]] == match["value"]
        text = text[: match["start"]] + f"<{match['type']}>" + text[match["end"] :]
    assert text == "<PERSON> wrote to <PERSON>. <PERSON> lives in <LOC>."
    assert {match["type"] for match in make_detector(only=("LOC",))(TEXT)} == {"LOC"}


def test_nemo_gets_a_masked_text_and_extra_arguments_do_not_matter():
    action = make_action()
    assert asyncio.run(action(text=TEXT, context={}, llm=None)) == Sanitizer().sanitize(TEXT).text


def test_nemo_stops_where_masking_fails(monkeypatch):
    action = make_action()

    def fail(*_):
        raise MaskingError("masking failed")

    monkeypatch.setattr(Sanitizer, "sanitize", fail)
    with pytest.raises(MaskingError):
        asyncio.run(action(text=TEXT))


@pytest.fixture
def logger():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(MaskingFilter())
    found = logging.Logger("app")
    found.addHandler(handler)
    return found, stream


def test_log_records_are_masked_with_their_arguments_and_errors(logger):
    found, stream = logger
    found.info("called by %s", "Ms Orla Vexley")
    try:
        raise ValueError(TEXT)
    except ValueError:
        found.exception("it failed for %(who)s", {"who": "Ms Orla Vexley"})
    assert "Vexley" not in stream.getvalue()
    assert "(ValueError)" in stream.getvalue()


def test_what_extra_adds_is_masked_too():
    """Formatters that write JSON put it beside the message."""

    class Fragile:
        def __str__(self):
            raise ValueError(TEXT)

    record = logging.makeLogRecord({"msg": "seen", "levelno": logging.INFO, "name": "app"})
    record.who = "Ms Orla Vexley"
    record.request = {"from": "Ms Orla Vexley", "size": 3}
    record.number, record.took, record.odd, record.phone = 5, 0.25, Fragile(), 447911123456
    MaskingFilter().filter(record)
    assert "Vexley" not in str({key: each for key, each in record.__dict__.items() if key != "odd"})
    assert record.phone != 447911123456
    assert (record.number, record.took, record.odd) == (5, 0.25, FAILED)


class Own:
    """Writes itself in two ways, as many objects do."""

    def __str__(self) -> str:
        return "a guest"

    def __repr__(self) -> str:
        return "Ms Orla Vexley"


@pytest.mark.parametrize(
    "extra",
    [
        {"Ms Orla Vexley": 1},
        {"who": Own()},
        {"who": [{"guest": (Own(),)}]},
        {"who": {"Ms Orla Vexley": 1}},
        {"threadName": "worker for Ms Orla Vexley"},
        {"taskName": "letter to Ms Orla Vexley"},
    ],
)
def test_nothing_that_a_formatter_can_write_tells_a_name(extra):
    record = logging.makeLogRecord({"msg": "x", **extra})
    MaskingFilter().filter(record)
    assert "Vexley" not in repr(record.__dict__)


@pytest.mark.parametrize("phone", [447911123456, 447911123456.0])
def test_long_whole_numbers_are_masked_whatever_their_type(phone):
    record = logging.makeLogRecord({"msg": "x", "phone": phone, "took": 0.25, "none": float("nan")})
    MaskingFilter().filter(record)
    assert "447911123456" not in repr(record.__dict__)
    assert record.took == 0.25


def test_a_message_that_cannot_be_masked_is_replaced(logger, monkeypatch):
    found, stream = logger
    found.info("%d people", TEXT)

    def fail(*_):
        raise MaskingError("masking failed")

    monkeypatch.setattr(Sanitizer, "sanitize", fail)
    found.info("Ms Orla Vexley came")
    assert stream.getvalue().splitlines() == [FAILED, FAILED]

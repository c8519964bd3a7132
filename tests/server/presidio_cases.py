"""Requests to Presidio's API, written for this project. `benchmarks/presidio_api.py` records what Presidio answers.

A case is a method, a path, and a body: an object for JSON, a string for raw bytes. `RANDOM` answers differ each time, so
only their shape is compared.
"""

from typing import Any

TEXT = "Ivo Marl rang 0161 496 0000, then Ivo Marl left for Porto."
KEY = "3t6w9z$C&F)J@NcR"
PERSON = {"start": 0, "end": 8, "score": 0.8, "entity_type": "PERSON"}
PHONE = {"start": 14, "end": 27, "score": 0.95, "entity_type": "PHONE_NUMBER"}
AGAIN = {"start": 34, "end": 42, "score": 0.8, "entity_type": "PERSON"}
FOUND = [PERSON, PHONE, AGAIN]
SALT = "a salt of twenty bytes"
SEALED = "S184CMt9Drj7QaKQ21JTrpYzghnboTF9pn/neN8JME0="


def ask(
    anonymizers: Any = None, found: Any = FOUND, text: Any = TEXT, **more: Any
) -> dict[str, Any]:
    body = {"text": text, "analyzer_results": found, **more}
    return body if anonymizers is None else {**body, "anonymizers": anonymizers}


def span(start: Any, end: Any, kind: Any = "PERSON", score: Any = 0.8) -> dict[str, Any]:
    return {"start": start, "end": end, "entity_type": kind, "score": score}


def mask(**options: Any) -> dict[str, Any]:
    whole = {"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": True}
    return {"DEFAULT": {**whole, **options}}


ANONYMIZE: dict[str, Any] = {
    "no operators": ask(),
    "replace all": ask({"DEFAULT": {"type": "replace", "new_value": "ANON"}}),
    "replace without a value": ask({"DEFAULT": {"type": "replace"}}),
    "replace with an empty value": ask({"DEFAULT": {"type": "replace", "new_value": ""}}),
    "replace with a number": ask({"DEFAULT": {"type": "replace", "new_value": 5}}),
    "replace by type": ask({"PERSON": {"type": "replace", "new_value": "<P>"}, "PHONE_NUMBER": {"type": "redact"}}),
    "redact": ask({"DEFAULT": {"type": "redact"}}),
    "keep": ask({"PERSON": {"type": "keep"}}),
    "mask from the end": ask(mask()),
    "mask from the start": ask(mask(from_end=False)),
    "mask more than there is": ask(mask(chars_to_mask=100)),
    "mask nothing": ask(mask(chars_to_mask=0)),
    "mask a negative number": ask(mask(chars_to_mask=-3)),
    "mask with an empty character": ask(mask(masking_char="")),
    "mask with two characters": ask(mask(masking_char="**")),
    "mask with a number": ask(mask(masking_char=7)),
    "mask without a character": ask({"DEFAULT": {"type": "mask", "chars_to_mask": 4, "from_end": True}}),
    "mask with a text as count": ask(mask(chars_to_mask="4")),
    "mask with a text as side": ask(mask(from_end="yes")),
    "mask without a side": ask({"DEFAULT": {"type": "mask", "masking_char": "*", "chars_to_mask": 4}}),
    "hash with a salt": ask({"DEFAULT": {"type": "hash", "salt": SALT}}),
    "hash by sha512 with a salt": ask({"DEFAULT": {"type": "hash", "hash_type": "sha512", "salt": SALT}}),
    "hash by an unknown kind": ask({"DEFAULT": {"type": "hash", "hash_type": "md5"}}),
    "hash by no kind": ask({"DEFAULT": {"type": "hash", "hash_type": None}}),
    "hash with an empty salt": ask({"DEFAULT": {"type": "hash", "salt": ""}}),
    "hash with a short salt": ask({"DEFAULT": {"type": "hash", "salt": "short"}}),
    "hash with a number as salt": ask({"DEFAULT": {"type": "hash", "salt": 5}}),
    "encrypt with a short key": ask({"DEFAULT": {"type": "encrypt", "key": "short"}}),
    "encrypt without a key": ask({"DEFAULT": {"type": "encrypt"}}),
    "encrypt with a number as key": ask({"DEFAULT": {"type": "encrypt", "key": 5}}),
    "custom": ask({"PERSON": {"type": "custom", "lambda": "lambda x: x"}}),
    "an unknown operator": ask({"PERSON": {"type": "scramble"}}),
    "an operator of the other direction": ask({"PERSON": {"type": "decrypt", "key": KEY}}),
    "an operator without a type": ask({"PERSON": {"new_value": "x"}}),
    "an operator with an empty type": ask({"PERSON": {"type": ""}}),
    "operators as a list": ask([{"type": "redact"}]),
    "an operator as a text": ask({"PERSON": "redact"}),
    "operators that are empty": ask({}),
    "no results": {"text": TEXT},
    "results that are null": ask(found=None),
    "results that are empty": ask(found=[]),
    "results as an object": ask(found={"start": 1}),
    "no text": {"analyzer_results": FOUND},
    "no text and no results": {"text": "", "analyzer_results": []},
    "a text that is null": ask(text=None),
    "a text that is a number": ask(text=5),
    "a result without a start": ask(found=[{"end": 3, "score": 1, "entity_type": "PERSON"}]),
    "a result without an end": ask(found=[{"start": 3, "score": 1, "entity_type": "PERSON"}]),
    "a result without a score": ask(found=[{"start": 0, "end": 3, "entity_type": "PERSON"}]),
    "a result without a type": ask(found=[{"start": 0, "end": 3, "score": 1}]),
    "a result with an empty type": ask(found=[span(0, 3, "")]),
    "a start as a text": ask(found=[span("0", 3)]),
    "a start as a fraction": ask(found=[span(0.5, 3)]),
    "an end as a list": ask(found=[span(0, [3])]),
    "a negative start": ask(found=[span(-1, 3)]),
    "a start after the end": ask(found=[span(5, 3)]),
    "a start that is the end": ask(found=[span(3, 3)]),
    "an end outside of the text": ask(found=[span(0, 500)]),
    "a start outside of the text": ask(found=[span(400, 500)]),
    "equal spans of two types": ask(found=[span(0, 8, "PERSON", 0.3), span(0, 8, "NAME", 0.9)]),
    "equal spans of one score": ask(found=[span(0, 8, "PERSON", 0.5), span(0, 8, "NAME", 0.5)]),
    "a span inside another": ask(found=[span(0, 8), span(2, 5, "NAME", 1)]),
    "overlapping spans of one type": ask(found=[span(0, 5), span(3, 8, score=0.4)]),
    "overlapping spans of two types": ask(found=[span(0, 5), span(3, 13, "NAME")]),
    "three overlapping spans": ask(found=[span(0, 5), span(3, 13, "NAME"), span(10, 20, "WORD")]),
    "touching spans of one type": ask(found=[span(0, 3), span(3, 8)]),
    "spans of one type with a space between": ask(found=[span(0, 3), span(4, 8)]),
    "spans of one type with a comma between": ask(found=[span(14, 27), span(29, 33)]),
    "spans of two types with a space between": ask(found=[span(0, 3), span(4, 8, "NAME")]),
    "spans in the wrong order": ask(found=[AGAIN, PHONE, PERSON]),
    "equal spans given twice": ask(found=[PERSON, PERSON]),
    "chains of spans with spaces": ask(found=[span(0, 3), span(4, 8), span(9, 13)]),
    "letters beyond ASCII": ask(text="Zoë 👩‍👧 Åsa", found=[span(0, 3), span(8, 11)]),
    "a score as a text": ask(found=[span(0, 3, score="high")]),
    "unknown keys": ask(correlation_id="x", colour="blue"),
    "a list of texts": ask(text=["Ivo left.", "Ana left."], found=[[span(0, 3)], [span(0, 3)]]),
    "a list of texts without results": {"text": ["Ivo left.", "Ana left."]},
    "a list of texts with too few results": ask(text=["Ivo left.", "Ana left."], found=[[span(0, 3)]]),
    "a list of texts with a wrong result": ask(text=["Ivo left."], found=[[span(0, 99)]]),
    "an empty list of texts": ask(text=[], found=[]),
}  # fmt: skip
DEANONYMIZE: dict[str, Any] = {
    "keep": {"text": TEXT, "anonymizer_results": [PERSON], "deanonymizers": {"DEFAULT": {"type": "deanonymize_keep"}}},
    "no entities": {"text": TEXT, "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": KEY}}},
    "no operators": {"text": TEXT, "anonymizer_results": [PERSON]},
    "no operators and no entities": {"text": TEXT},
    "no text": {"anonymizer_results": [PERSON], "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": KEY}}},
    "a wrong operator": {"text": TEXT, "anonymizer_results": [PERSON], "deanonymizers": {"DEFAULT": {"type": "redact"}}},
    "a short key": {"text": TEXT, "anonymizer_results": [PERSON], "deanonymizers": {"PERSON": {"type": "decrypt", "key": "short"}}},
    "text that is no cipher": {"text": TEXT, "anonymizer_results": [PERSON], "deanonymizers": {"PERSON": {"type": "decrypt", "key": KEY}}},
    "a cipher of another key": {"text": SEALED, "anonymizer_results": [span(0, 44)], "deanonymizers": {"PERSON": {"type": "decrypt", "key": KEY[::-1]}}},
    "an entity outside of the text": {"text": "a", "anonymizer_results": [span(0, 9)], "deanonymizers": {"DEFAULT": {"type": "deanonymize_keep"}}},
    "an entity without a score": {"text": TEXT, "anonymizer_results": [{"start": 0, "end": 8, "entity_type": "PERSON"}], "deanonymizers": {"DEFAULT": {"type": "deanonymize_keep"}}},
    "an entity without an end": {"text": TEXT, "anonymizer_results": [{"start": 0, "entity_type": "PERSON"}], "deanonymizers": {"DEFAULT": {"type": "deanonymize_keep"}}},
    "a list of texts": {"text": ["Ivo", "Ana"], "anonymizer_results": [[span(0, 3)], []], "deanonymizers": {"DEFAULT": {"type": "deanonymize_keep"}}},
    "a list of texts with too few entities": {"text": ["Ivo", "Ana"], "anonymizer_results": [[]]},
}  # fmt: skip
RANDOM: dict[str, Any] = {
    "hash": ask({"DEFAULT": {"type": "hash"}}),
    "hash by sha512": ask({"DEFAULT": {"type": "hash", "hash_type": "sha512"}}),
    "encrypt": ask({"DEFAULT": {"type": "encrypt", "key": KEY}}),
}
MAIL = "Ivo Marl wrote to ivo.marl@mail.example.org from Porto."
PATTERN = {"name": "badge", "regex": r"\bB-[0-9]{4}\b", "score": 0.7}
BADGE = {
    "name": "Badge",
    "supported_language": "en",
    "supported_entity": "BADGE",
    "patterns": [PATTERN],
}
ANALYZE: dict[str, Any] = {
    "a text": {"text": MAIL, "language": "en"},
    "a list of texts": {"text": [MAIL, "nothing here"], "language": "en"},
    "one entity": {"text": MAIL, "language": "en", "entities": ["EMAIL_ADDRESS"]},
    "an entity that nobody knows": {"text": MAIL, "language": "en", "entities": ["SHOE_SIZE", "EMAIL_ADDRESS"]},
    "no entities": {"text": MAIL, "language": "en", "entities": []},
    "a threshold": {"text": MAIL, "language": "en", "score_threshold": 1.1},
    "the decision process": {"text": MAIL, "language": "en", "return_decision_process": True},
    "an ad-hoc expression": {"text": "badge B-1234", "language": "en", "ad_hoc_recognizers": [BADGE], "entities": ["BADGE"]},
    "an ad-hoc list": {"text": "the Heron club", "language": "en", "entities": ["CLUB"], "ad_hoc_recognizers": [{"name": "Club", "supported_language": "en", "supported_entity": "CLUB", "deny_list": ["Heron"]}]},
    "an ad-hoc expression with its process": {"text": "badge B-1234", "language": "en", "ad_hoc_recognizers": [BADGE], "entities": ["BADGE"], "return_decision_process": True},
    "a broken expression": {"text": MAIL, "language": "en", "ad_hoc_recognizers": [{**BADGE, "patterns": [{**PATTERN, "regex": "("}]}]},
    "a score over one": {"text": MAIL, "language": "en", "ad_hoc_recognizers": [{**BADGE, "patterns": [{**PATTERN, "score": 2}]}]},
    "a recogniser without expressions": {"text": MAIL, "language": "en", "ad_hoc_recognizers": [{"supported_entity": "A"}]},
    "an allowed text": {"text": MAIL, "language": "en", "allow_list": ["ivo.marl@mail.example.org"], "entities": ["EMAIL_ADDRESS"]},
    "an allowed expression": {"text": MAIL, "language": "en", "allow_list": ["mail[.]example"], "allow_list_match": "regex", "entities": ["EMAIL_ADDRESS"]},
    "context": {"text": MAIL, "language": "en", "context": ["mail"]},
    "unknown keys": {"text": MAIL, "language": "en", "correlation_id": "5", "colour": "blue"},
    "no text": {"language": "en"},
    "an empty text": {"text": "", "language": "en"},
    "an empty list": {"text": [], "language": "en"},
    "no language": {"text": MAIL},
    "an unknown language": {"text": MAIL, "language": "tlh"},
}  # fmt: skip
RAW: dict[str, tuple[str, str, str]] = {
    "broken JSON": ("POST", "{", "application/json"),
    "an empty body": ("POST", "", "application/json"),
    "an empty object": ("POST", "{}", "application/json"),
    "another kind of body": ("POST", "text=a", "application/x-www-form-urlencoded"),
    "another method": ("GET", "", "application/json"),
}
LISTS = ("/anonymizers", "/deanonymizers", "/recognizers", "/supportedentities", "/supportedentities?language=en", "/supportedentities?language=tlh", "/health")  # fmt: skip


def list_cases() -> list[dict[str, Any]]:
    """All cases: name, method, path, body as bytes, kind of body, and which service answers."""
    found: list[dict[str, Any]] = []
    groups = (
        ("/anonymize", ANONYMIZE),
        ("/anonymize", RANDOM),
        ("/deanonymize", DEANONYMIZE),
        ("/analyze", ANALYZE),
    )
    for path, cases in groups:
        found += [
            {"name": f"{path} {name}", "method": "POST", "path": path, "json": body}
            for name, body in cases.items()
        ]
    for path in ("/anonymize", "/deanonymize", "/analyze"):
        for name, (method, body, kind) in RAW.items():
            found.append(
                {
                    "name": f"{path} {name}",
                    "method": method,
                    "path": path,
                    "body": body,
                    "kind": kind,
                }
            )
    found += [{"name": f"GET {path}", "method": "GET", "path": path} for path in LISTS]
    return found

"""Presidio's analyser over a policy: what the policy masks, under Presidio's names, and what expressions find."""

from __future__ import annotations

import math
import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from maskwise.integrations.presidio_names import ENTITIES, choose_asked_name
from maskwise.result import Result
from maskwise.server.presidio.adhoc import (
    FLAGS,
    AdHocMatch,
    AdHocPattern,
    SearchTime,
    compile_expression,
    find_matches,
    parse_recognizers,
)
from maskwise.text import EntityType, Mention, Provenance

LANGUAGE = "en"
RECOGNIZER = "MaskwiseRecognizer"
# Found by its shape in any language.
EVERYWHERE = frozenset((EntityType.CODE, EntityType.DATETIME, EntityType.QUANTITY))
_LEFT_OUT: tuple[Any, ...] = (None, [], "")


class RequestError(Exception):
    """A request that Presidio answers with the status 500 and this message."""


@dataclass(frozen=True)
class AnalyzeRequest:
    """The fields of `/analyze`. Unknown keys are ignored, and so is the correlation id, which no log repeats."""

    texts: Sequence[str] = field(repr=False)
    is_list: bool
    language: str
    asked: frozenset[str] | None
    threshold: float
    explains: bool
    patterns: Sequence[AdHocPattern] = ()
    allowed: frozenset[str] = field(default=frozenset(), repr=False)
    allowed_expressions: Sequence[Any] = field(default=(), repr=False)

    @classmethod
    def parse(cls, raw: Any) -> AnalyzeRequest:
        """Read and check a request. It compiles expressions, which takes time: call it in a thread."""
        patterns = parse_recognizers(raw.get("ad_hoc_recognizers"))
        text, language = raw.get("text"), raw.get("language")
        if not text:
            raise RequestError("No text provided")
        if not language:
            raise RequestError("No language provided")
        texts = text if isinstance(text, list) else [text]
        if not all(isinstance(each, str) for each in (*texts, language)):
            raise TypeError("a text and a language are strings")
        words = raw.get("allow_list") or ()
        is_regex = raw.get("allow_list_match", "exact") == "regex"
        flags = int(raw.get("regex_flags", FLAGS))
        return cls(
            texts,
            isinstance(text, list),
            language,
            _read_asked(raw.get("entities"), patterns),
            _read_threshold(raw.get("score_threshold")),
            bool(raw.get("return_decision_process")),
            patterns,
            frozenset(() if is_regex else map(str, words)),
            (compile_expression("|".join(map(str, words)), flags),) if is_regex and words else (),
        )

    @property
    def is_known_language(self) -> bool:
        return is_read(self.language)


def is_read(language: str) -> bool:
    """Whether the policy reads a language: also `EN`, `en-GB` and `en_US`.

    >>> is_read("en-GB"), is_read("de")
    (True, False)
    """
    return re.split("[-_]", language.casefold(), maxsplit=1)[0] == LANGUAGE


def _read_asked(raw: Any, patterns: Sequence[AdHocPattern]) -> frozenset[str] | None:
    """The names that are asked for; None for all. If nobody knows any of them, nothing would be found in any text."""
    if raw in _LEFT_OUT:
        return None
    asked = frozenset(map(str, raw))
    if not asked & {*ENTITIES, *(each.entity for each in patterns)}:
        raise RequestError("No matching recognizers were found to serve the request.")
    return asked


def _read_threshold(raw: Any) -> float:
    """The lowest score that counts. No score is above or below `NaN`, so it would drop all results."""
    found = float(raw or 0)
    if math.isnan(found):
        raise TypeError("a threshold is a number")
    return found


def describe_results(
    request: AnalyzeRequest, results: Sequence[Result]
) -> list[list[dict[str, Any]]]:
    """The findings in each text, in order of position and apart."""
    time_left = SearchTime()
    return [_describe(request, result, time_left) for result in results]


def _describe(
    request: AnalyzeRequest, result: Result, time_left: SearchTime
) -> list[dict[str, Any]]:
    text = result.document.text
    found = [*_read_mentions(request, result)]
    found += [
        _describe_match(match)
        for match in find_matches(request.patterns, text, time_left)
        if request.asked is None or match.pattern.entity in request.asked
    ]
    found = [each for each in found if each["score"] >= request.threshold]
    found = [each for each in found if not _is_allowed(request, text, each, time_left)]
    described = part_results(found, text)
    if not request.explains:
        described = [{**each, "analysis_explanation": None} for each in described]
    return described


def _read_mentions(request: AnalyzeRequest, result: Result) -> Iterable[dict[str, Any]]:
    for entity in result.entities:
        if not result.plan.by_entity[entity.id].masked:
            continue
        for mention in entity.mentions:
            name = choose_asked_name(mention, request.asked)
            if name and (request.is_known_language or _is_universal(mention)):
                yield _describe_mention(mention, name)


def _is_universal(mention: Mention) -> bool:
    return mention.source == Provenance.PATTERNS and mention.type in EVERYWHERE


def _describe_mention(m: Mention, name: str) -> dict[str, Any]:
    score = 1.0 if m.certain else float(m.score)
    kind = f"{m.type} ({m.subtype})" if m.subtype else m.type.value
    explanation = _explain(RECOGNIZER, score, f"{kind}, found by {m.source}")
    return _make_result(m.start, m.end, name, score, explanation)


def _describe_match(match: AdHocMatch) -> dict[str, Any]:
    pattern = match.pattern
    text = f"Detected by `{pattern.recognizer}` using pattern `{pattern.name}`"
    explanation = _explain(pattern.recognizer, pattern.score, text)
    explanation |= {"pattern_name": pattern.name, "pattern": pattern.source, "regex_flags": FLAGS}
    return _make_result(match.start, match.end, pattern.entity, pattern.score, explanation)


def _make_result(
    start: int, end: int, entity: str, score: float, explanation: dict[str, Any]
) -> dict[str, Any]:
    return {
        "analysis_explanation": explanation,
        "end": end,
        "entity_type": entity,
        "score": score,
        "start": start,
    }


def _explain(recognizer: str, score: float, text: str) -> dict[str, Any]:
    return {
        "original_score": score,
        "pattern": None,
        "pattern_name": None,
        "recognizer": recognizer,
        "regex_flags": None,
        "score": score,
        "score_context_improvement": 0,
        "supportive_context_word": "",
        "textual_explanation": text,
        "validation_result": None,
    }


def _is_allowed(
    request: AnalyzeRequest, text: str, found: dict[str, Any], time_left: SearchTime
) -> bool:
    """Whether the client lists a text as harmless: word for word, or by an expression that finds something in it."""
    word = text[found["start"] : found["end"]]
    if word in request.allowed:
        return True
    return any(
        next(time_left.find(each, word), None) is not None for each in request.allowed_expressions
    )


def part_results(found: Sequence[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """Results that do not overlap. The surer result stays whole; of the other, what it leaves is kept.

    Nothing that was found is uncovered by this: every character stays in some result.
    """
    order = sorted(
        found, key=lambda each: (-each["score"], each["start"] - each["end"], each["start"])
    )
    kept: list[dict[str, Any]] = []
    taken: list[tuple[int, int]] = []
    for each in order:
        for start, end in _cut(each["start"], each["end"], taken):
            while start < end and text[start].isspace():
                start += 1
            while end > start and text[end - 1].isspace():
                end -= 1
            if start < end:
                kept.append({**each, "start": start, "end": end})
                insort(taken, (start, end))
    return sorted(kept, key=lambda each: int(each["start"]))


def _cut(start: int, end: int, taken: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The rest of a span between spans that are taken, which lie apart and in order.

    >>> _cut(0, 9, [(2, 4), (6, 12)])
    [(0, 2), (4, 6)]
    """
    left = []
    first = max(0, bisect_right(taken, (start, start)) - 1)  # the one before may reach into it
    for at in range(first, len(taken)):
        low, high = taken[at]
        if low >= end:
            break
        if start < low:
            left.append((start, low))
        start = max(start, high)
    return [*left, (start, end)] if start < end else left


def list_recognizers(detectors: Iterable[str]) -> list[str]:
    """Names of recognisers: the detectors of the default policy."""
    return [f"Maskwise{name.capitalize()}Recognizer" for name in detectors]


def list_entities() -> list[str]:
    return list(ENTITIES)

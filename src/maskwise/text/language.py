"""The language of a text, offline: by its script, and among languages of Latin script by its small words.

Small words (articles, prepositions, pronouns) make up a third of any prose and differ from language to
language, so a
few dozen of each settle a text of ten words. The libraries that do more were looked at: lingua weighs 100 MB, langid's
models are pickles, and detectors by letter frequency err on short texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from maskwise.text.document import Document
from maskwise.text.word_lists import read_table

KEY = "language"  # of a document's metadata
ENGLISH = "en"
UNKNOWN = "und"  # as in BCP 47
READ = 4_096  # characters that are looked at
LEAST = 3  # small words that settle a language
_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"\S*(?:://|@|\.\w+/)\S*")

_SMALL: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split()) for code, words in read_table("small_words")
}
# The first character of these scripts that is found says which language cannot be English.
_SCRIPTS = (
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
_FOREIGN = re.compile(r"[^\x00-\u024f\u2000-\u2fff]")

NAMES: Mapping[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "pl": "Polish",
    "sv": "Swedish",
    "da": "Danish",
    "nb": "Norwegian",
    "fi": "Finnish",
    "cs": "Czech",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "id": "Indonesian",
    "ru": "a language in Cyrillic script",
    "el": "Greek",
    "ar": "a language in Arabic script",
    "he": "Hebrew",
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
    "hi": "a language in Devanagari",
    "th": "Thai",
    "und": "an unknown language",
}


def is_small_word(word: str, language: str) -> bool:
    """Whether a word is an article, a preposition or the like in that language."""
    return word.lower() in _SMALL.get(language, frozenset())


def get_language(document: Document) -> str:
    """The language that the line noted for a document; English where it was not looked for."""
    return str(document.metadata.get(KEY, ENGLISH))


def recognise_language(text: str) -> str:
    """Return the code of the language (ISO 639-1). A text with too few small words counts as English.

    >>> recognise_language("Bitte bestätigen Sie mir den Eingang, und zwar für die ganze Woche.")
    'de'
    """
    text = text[:READ]
    letters = sum(map(len, _WORD.findall(text)))
    if letters and len(_FOREIGN.findall(text)) * 2 > letters:
        return next((code for code, script in _SCRIPTS if script.search(text)), UNKNOWN)
    if "@" in text or "/" in text:  # every address holds one of them
        text = _ADDRESS.sub(" ", text)
    words = [word.lower() for word in _WORD.findall(text) if len(word) > 1]
    english = sum(map(_SMALL[ENGLISH].__contains__, words))
    if english * 5 > len(words):  # most texts: no other language is asked
        return ENGLISH
    scores = {code: sum(map(small.__contains__, words)) for code, small in _SMALL.items()}
    best = max(scores, key=lambda code: scores[code])
    is_settled = scores[best] >= LEAST and scores[best] > 1.5 * english
    return best if is_settled and scores[best] * 8 > len(words) else ENGLISH

"""Names in other scripts as English texts write them: letter by letter, Korean by the parts of a syllable."""

from __future__ import annotations

_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґјљњћџѓќѕђ",
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya i yi ye g j lj nj c dz "
        "gj kj dz dj".split(),
        strict=True,
    )
)
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",
        "a v g d e z i th i k l m n x o p r s t y f ch ps o s a e i i o y o i y i y".split(),
        strict=True,
    )
)
_GREEK_PAIRS = {"ου": "ou", "ού": "ou", "αυ": "af", "ευ": "ef", "μπ": "b", "ντ": "nt", "γγ": "ng"}
_GEORGIAN = dict(
    zip(
        "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
        "a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h".split(),
        strict=True,
    )
)
_ARMENIAN = dict(
    zip(
        "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
        "a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts v p k o f ev".split(),
        strict=True,
    )
)
_LETTERS = {**_CYRILLIC, **_GREEK, **_GEORGIAN, **_ARMENIAN, "_": ""}
_FIRST = "g kk n d tt r m b pp s ss _ j jj ch k t p h".split()
_MIDDLE = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()
_LAST = "_ k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split()
_HANGUL = range(0xAC00, 0xD7A4)
# Families that write their name in another way than the rule.
_KOREAN_FAMILIES = {"김": "Kim", "이": "Lee", "박": "Park", "최": "Choi", "정": "Jung"}


def romanise(name: str) -> str:
    """A name in Latin letters; what is neither Cyrillic, Greek, Georgian, Armenian nor Korean stays.

    >>> romanise("Дмитрий"), romanise("Παπαδάκης"), romanise("서연"), romanise("Łucja")
    ('Dmitry', 'Papadakis', 'Seoyeon', 'Łucja')
    """
    if name in _KOREAN_FAMILIES:
        return _KOREAN_FAMILIES[name]
    low = name.lower()
    for pair, letters in _GREEK_PAIRS.items():
        low = low.replace(pair, letters)
    made = "".join(_romanise_letter(letter) for letter in low).replace("_", "")
    if made == name.lower():
        return name
    made = made.removesuffix("iy") + "y" if made.endswith("iy") else made
    return "-".join(part.capitalize() for part in made.split("-"))


def _romanise_letter(letter: str) -> str:
    if ord(letter) in _HANGUL:
        number = ord(letter) - _HANGUL.start
        first, rest = divmod(number, 588)
        return _FIRST[first] + _MIDDLE[rest // 28] + _LAST[rest % 28]
    return _LETTERS.get(letter, letter)

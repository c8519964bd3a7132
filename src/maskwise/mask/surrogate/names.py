"""Lists of names by origin, from the locales of Faker and a list of the bundle, in Latin letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import MappingProxyType

from maskwise.mask.surrogate.romanise import romanise
from maskwise.text.folding import fold_words
from maskwise.text.word_lists import read_table

# The locales whose lists name the people of an origin; the first tells its country.
ORIGINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        name: tuple(locales.split())
        for name, locales in {
            "english": "en_GB en_US en_IE en_NZ",
            "irish": "ga_IE",
            "german": "de_DE de_AT de_CH de_LI",
            "french": "fr_FR fr_BE fr_CA fr_CH",
            "spanish": "es_ES es_MX es_AR es_CO es_CL",
            "portuguese": "pt_PT pt_BR",
            "italian": "it_IT",
            "dutch": "nl_NL nl_BE",
            "norwegian": "no_NO",
            "swedish": "sv_SE",
            "danish": "da_DK",
            "icelandic": "is_IS",
            "finnish": "fi_FI",
            "estonian": "et_EE",
            "latvian": "lv_LV",
            "lithuanian": "lt_LT",
            "polish": "pl_PL",
            "czech": "cs_CZ sk_SK",
            "slovene": "sl_SI",
            "croatian": "hr_HR",
            "macedonian": "mk_MK",
            "bulgarian": "bg_BG",
            "hungarian": "hu_HU",
            "romanian": "ro_RO",
            "russian": "ru_RU",
            "ukrainian": "uk_UA",
            "greek": "el_GR",
            "georgian": "ka_GE",
            "armenian": "hy_AM",
            "turkish": "tr_TR",
            "azerbaijani": "az_AZ",
            "uzbek": "uz_UZ",
            "arabic": "fr_DZ",
            "pakistani": "en_PK",
            "indian": "en_IN",
            "indonesian": "id_ID",
            "vietnamese": "vi_VN",
            "chinese": "zh_TW zh_CN",
            "japanese": "ja_JP",
            "korean": "ko_KR",
            "nigerian": "yo_NG ig_NG en_NG ha_NG",
            "ghanaian": "tw_GH",
            "kenyan": "en_KE",
            "zulu": "zu_ZA",
            "ethiopian": "",
            "persian": "",
        }.items()
    }
)
# Where a list has none or few of its own, those of a neighbour are drawn.
DRAWN = {"icelandic": "norwegian", "irish": "english", "pakistani": "arabic"}


_SPLIT = {"lt_LT": "s"}  # how the given names of men end where the list does not part them


@dataclass(frozen=True)
class NameLists:
    """The names of an origin as they are written, by their folded forms."""

    male: Mapping[str, str] = field(repr=False)
    female: Mapping[str, str] = field(repr=False)
    either: Mapping[str, str] = field(
        repr=False
    )  # given names of which the list does not tell the gender
    family: Mapping[str, str] = field(repr=False)

    def has_given(self, word: str) -> bool:
        return word in self.male or word in self.female or word in self.either


@cache
def load_origin(origin: str) -> NameLists:
    """The names of an origin, its first locale's before the others'.

    >>> "piotr" in load_origin("polish").male, "sokolov" in load_origin("russian").family
    (True, True)
    """
    return merge_lists([*map(load_names, ORIGINS[origin]), _load_bundled(origin)])


@cache
def _load_bundled(origin: str) -> NameLists:
    rows = dict(read_table("names_by_origin"))
    male, female, family = (
        {"-".join(fold_words(name)): name for name in rows.get(f"{origin} {kind}", "").split()}
        for kind in ("m", "f", "family")
    )
    return NameLists(male, female, {}, family)


def merge_lists(lists: Iterable[NameLists]) -> NameLists:
    male: dict[str, str] = {}
    female: dict[str, str] = {}
    either: dict[str, str] = {}
    family: dict[str, str] = {}
    for one in lists:
        for table, more in (
            (male, one.male),
            (female, one.female),
            (either, one.either),
            (family, one.family),
        ):
            for key, name in more.items():
                table.setdefault(key, name)
    return NameLists(male, female, either, family)


@cache
def load_names(locale: str) -> NameLists:
    """The names of a locale; none where Faker does not know it."""
    try:
        provider = import_module(f"faker.providers.person.{locale}").Provider
    except ImportError:
        return NameLists({}, {}, {}, {})
    is_romanised = hasattr(provider, "last_romanized_names")
    male = _read_names(provider, "male", is_romanised)
    female = _read_names(provider, "female", is_romanised)
    if locale in _SPLIT:
        found = _read_list(provider, "first_names")
        male = {key: name for key, name in found.items() if key.endswith(_SPLIT[locale])}
        female = {key: name for key, name in found.items() if key not in male}
    first = "first_romanized_names" if is_romanised else "first_names"
    either = {} if male else _read_list(provider, first)
    keys = (
        ("last_romanized_names",)
        if is_romanised
        else ("last_names", "last_names_male", "male_last_names", "unisex_last_names")
    )
    family: dict[str, str] = {}
    for key in keys:
        family.update(_read_list(provider, key))
    family.pop("doe", None)  # what Faker has where it has nothing
    return NameLists(male, female, either, family)


def _read_names(provider: type, gender: str, is_romanised: bool) -> dict[str, str]:
    middle = "romanized_names" if is_romanised else "names"
    return _read_list(provider, f"first_{middle}_{gender}")


def _read_list(provider: type, key: str) -> dict[str, str]:
    found = getattr(provider, key, ())
    if isinstance(found, property) or callable(found):
        return {}
    written = sorted({_write_small(romanise(str(name))) for name in found})
    return {"-".join(fold_words(name)): name for name in written if fold_words(name)}


def _write_small(name: str) -> str:
    return name.replace("-", "").capitalize() if name.isupper() else name

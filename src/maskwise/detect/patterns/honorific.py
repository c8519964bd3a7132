"""People named with a title, an honorific or a rank: the title belongs to the mention."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from maskwise.detect.patterns._shapes import (
    CAP,
    GAP,
    LETTER,
    NAME,
    POSTNOMINAL,
    SPACE,
    match_leading,
    match_one_of,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType, possessive
from maskwise.text.word_lists import read_words

# Whatever is capitalised after these is a name.
_HONORIFICS = (
    "Mr Mrs Ms Miss Mx Messrs MR MRS MS Dr DR Doctor Prof Professor Sir Dame Rev Revd Reverend Hon Sgt Capt Col Lt "
    "Maj Gen Cpl Pte Brig Insp Supt Const PC WPC DCI DI DS Mme Mlle Mgr Madame Mademoiselle Monsieur Maître Herr Frau "
    "Hr Fru Fräulein Señor Señora Sr Sra Srta Doña Dom Sig Signor Signora Sheikh Shaikh Imam Mullah Ayatollah Rabbi "
    "Archbishop Bishop Monsignor Pastor Sergeant Corporal Lieutenant Colonel Captain Constable Superintendent Warder "
    "Sqn"
).split()
# These also head names of offices and bodies: "General Assembly", "Justice Department".
_RANKS = (
    "Judge Justice Lord Lady Baroness Baron Count Countess Viscount Viscountess Earl Duke Duchess Prince Princess "
    "King Queen Major General Admiral Commander Brigadier Commodore Private Officer Father Sister Brother Cardinal "
    "Pope Inspector Detective Commissioner Sheriff Marshal Magistrate Coroner Recorder Deacon Canon Vicar Agent "
    "Don"
).split()
_GRADES = "Deputy Acting Assistant Chief Senior Police Lance Staff Wing Flight Squadron Rear Vice First".split()
_NOT_NAMES = read_words("after_titles")

_HONORIFIC = rf"{match_leading(_HONORIFICS)}\.?(?!{LETTER})"
_ANY = rf"(?:{match_one_of(_HONORIFICS + _RANKS + _GRADES)}\.?(?!{LETTER}))"
_REFUSED = rf"(?!{match_one_of(_NOT_NAMES)}(?!{LETTER}))"
_NOT_TITLE = rf"(?!{match_one_of(_RANKS)}(?!{LETTER}))"
_TITLES = frozenset(_HONORIFICS + _RANKS)


def _find_each(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Every name of a list: "Messrs Hill, Ward and Moss"."""
    return (
        name.span() for name in _compile_names().finditer(match.string, match.start(), match.end())
    )


@cache
def _compile_names() -> re.Pattern[str]:
    return possessive.compile(rf"(?:Messrs\.?{GAP})?{NAME}")


def _has_rank(surface: str) -> bool:
    """A grade alone is no title: "Chief Inspector Moss", not "Chief Moss"."""
    return any(word.rstrip(".") in _TITLES for word in surface.split())


FAMILY = Family(
    name="honorific",
    rules=(
        Rule(
            name="titled",
            type=EntityType.PERSON,
            regex=rf"{_HONORIFIC}(?:(?: (?:and|or|&))?{GAP}{_ANY}){{0,4}}+{GAP}{NAME}{POSTNOMINAL}",
            triggers=tuple(
                word.lower() + end for word in _HONORIFICS for end in (" ", ".", "\n", "\u00a0")
            ),
            opens=True,
            score=0.97,
        ),
        Rule(
            name="titled_list",
            type=EntityType.PERSON,
            regex=rf"Messrs\.?{GAP}{NAME}(?:, {NAME}){{0,20}}(?:,? and {NAME})?",
            triggers=("messrs",),
            opens=True,
            expand=_find_each,
            score=0.97,
        ),
        Rule(
            name="ranked",
            type=EntityType.PERSON,
            regex=rf"{match_leading(_RANKS + _GRADES)}(?!{LETTER})(?: {_ANY}){{0,4}}+ "
            rf"{_REFUSED}{_NOT_TITLE}{NAME}{POSTNOMINAL}",
            triggers=tuple(f"{word.lower()} " for word in _RANKS + _GRADES),
            opens=True,
            check=_has_rank,
            score=0.85,
        ),
        # "PC 4471 Ana Souza", "Officer #212 Souza"
        Rule(
            name="ranked",
            type=EntityType.PERSON,
            regex=r"(?<!\w)(?:W?PCS?O?|D[CSI]|DCI|[Oo]fficer|[Cc]onstable|[Dd]eputy|[Tt]rooper|[Ss]gt\.?|[Ss]ergeant"
            rf"|[Aa]gent|[Ii]nspector)[ ](?:(?:no\.?|badge)[ ])?#?[0-9]{{2,6}},?[ ](?P<m>{_REFUSED}{NAME})",
            triggers=(
                *("pc ", "pcso ", "dc ", "ds ", "di ", "dci ", "officer ", "constable ", "deputy "),
                *("trooper ", "sgt", "sergeant ", "agent ", "inspector "),
            ),
            reach=48,
            score=0.9,
        ),
        Rule(
            name="titled_lower",
            type=EntityType.PERSON,
            regex=rf"{match_leading(['mr', 'mrs', 'ms', 'dr', 'prof'])}\.? (?!(?:and|or|of|in|is|was|has|the|to|for|on|"
            rf"at)\b)[^\W\d_A-Z]{{2,24}}+",
            triggers=("mr ", "mr. ", "mrs ", "mrs. ", "ms ", "dr ", "dr. ", "prof. "),
            opens=True,
            score=0.7,
        ),
        Rule(
            name="judge_suffix",
            type=EntityType.PERSON,
            regex=rf"{CAP}(?:-{CAP})?{SPACE}(?:J|LJ|CJ|JA|JJ|LJJ|JSC)(?![\w.’'-])",
            triggers=(" j ", " j,", " j)", " lj", " cj", " ja", " jj", " jsc"),
            reach=40,
            score=0.85,
        ),
    ),
    positive=(
        ("Mr Gunnar Dal and Mr Olav Myr were heard.", ("Mr Gunnar Dal", "Mr Olav Myr")),
        ("It was Mr and Mrs Smith who came.", ("Mr and Mrs Smith",)),
        ("Judge Mr J.-P. Hallier sat alone", ("Judge Mr J.-P. Hallier",)),
        ("Mr A.B. van der Moor, a pilot", ("Mr A.B. van der Moor",)),
        ("Mrs de la Vega's house", ("Mrs de la Vega",)),
        ("They met Dr O'Shea’s sister", ("Dr O'Shea",)),
        ("MR IVAN SOKOLNIK appeared", ("MR IVAN SOKOLNIK",)),
        ("by Ms Karin McDowell QC, counsel", ("Ms Karin McDowell QC",)),
        ("by Mr P. Lund, Q.C., of", ("Mr P. Lund, Q.C.",)),
        ("Prof. Łucja Żak-Wiśnicka testified", ("Prof. Łucja Żak-Wiśnicka",)),
        ("Mr X. The court saw Mr X and Ms Y.Z.", ("Mr X.", "Mr X", "Ms Y.Z.")),
        ("Sheikh Omar bin Yusuf al-Karim left", ("Sheikh Omar bin Yusuf al-Karim",)),
        (
            "Lord Justice Penrith and Mr Justice Coombe agreed",
            ("Lord Justice Penrith", "Mr Justice Coombe"),
        ),
        (
            "Detective Chief Inspector Barlow told PC Dunn",
            ("Detective Chief Inspector Barlow", "PC Dunn"),
        ),
        ("Frau Müller-Lüdenscheidt und Herr Öztürk", ("Frau Müller-Lüdenscheidt", "Herr Öztürk")),
        ("Messrs Hill, Ward and Moss", ("Messrs Hill", "Ward", "Moss")),
        ("Hartigan J. was away; Hartigan J dissented", ("Hartigan J",)),
        ("i saw dr patel yesterday", ("dr patel",)),
        ("by PC 4471 Ana Prosser", ("Ana Prosser",)),
        ("Deputy #212 Souza wrote it", ("Souza",)),
        ("Dr\nAnna Berg signed", ("Dr\nAnna Berg",)),
        ("Mme Éloïse d'Aubigny", ("Mme Éloïse d'Aubigny",)),
        ("Major General Halloran and Sister Agnes", ("Major General Halloran", "Sister Agnes")),
        ("Mr Carl Bo Jr. and Dr Ann Lee, MD", ("Mr Carl Bo Jr.", "Dr Ann Lee, MD")),
    ),
    negative=(
        "Mr and Mrs",
        "the General Assembly met",
        "the Lord Chancellor and the Justice Department",
        "The Attorney General appealed.",
        "a Major and a General",
        "Dr of philosophy",
        "the Chief Public Prosecutor",
        "the police officer and the judge",
        "a private school, a Major League player",
        "NPC (non-player character)",
        "Miss out on it",
    ),
)

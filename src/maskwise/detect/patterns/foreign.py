"""Dates and titled people in twelve European languages: "30. September 2023", "5 de febrero de 2024", "Frau Steinmetz".

The names of months and weekdays come from CLDR (`bundle/knowledge/calendar.tsv`).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from maskwise.detect.patterns._shapes import UPPER
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import MONTHS, SHORT_MONTHS
from maskwise.text.subtypes import ADDRESS, DATE_ABROAD

# Titles before a name; the English ones and those of courts stand in `honorific`.
_TITLES = (
    r"(?i:herrn?|frau|fräulein|monsieur|madame|mademoiselle|mme|mlle|señora?|señorita|sra|srta|doña|signora?|signor"
    r"|dott|dott\.ssa|sig\.ra|senhora?|de heer|dhr|mevrouw|mevr|fru|frk|fröken|herra|rouva|paní|maître|docteur"
    r"|doctora)"
    r"|Sr\.|Sig\.|Mw\.|Ing\.|Dra\.|Pani|pani|pana|panią|panu|pan"
)
_WORD = rf"[{UPPER}][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_PARTICLE = r"(?:von|van|de|del|della|di|da|do|dos|du|la|le|der|den|zu|ten|ter|af|y|e)"
_NAME = rf"{_WORD}(?:[ ](?:{_PARTICLE}[ ]){{0,2}}{_WORD}){{0,3}}"


@cache
def _read_calendar(kind: str) -> tuple[str, ...]:
    """The names of one kind in all languages, the longest first, without those that English has too."""
    rows = (files("maskwise.bundle") / "knowledge" / "calendar.tsv").read_text("utf-8").splitlines()
    known = {name.lower() for name in MONTHS} | set(SHORT_MONTHS) if kind == "month" else set()
    found = {name for _, row_kind, _, name in (row.split("\t") for row in rows) if row_kind == kind}
    # English dates with these are read by `date`, but not with a full stop or "de" beside the day.
    shared = {"september", "november", "april", "august", "mars", "mai", "maj"}
    return tuple(sorted((found - known) | (shared & found), key=lambda name: (-len(name), name)))


_MONTH = rf"(?i:{'|'.join(_read_calendar('month'))})"
_DAY = rf"(?i:{'|'.join(_read_calendar('day'))})"
_YEAR = r"(?:1[89]|20)[0-9]{2}"
# What follows the number of the day.
_REST = rf"(?:\.|º|°|er|ª|e)?[ ](?:de[ ]|d['’])?{_MONTH}\.?(?!\w)(?:,?[ ](?:de[ ]|del[ ])?{_YEAR}(?!\w))?"

FAMILY = Family(
    name="foreign",
    rules=(
        Rule(
            name=DATE_ABROAD,
            type=EntityType.DATETIME,
            regex=rf"[0-9](?<![\w.,/-][0-9])(?:(?<=0)[1-9]|(?<=[12])[0-9]|(?<=3)[01]|(?<=[1-9])){_REST}",
            triggers=_read_calendar("month"),
            reach=48,
        ),
        # A rule of its own: with a weekday that may be missing, every letter would be tried.
        Rule(
            name=DATE_ABROAD,
            type=EntityType.DATETIME,
            regex=rf"(?<![\w.,/-]){_DAY},?[ ](?:(?:den|le|el|il|de|dne|d\.)[ ])?(?:0?[1-9]|[12][0-9]|3[01]){_REST}",
            triggers=_read_calendar("day"),
            opens=True,
        ),
        Rule(
            name=DATE_ABROAD,
            type=EntityType.DATETIME,
            regex=rf"(?<!\w){_MONTH}[ ](?:de[ ]|del[ ])?{_YEAR}(?!\w)",
            triggers=_read_calendar("month"),
            opens=True,
        ),
        # The block of a Japanese address: "2-11-3 Meguro, Tokyo".
        Rule(
            name=ADDRESS,
            type=EntityType.LOC,
            regex=r"(?:(?<=\n)[0-9]{1,2}-[0-9]{1,3}(?:-[0-9]{1,3})?|(?<=[ ,:])[0-9]{1,2}-[0-9]{1,3}-[0-9]{1,3})"
            r"(?=[ ][A-Z][a-z]+(?:-\w+)?,)",
        ),
        Rule(
            name="titled_abroad",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?:{_TITLES})\.?[ ](?:(?:Dr|Prof|Doktor|Professor|Ing|Mag|Dipl)\.?[ -]{{1,2}}){{0,3}}"
            rf"(?P<m>{_NAME})",
            triggers=tuple(
                f"{title} "
                for title in (
                    *(
                        "herr",
                        "herrn",
                        "frau",
                        "fräulein",
                        "monsieur",
                        "madame",
                        "mademoiselle",
                        "mme",
                        "mlle",
                        "señor",
                    ),
                    *(
                        "señora",
                        "señorita",
                        "sr.",
                        "sra.",
                        "srta.",
                        "doña",
                        "signor",
                        "signora",
                        "sig.",
                        "dott.",
                    ),
                    *(
                        "sig.ra",
                        "dott.ssa",
                        "senhor",
                        "senhora",
                        "heer",
                        "dhr.",
                        "mevrouw",
                        "mevr.",
                        "mw.",
                        "pan",
                    ),
                    *(
                        "pani",
                        "pana",
                        "panią",
                        "panu",
                        "fru",
                        "frk.",
                        "fröken",
                        "herra",
                        "rouva",
                        "paní",
                        "ing.",
                        "dra.",
                    ),
                    *("maître", "docteur", "doctora", "dhr", "sra", "mevr"),
                )
            ),
            score=0.9,
        ),
    ),
    positive=(
        ("Köln, den 30. September 2023", ("30. September 2023",)),
        ("am 3. Mai 2021", ("3. Mai 2021",)),
        ("le 12 mars 2024 à Lyon", ("12 mars 2024",)),
        ("el 5 de febrero de 2024", ("5 de febrero de 2024",)),
        ("lunedì 7 gennaio 2019", ("lunedì 7 gennaio 2019",)),
        ("op 4 augustus 2020", ("4 augustus 2020",)),
        ("dnia 14 lipca 2018", ("14 lipca 2018",)),
        ("den 6 december 2011 och 3 juni", ("3 juni",)),
        ("em março de 2022", ("março de 2022",)),
        ("15. března 2017", ("15. března 2017",)),
        ("5. helmikuuta 2016", ("5. helmikuuta 2016",)),
        ("Kenji Watanabe\n2-11-3 Meguro, Tokyo", ("2-11-3",)),
        ("to Kenji, 2-11-3 Meguro, Tokyo", ("2-11-3",)),
        ("Sehr geehrte Frau Dr. Steinmetz", ("Steinmetz",)),
        ("Bonjour Madame Anne-Marie Le Goff,", ("Anne-Marie Le Goff",)),
        ("Estimado señor Quintana:", ("Quintana",)),
        ("mevrouw Van den Berg", ("Van den Berg",)),
    ),
    negative=(
        "die Frau und der Herr",
        "madame, il fait beau",
        "3 may come",
        "in the marina",
        "Pan American and Me Too",
    ),
)

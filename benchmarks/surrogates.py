"""Surrogates: does each person of a document stay one person, of the same gender, with dates that can be?

    python benchmarks/surrogates.py [--n 200] [--seed 20] [--json docs/figures/surrogates.json]

Invented documents with ten people each, four of them in two families. Every person is named in full, with a title, by
surname, by initials, by given name, by e-mail address and by user name, and has four dates in order. The judge reads
the masked text at the places of the names; it shares no code with the operator. The run ends with exit code 1 if
anything is wrong.
"""

from __future__ import annotations

import itertools
import random
import re
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta

from faker import Faker

import figures
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer

SEED, PEOPLE = 20, 10
LOCALES = ("en_GB", "en_US", "pl_PL", "de_DE", "no_NO", "es_ES", "fr_FR", "it_IT")
TITLES = {"m": "Mr", "f": "Mrs"}
PRONOUNS = {"m": "He", "f": "She"}
_LETTERS = (("ł", "l"), ("ø", "o"), ("đ", "d"), ("ß", "ss"), ("æ", "ae"), ("œ", "oe"))


@dataclass(frozen=True)
class Guest:
    """A person of an invented document."""

    given: str
    surname: str
    gender: str
    days: tuple[date, ...]


@dataclass
class Story:
    """A text, and for each person where which form of the name stands."""

    text: str = ""
    names: list[tuple[int, str, int, int]] = field(default_factory=list)
    dates: list[tuple[int, int, int]] = field(default_factory=list)
    guests: list[Guest] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.text += text

    def name(self, who: int, form: str, text: str) -> None:
        self.names.append((who, form, len(self.text), len(self.text) + len(text)))
        self.text += text

    def day(self, who: int, text: str) -> None:
        self.dates.append((who, len(self.text), len(self.text) + len(text)))
        self.text += text


def fold(text: str) -> str:
    """The letters of a name as addresses write them."""
    low = text.lower()
    for letter, plain in _LETTERS:
        low = low.replace(letter, plain)
    plain = unicodedata.normalize("NFD", low)
    return "".join(char for char in plain if char.isalpha())


def invent_guests(draw: random.Random) -> list[Guest]:
    """Ten people; the second and the fourth bear the surname of the one before."""
    found: list[Guest] = []
    while len(found) < PEOPLE:
        faker = Faker(draw.choice(LOCALES))
        faker.seed_instance(draw.randrange(10**9))
        gender = draw.choice("mf")
        given = (faker.first_name_male if gender == "m" else faker.first_name_female)()
        surname = found[-1].surname if len(found) in (1, 3) else faker.last_name()
        is_plain = (given + surname).isalpha() and len(given) > 2 and len(surname) > 3
        known = {fold(one.given) for one in found} | {fold(one.surname) for one in found}
        is_new = fold(given) not in known and (len(found) in (1, 3) or fold(surname) not in known)
        initials = {fold(one.given)[0] + fold(one.surname)[0] for one in found}
        if (
            not is_plain
            or not is_new
            or fold(given)[0] + fold(surname)[0] in initials
            or fold(given) == fold(surname)
        ):
            continue
        first = date(1940 + draw.randrange(50), 1 + draw.randrange(12), 1 + draw.randrange(28))
        gaps = (
            18 * 365 + draw.randrange(900),
            200 + draw.randrange(3000),
            30 + draw.randrange(900),
        )
        days = [first]
        for gap in gaps:
            days.append(days[-1] + timedelta(gap))
        found.append(Guest(given, surname, gender, tuple(days)))
    return found


def write_story(draw: random.Random) -> Story:
    story = Story(guests=invent_guests(draw))
    for who, one in enumerate(story.guests):
        title, account = TITLES[one.gender], fold(one.given[0]) + fold(one.surname)
        story.name(who, "full", f"{one.given} {one.surname}")
        story.write(" was born on ")
        story.day(who, _write_day(one.days[0]))
        story.write(". ")
        story.name(who, "titled", f"{title} {one.surname}")
        story.write(" joined the firm on ")
        story.day(who, _write_day(one.days[1]))
        story.write(f". {PRONOUNS[one.gender]} was promoted on ")
        story.day(who, one.days[2].isoformat())
        story.write(" and fined on ")
        story.day(who, _write_day(one.days[3]))
        story.write(". ")
        story.name(who, "initial", f"{one.given[0]}. {one.surname}")
        story.write(" can be reached at ")
        story.name(who, "mail", f"{fold(one.given)}.{fold(one.surname)}@firm-{who}.com")
        story.write(" (user name: ")
        story.name(who, "login", account)
        story.write("). Colleagues like ")
        story.name(who, "given", one.given)
        story.write(", and the file is signed ")
        story.name(who, "letters", f"{one.given[0]}.{one.surname[0]}.")
        story.write("\n\n")
    order = list(range(PEOPLE))
    draw.shuffle(order)
    for who in order:
        story.write("Later ")
        story.name(who, "full", f"{story.guests[who].given} {story.guests[who].surname}")
        story.write(" wrote to the board.\n")
    return story


def _write_day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def judge_story(story: Story, result: Result) -> Counter[str]:
    """How many people are split, merged, of another gender, or have impossible dates; and names that are left."""
    wrong: Counter[str] = Counter()
    shown = [dict[str, set[str]]() for _ in story.guests]
    alignment, masked = result.rendering.alignment, result.text
    for who, form, start, end in story.names:
        edit = next((e for e in alignment.edits if e.start <= start and end <= e.end), None)
        if edit is None:
            is_left = not any(e.start < end and start < e.end for e in alignment.edits)
            wrong["left" if is_left else "partly masked"] += 1
            wrong[f"left: {form}"] += 1
        else:
            shown[who].setdefault(form, set()).add(edit.replacement.strip())
    full = [next(iter(one.get("full", {""}))) for one in shown]
    for who, (guest, forms) in enumerate(zip(story.guests, shown, strict=True)):
        if "[" in full[who] or " " not in full[who]:
            wrong["labels"] += 1
            continue
        bad = list_bad_forms(full[who], forms)
        wrong["splits"] += bool(bad)
        wrong.update(f"split: {form}" for form in bad)
        wrong["flips"] += is_flipped(full[who].split()[0], guest.gender)
        wrong["merges"] += full.count(full[who]) > 1
        sister = next(
            (o for o, g in enumerate(story.guests) if o != who and g.surname == guest.surname), None
        )
        if sister is not None and full[sister].split()[-1:] != full[who].split()[-1:]:
            wrong["families apart"] += 1
        days = [
            read_day(masked[alignment.to_target(s) : alignment.to_target(e)])
            for w, s, e in story.dates
            if w == who
        ]
        old = [(b - a).days for a, b in zip(guest.days, guest.days[1:], strict=False)]
        if None in days:
            wrong["dates as labels"] += 1
        else:
            new = [(b - a).days for a, b in itertools.pairwise(days)]
            wrong["impossible dates"] += new != old or days[-1] > date.today()
    return wrong


def list_bad_forms(full: str, forms: dict[str, set[str]]) -> list[str]:
    """The forms that do not fit the full name."""
    given, surname = full.split(" ", 1)
    low = (fold(given), fold(surname))
    fits = {
        "full": {full},
        "titled": {f"Mr {surname}", f"Mrs {surname}", surname},
        "initial": {f"{given[0]}. {surname}"},
        "given": {given},
        "letters": {f"{given[0]}.{surname[0]}.", f"{given[0]}.{surname[0]}"},
        "mail": {f"{low[0]}.{low[1]}@example.org"},
        "login": {low[0][0] + low[1]},
    }
    return [form for form, texts in forms.items() if not texts <= fits[form]]


_GENDERS: dict[str, set[str]] = {}


def is_flipped(given: str, gender: str) -> bool:
    """Whether Faker's lists have a given name for the other gender only."""
    if not _GENDERS:
        for locale in LOCALES:
            for provider in Faker(locale).get_providers():
                for key, sort in (("first_names_male", "m"), ("first_names_female", "f")):
                    for name in getattr(provider, key, ()):
                        _GENDERS.setdefault(fold(name), set()).add(sort)
    borne = _GENDERS.get(fold(given), set())
    return bool(borne) and gender not in borne


def read_day(text: str) -> date | None:
    found = re.search(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})", text)
    months = [date(2000, at, 1).strftime("%B") for at in range(1, 13)]
    if found and found[2] in months:
        return date(int(found[3]), months.index(found[2]) + 1, int(found[1]))
    iso = re.search(r"\d{4}-\d\d-\d\d", text)
    return date.fromisoformat(iso[0]) if iso else None


COUNTED = (
    "splits",
    "merges",
    "flips",
    "families apart",
    "impossible dates",
    "dates as labels",
    "labels",
    "left",
    "partly masked",
)


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--n", type=int, default=200, help="documents")
    parser.add_argument("--seed", type=int, default=SEED, help="other seeds are for development")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    policy = {
        "name": "invented",
        "extends": "balanced",
        "operator": {"kind": "surrogate", "seed": 1},
    }
    policy["must_mask"] = [r"re:\d{4}-\d\d-\d\d", r"re:\d{1,2} [A-Z][a-z]+ \d{4}"]
    sanitizer = Sanitizer(Policy.parse(policy))
    stories = [write_story(draw) for _ in range(options.n)]
    total: Counter[str] = Counter()
    for story, result in zip(stories, sanitizer.run(one.text for one in stories), strict=True):
        total += judge_story(story, result)
    people, names = options.n * PEOPLE, sum(len(story.names) for story in stories)
    print(dict(sorted(total.items())))
    rows = [
        [key, total[key], names if "left" in key or "masked" in key else people] for key in COUNTED
    ]
    note = (
        "Dates are named in `must_mask`, so that all of them move. Splits and flips count people, "
    )
    note += "the last two rows names."
    found = figures.build_figure(
        "Surrogates of invented documents",
        f"python benchmarks/surrogates.py --n {options.n}",
        ["what is wrong", "times", "of"],
        rows,
        note=note,
        seeds=[options.seed],
    )
    figures.save_figure(options.json, found)
    sys.exit(1 if any(total[key] for key in COUNTED) else 0)


if __name__ == "__main__":
    main()

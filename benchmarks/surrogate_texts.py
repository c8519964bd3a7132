"""Surrogates of 55 texts as people write them: letters, mails, chats, notes, judgments, with a key of who is who.

    python benchmarks/surrogate_texts.py [--half dev|more|held] [--show]

`surrogate_dev.txt` and `surrogate_more.txt` were looked at while the operator was changed, `surrogate_held.txt` only
counted. All are written by hand. Before each text stand its people: number, gender, origin, given names = surname ~
nicknames. In the text `{1|Piotr}` names person 1; after the number `@` marks an account, `#` an age, `*` a birth date;
`{0*|...}` is another date and `{o1|...}` an organisation. The judge reads the masked text at these places. Of the
operator it shares only the lists of names by origin.

Splits, merges, flips and origins count people; dates, ages and organisations count texts' marks; names left count words
of names, accounts and acronyms that stand in the masked text.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import figures
from maskwise.mask.surrogate.names import ORIGINS, load_origin
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer

HALVES = {name: Path(__file__).parent / f"surrogate_{name}.txt" for name in ("dev", "more", "held")}
_MARK = re.compile(r"\{(o?)(\d+)([@#*]?)\|([^{}]*)\}")
_WORD = re.compile(r"[^\W\d_]+")
_NEAR = {
    "gb": "english", "us": "english", "ie": "irish english", "no": "norwegian", "is": "icelandic norwegian",
    "pl": "polish", "ng": "nigerian", "nl": "dutch", "in": "indian", "cn": "chinese", "gr": "greek", "es": "spanish",
    "mx": "spanish", "ar": "spanish", "ph": "spanish", "ma": "arabic", "lb": "arabic", "sy": "arabic", "eg": "arabic",
    "fr": "french", "de": "german", "ru": "russian ukrainian", "pk": "pakistani arabic", "tr": "turkish",
    "it": "italian", "hu": "hungarian", "ro": "romanian", "fi": "finnish", "vn": "vietnamese", "ke": "kenyan",
    "za": "zulu dutch", "se": "swedish", "cz": "czech", "br": "portuguese", "pt": "portuguese", "gh": "ghanaian",
    "jp": "japanese", "kr": "korean", "ch": "german", "hr": "croatian slovene", "rs": "croatian macedonian slovene",
    "dk": "danish norwegian", "ca": "french", "ua": "ukrainian russian", "bg": "bulgarian macedonian", "ge": "georgian",
    "am": "armenian", "lt": "lithuanian", "lv": "latvian", "ee": "estonian", "si": "slovene croatian", "be": "dutch",
}  # fmt: skip
_SKIPPED = frozenset(
    "mr mrs ms miss dr prof herr frau madame mme maître sister judge don paní de da di del der den dos la le lo van "
    "von ter y el al the of and st iii jr san".split()
)
_TITLES = frozenset(
    "mr mrs ms miss dr prof herr frau madame mme maître sister judge don paní iii jr".split()
)
_LARGE = frozenset("La Lo St De Ter Van".split())
_COMMON = frozenset(
    "may bill will mark grace dot art gene pat rich young king hope joy max bea alf max jo ned ida".split()
)


@dataclass
class Guest:
    """A person of a text, as the key describes them."""

    gender: str
    origin: str
    given: list[str]
    family: list[str]
    nicknames: list[str]


@dataclass
class Text:
    """A text without its marks, and where they stood: what, whose, start, end."""

    title: str
    guests: dict[int, Guest] = field(default_factory=dict)
    text: str = ""
    marks: list[tuple[str, int, int, int]] = field(default_factory=list)


def fold(word: str) -> str:
    low = word.lower()
    for letter, plain in (
        ("ł", "l"),
        ("ø", "o"),
        ("đ", "d"),
        ("ß", "ss"),
        ("æ", "ae"),
        ("ı", "i"),
        ("ð", "d"),
    ):
        low = low.replace(letter, plain)
    return "".join(c for c in unicodedata.normalize("NFD", low) if not unicodedata.combining(c))


def list_words(text: str) -> list[str]:
    """The words of a name without titles and particles; a possessive is no word."""
    words = _WORD.findall(re.sub(r"['’]s\b|(?<=\w)['’](?=\w)", "", text))
    return [
        fold(w)
        for w in words
        if not (w.lower() in _SKIPPED and (w.lower() in _TITLES or w.islower() or w in _LARGE))
    ]


def read_texts(path: Path) -> Iterator[Text]:
    for block in path.read_text("utf-8").split("\n## "):
        head, _, body = block.removeprefix("## ").partition("\n--\n")
        title, *people = head.strip().splitlines()
        found = Text(title)
        for line in people:
            number, gender, origin, name = line.split(" ", 3)
            name, _, nicknames = name.partition(" ~ ")
            given, _, family = name.partition(" = ")
            found.guests[int(number)] = Guest(
                gender, origin, list_words(given), list_words(family), list_words(nicknames)
            )
        at = 0
        for mark in _MARK.finditer(body.strip() + "\n"):
            found.text += body.strip()[at : mark.start()]
            kind = "o" if mark[1] else mark[3]
            start = len(found.text)
            found.text += mark[4]
            found.marks.append((kind, int(mark[2]), start, len(found.text)))
            at = mark.end()
        found.text += body.strip()[at:] + "\n"
        yield found


@dataclass
class Judge:
    """Reads one masked text with its key."""

    text: Text
    result: Result
    wrong: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def judge(self) -> None:
        names: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for kind, who, start, end in self.text.marks:
            if kind == "" and who in self.text.guests:
                self._read_name(self.text.guests[who], start, end, names[who])
        self._judge_people(names)
        self._judge_dates()
        self._judge_ages()
        self._judge_organisations()
        self._find_left()

    def _add(self, key: str, note: str) -> None:
        self.wrong[key] += 1
        self.notes.append(f"{self.text.title}: {key}: {note}")

    def _show(self, start: int, end: int) -> str:
        """What stands for a mark; wider where a replacement is wider."""
        edits = [
            e for e in self.result.rendering.alignment.edits if e.start < end and start < e.end
        ]
        low = min([start, *(e.start for e in edits)])
        high = max([end, *(e.end for e in edits)])
        alignment = self.result.rendering.alignment
        shown = self.result.text[alignment.to_target(low) : alignment.to_target(high)]
        before = self.text.text[
            low:start
        ]  # words beside the mark that a detector took with it, and that stay
        return shown.removeprefix(before) if before else shown

    def _read_name(self, one: Guest, start: int, end: int, slots: dict[str, set[str]]) -> None:
        """Sort the words that stand for a name under the words of the key."""
        old, new = list_words(self.text.text[start:end]), list_words(self._show(start, end))
        if re.search(r"\[[A-Z]+ \d+\]", self._show(start, end)):
            slots["label"].add(self._show(start, end))
            return
        if len(old) > 1 and old[0] in one.family and old[-1] in one.given:
            old, new = [*old[1:], old[0]], [*new[1:], *new[:1]]  # the surname stands first
        given = [
            word for word in old if word in one.given or word in one.nicknames or len(word) == 1
        ]
        family = [word for word in old if word not in given]
        # A double surname may become one word, and two given names two or one.
        if not family:
            words = new[: len(given)] or new
            first = "more" if given and given[0] in one.given[1:] else "given"
            pairs = [(first if at == 0 else "more", word) for at, word in enumerate(words)]
        elif not given:
            pairs = [("family", "-".join(new))]
        else:
            size = min(len(given), max(1, len(new) - 1))
            pairs = [("given" if at == 0 else "more", word) for at, word in enumerate(new[:size])]
            pairs.append(("family", "-".join(new[size:])))
        if pairs and given and len(given[0]) == 1 and pairs[0][0] == "given":
            pairs[0] = ("letter", pairs[0][1][:1])
        for slot, word in pairs:
            slots[slot].add(unite(word) if slot == "family" else word)

    def _judge_people(self, names: dict[int, dict[str, set[str]]]) -> None:
        full: dict[tuple[str, str], int] = {}
        surnames: dict[str, int] = {}
        for who, slots in sorted(names.items()):
            one = self.text.guests[who]
            self.wrong["people"] += 1
            shown = f"{who} { {slot: sorted(words) for slot, words in slots.items()} }"
            first = {word for word in slots["given"] if word}
            letters = {word[0] for word in first}
            if slots["label"]:
                self._add("labels", shown)
            is_split = len(first) > 1 or len(slots["family"]) > 1
            if is_split or (first and not slots["letter"] <= letters):
                self._add("splits", shown)
            if one.gender and any(is_flipped(word, one.gender) for word in first):
                self._add("flips", f"{one.gender} {shown}")
            self._judge_origin(one, first, slots["family"], shown)
            for word in first:
                for family in slots["family"] or {""}:
                    other = full.setdefault((word, family), who)
                    if other != who:
                        self._add("merges", f"{other} {shown}")
            for word in slots["family"]:
                other = surnames.setdefault(word, who)
                if not share_surname(self.text.guests[other], one):
                    self._add("merges", f"surname of {other} {shown}")

    def _judge_origin(self, one: Guest, given: set[str], family: set[str], shown: str) -> None:
        origins = [origin for origin in _NEAR.get(one.origin, "").split() if origin in ORIGINS]
        if not origins:
            return
        self.wrong["origins judged"] += 1
        lists = [load_origin(origin) for origin in origins]
        borne = {fold(n) for o in lists for t in (o.male, o.female, o.either) for n in t.values()}
        bearing = {unite(fold(n)) for o in lists for n in o.family.values()}
        bad_given = given and not all(
            set(word.split("-")) & borne or word in borne for word in given
        )
        bad_family = family and not all(set(word.split("-")) & bearing for word in family)
        if bad_given or bad_family:
            self._add("origins", f"{one.origin} {shown}")

    def _judge_dates(self) -> None:
        pairs: list[tuple[date, date]] = []
        born: list[tuple[date, date]] = []
        for kind, who, start, end in self.text.marks:
            if kind != "*":
                continue
            old, new = read_day(self.text.text[start:end]), read_day(self._show(start, end))
            if old is None or new is None or new > date.today():
                self._add("dates", f"{self.text.text[start:end]} -> {self._show(start, end)}")
            else:
                (born if who else pairs).append((old, new))
        shifts = {(old - new).days for old, new in pairs}
        if len(shifts) > 1:
            self._add("dates", f"move by {sorted(shifts)}")
        # Birth dates may move some years more where ages do.
        for old, new in born:
            if pairs and abs((old - new).days - min(shifts)) > 4 * 366:
                self._add("dates", f"birth {old} {new}")
            if any((day_old >= old) != (day_new >= new) for day_old, day_new in pairs):
                self._add("dates", f"order of {old}")

    def _judge_ages(self) -> None:
        """Children stay children, nobody gets much older, the order stays, and ages fit birth dates as before."""
        ages: list[tuple[int, int, int]] = []
        for kind, who, start, end in self.text.marks:
            if kind == "#":
                old = int(self.text.text[start:end])
                found = re.search(r"\d+", self._show(start, end))
                new = int(found[0]) if found else -1
                if abs(old - new) > 5 or (old < 18) != (new < 18) or new < 1:
                    self._add("ages", f"{old} -> {self._show(start, end)}")
                else:
                    ages.append((who, old, new))
        for (_, old, new), (_, other, after) in itertools.combinations(ages, 2):
            if (old - other) * (new - after) < 0:
                self._add("ages", f"order of {old} and {other}")
        days = [m for m in self.text.marks if m[0] == "*"]
        events = [
            (read_day(self.text.text[s:e]), read_day(self._show(s, e)))
            for _, w, s, e in days
            if not w
        ]
        for who, old_age, new_age in ages:
            for _, whose, start, end in days:
                old, new = read_day(self.text.text[start:end]), read_day(self._show(start, end))
                for before, after in events if whose == who else ():
                    if None in (old, new, before, after):
                        continue
                    if fits(old, before, old_age) and not fits(new, after, new_age):
                        self._add("ages", f"{old_age} -> {new_age} against {new} at {after}")

    def _judge_organisations(self) -> None:
        """A short form is the letters of the long one, and the kind stays."""
        shown: dict[int, set[str]] = defaultdict(set)
        kinds = re.compile(
            r"\b(?:Hospital|School|Bank|Council|Clinic|Company|Agency|Society|Club|Ltd|AS|Inc)\b"
        )
        for kind, who, start, end in self.text.marks:
            if kind != "o":
                continue
            old, new = self.text.text[start:end], self._show(start, end)
            if "(" in new and "(" not in old:  # one replacement for the name and its bracket
                self._add("organisations", f"{old} -> {new}")
            for word in kinds.findall(old):
                if word not in new:
                    self._add("organisations", f"{old} -> {new}")
            shown[who].add(new.replace("'s", ""))
        for forms in shown.values():
            short = {form for form in forms if form.isupper() and " " not in form}
            long = forms - short
            letters = {
                "".join(c[0] for c in re.findall(r"\w+", form) if c[0].isupper()) for form in long
            }
            if len(long) > 1 or len(short) > 1 or (short and long and not short <= letters):
                self._add("organisations", f"{sorted(forms)}")

    def _find_left(self) -> None:
        """Words of names, accounts and acronyms that can be read in the masked text."""
        masked = self.result.text
        there = {
            fold(word) for word in _WORD.findall(masked) if word[:1].isupper() or len(word) > 4
        }
        for who, one in self.text.guests.items():
            for word in {*one.given, *one.family, *one.nicknames}:
                if (
                    len(word) > 2
                    and word in there
                    and word not in _COMMON
                    and word in fold(self.text.text)
                ):
                    self._add("names left", f"{who} {word}")
        for kind, who, start, end in self.text.marks:
            old = self.text.text[start:end]
            if kind == "@" and old in masked:
                self._add("names left", f"{who} {old}")
            if kind == "o" and old.isupper() and re.search(rf"\b{re.escape(old)}\b", masked):
                self._add("names left", f"acronym {old}")


def unite(word: str) -> str:
    """A surname as its family shares it."""
    for feminine, masculine in (("ska", "ski"), ("cka", "cki"), ("dzka", "dzki"), ("skaya", "sky"), ("ova", "ov"),
                                ("eva", "ev"), ("poulou", "poulos"), ("idou", "idis"), ("aki", "akis"), ("ina", "ins"),
                                ("auskiene", "auskas")):  # fmt: skip
        if word.endswith(feminine):
            return word.removesuffix(feminine) + masculine
    return word


def share_surname(one: Guest, other: Guest) -> bool:
    """Whether two people have a word of their surnames in common, but for its ending."""
    return any(a[:4] == b[:4] for a in one.family or [""] for b in other.family or [""])


def is_flipped(given: str, gender: str) -> bool:
    """Whether the lists have a given name for the other gender only."""
    borne = set()
    for origin in ORIGINS:
        lists = load_origin(origin)
        borne |= {"m"} if given in {fold(n) for n in lists.male.values()} else set()
        borne |= {"f"} if given in {fold(n) for n in lists.female.values()} else set()
    return bool(borne) and gender not in borne


def fits(born: date, day: date, age: int) -> bool:
    """Whether somebody born then is about that old on the day."""
    return abs((day - born).days / 365.25 - age - 0.5) <= 0.6


def read_day(text: str) -> date | None:
    months = [date(2000, at, 1).strftime("%B") for at in range(1, 13)]
    if found := re.search(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})", text):
        parts = (found[3], found[2], found[1])
    elif found := re.search(r"([A-Z][a-z]+) (\d{1,2}), (\d{4})", text):
        parts = (found[3], found[1], found[2])
    elif found := re.search(r"(\d\d)/(\d\d)/(\d{4})", text):
        return date(int(found[3]), int(found[2]), int(found[1]))
    else:
        iso = re.search(r"\d{4}-\d\d-\d\d", text)
        return date.fromisoformat(iso[0]) if iso else None
    return (
        date(int(parts[0]), months.index(parts[1]) + 1, int(parts[2]))
        if parts[1] in months
        else None
    )


COUNTED = (
    "splits",
    "merges",
    "flips",
    "origins",
    "dates",
    "ages",
    "organisations",
    "labels",
    "names left",
)


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument(
        "--half", choices=HALVES, action="append", help="which texts; all by default"
    )
    parser.add_argument(
        "--show", action="store_true", help="print what is wrong, and the masked texts"
    )
    options = parser.parse_args()
    policy = {
        "name": "invented",
        "extends": "balanced",
        "operator": {"kind": "surrogate", "seed": 1},
    }
    rows = []
    for half in options.half or HALVES:
        total: Counter[str] = Counter()
        for text in read_texts(HALVES[half]):
            judge = Judge(text, Sanitizer(Policy.parse(policy)).sanitize(text.text))
            judge.judge()
            total += judge.wrong
            if options.show:
                print(judge.result.text, *judge.notes, sep="\n")
        rows.append(
            [half, total["people"], total["origins judged"], *(total[key] for key in COUNTED)]
        )
        print(dict(zip(("half", "people", "with origin", *COUNTED), rows[-1], strict=True)))
    columns = ["half", "people", "with an origin", *COUNTED]
    found = figures.build_figure(
        "Surrogates of texts written by hand", "python benchmarks/surrogate_texts.py", columns, rows
    )
    figures.save_figure(options.json, found)


if __name__ == "__main__":
    main()

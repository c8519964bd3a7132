"""Facts of a life in posts, beside those of `disclosed`: marriage, the decade of one's age, schooling, trades, origins.

"was widowed", "my ex-wife", "in my late fifties", "fellow electrician here", "Greek grandparents". A policy decides by
the kind of text whether they are masked (`disclosed`).
"""

from __future__ import annotations

from functools import cache

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import MONTH_NUMBER, PREPOSITIONS
from maskwise.text.fragments import GAP
from maskwise.text.numbers import WORDS
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import DISCLOSED

_DEM = EntityType.DEM
_STATUS = (
    r"(?:(?:newly|recently|happily|freshly|once|twice)[ -])?(?:married|unmarried|divorced|separated|widowed|remarried)"
    rf"(?!{GAP}(?:in|from|the|by|out)\b)|widow(?:er)?|divorc[ée]e|bachelor(?=\s*[,.;!?)]|{GAP}(?:and|with)\b)"
    r"|(?:newly|recently|still)[ -]single|single[ ](?:dad|mom|mum|mother|father|parent)|single(?=\s*[,.;!?)]|\Z)"
    r"|only[ ]child"
)
_SPOUSE = r"(?:(?:late|future|soon-to-be)[ ])?(?:ex-?)?(?:wife|husband|hubby|fianc[ée]e?|spouse|girlfriend|boyfriend)"
_DECADE = (
    r"(?:twenties|thirties|fou?rties|fifties|sixties|seventies|eighties|nineties|[2-9]0['’]?s)"
)
_HUMAN = (
    r"(?:[Ii]|[Hh]e|[Ss]he|[Ww]ho|husband|wife|dad|mom|mum|mother|father|brother|sister|son|daughter|friend|partner"
    r"|boyfriend|girlfriend|bf|gf|uncle|aunt|grandfather|grandmother|grandpa|grandma|fianc[ée]e?|cousin|neighbou?r)"
)
_HEAD = (
    r"[a-z]*(?:er|or|ist|ian|ant|ent|eer|man|woman|nurse|chef|clerk|vet|cook|guard|coach|pilot|attorney|barista|aide"
    r"|analyst|judge|secretary|apprentice|nanny|maid|model|chemist|midwife|medic|paramedic|paralegal|architect|dev"
    r"|intern|assistant|officer|surgeon|waitress|actress|technician|rep|agent|trainee|rn|cna|emt)s?"
)
_WORK = (
    r"(?!(?:the|a|an|my|your|bit|lot|huge|big|fan|few|little|good|great|bad|member|matter|never|other|another|better"
    rf"|bigger|computer|letter|number|winner|parent|moment|different|recent)\b)(?:[A-Za-z]{{2,14}}[ -]){{0,2}}?{_HEAD}"
)
_DEGREE = (
    r"(?:M\.?Eng|B\.?Eng|M\.?Phil|B\.?Com|LL\.?[BM]|M\.?D|M\.?Ed|B\.?Ed|M\.?P\.?H|B\.?F\.?A|M\.?F\.?A|GED|J\.?D|A-levels"
    r"|PGCE|NVQ)(?:[ ]in[ ][A-Za-z]+)?"
)
_STUDIES = (
    r"(?:architecture|law|medical|med|nursing|business|art|dental|vet|veterinary|film|culinary|graduate|grad|pharmacy"
    r"|engineering|journalism|drama|music|beauty|trade|night)[ ]school"
)
_SUBJECT = (
    r"(?:[a-z]+[ ])?(?:engineering|sciences?|[a-z]+ology|economics|linguistics|physics|chemistry|mathematics|maths?|law"
    r"|medicine|nursing|history|philosophy|literature|accounting|finance|business|marketing|architecture|education"
    r"|politics|journalism|theology|pharmacy|dentistry|geography|statistics|philology|anthropology|fine[ ]arts?|design"
    r"|social[ ]work|English|French|German|Spanish|Italian|Chinese|Japanese)"
)
_FOLK = (
    r"(?:woman|women|man|men|guy|girl|boy|kids?|family|household|parents|grandparents|grandmother|grandfather|grandma"
    r"|grandpa|mother|father|mom|mum|dad|immigrants?|expats?|students?|wife|husband|couple|descent|origin|heritage"
    r"|background|upbringing|ancestry|refugees?|roots|neighbou?rhood)"
)
_PEOPLE = r"[A-Z][a-z]{3,14}(?:[- ][A-Z][a-z]{3,14})?"


@cache
def _list_peoples() -> frozenset[str]:
    """Nationalities, religions and ethnic groups, in small letters."""
    lists = ("demonyms", "religions", "ethnic_groups")
    return frozenset(word.lower() for name in lists for word in read_words(name))


def _is_people(surface: str) -> bool:
    return all(part in _list_peoples() for part in surface.lower().replace(" ", "-").split("-"))


def _is_trade(surface: str) -> bool:
    """Whether the words may name a trade: not "as a matter of fact", not "admitted on september"."""
    words = surface.lower().replace("-", " ").split()
    return (
        not is_plain(words[-1]) and words[-1] not in MONTH_NUMBER and PREPOSITIONS.isdisjoint(words)
    )


def _write_rule(part: str, regex: str, triggers: tuple[str, ...], needs: str = "") -> Rule:
    check = {"work": _is_trade, "origin": _is_people}.get(part)
    name = f"{DISCLOSED}_{part}"
    return Rule(
        name, _DEM, regex, triggers=triggers, needs=needs, reach=72, score=0.85, check=check
    )


_STATES = (
    "married",
    "divorced",
    "separated",
    "widow",
    "single",
    "only child",
    "divorc",
    "bachelor",
)
FAMILY = Family(
    name="disclosed_life",
    rules=(
        _write_rule(
            "status",
            rf"(?i:(?:\b(?:is|was|am|were|became|being|been|got|getting|as|i['’]?m|s?he['’]s|parents{GAP}are|when)"
            rf"{GAP}(?:(?:an?|now|still|both|also|the){GAP}){{0,2}}))(?P<m>(?i:{_STATUS}))(?!\w)",
            _STATES,
        ),
        # "Widowed last spring", "no kids, divorced, working"
        _write_rule(
            "status",
            rf"(?:\A|[.!?,;(\n]\s{{0,2}})(?P<m>(?i:(?:newly|recently|happily)[ -])?(?i:married|divorced|widowed"
            rf"|separated|unmarried|remarried))(?=\s*[,.;)]|{GAP}(?:last|since|for|at|and|after|twice|once|[0-9])\b|\Z)",
            _STATES,
        ),
        _write_rule(
            "status",
            rf"(?<!\w)(?i:my){GAP}(?P<m>(?i:{_SPOUSE}))(?!\w|[,]?{GAP}[A-Z])",
            ("wife", "husband", "hubby", "fianc", "spouse", "friend"),
        ),
        _write_rule(
            "age",
            rf"(?<!\w)(?i:(?:in|into|we['’]re|im|i['’]m){GAP}(?:(?:both|in|now){GAP}){{0,2}}(?:my|our|his|her){GAP})"
            rf"(?P<m>(?i:(?:(?:early|mid|late)[- ])?{_DECADE}))(?!\w)",
            ("ties", "0s", "0's", "0’s"),
        ),
        _write_rule(
            "age",
            rf"(?<!\w)(?P<m>(?i:(?:early|mid|late)[- ]{_DECADE}))(?=[,.;!?)\s])(?!{GAP}(?:music|movie|film|song|rock))",
            ("ties", "0s", "0's", "0’s"),
        ),
        _write_rule(
            "age",
            rf"(?<!\w)(?i:turn(?:ing|ed|s)?|when{GAP}(?:i|he|she){GAP}was|by{GAP}the{GAP}age{GAP}of"
            rf"|single{GAP}at|divorced{GAP}at|widowed{GAP}at|graduated{GAP}at){GAP}(?P<m>1[2-9]|[2-9][0-9]|{WORDS})"
            rf"(?![\w%:/-]|[.,][0-9]|{GAP}(?:times|miles|minutes|hours|percent|pages|of|to)\b)",
            ("turn", "when i was", "when he was", "when she was", "age of", " at "),
        ),
        _write_rule(
            "education",
            rf"(?<![\w/.-])(?P<m>{_DEGREE})(?![\w/-])",
            (
                *(
                    "eng",
                    "phil",
                    "bcom",
                    "b.com",
                    "llb",
                    "llm",
                    "m.d",
                    "med ",
                    "bed ",
                    "mph",
                    "fa",
                    "ged",
                ),
                *("j.d", "levels", "pgce", "nvq"),
            ),
        ),
        _write_rule(
            "education",
            rf"(?<!\w)(?P<m>(?i:{_STUDIES})|(?i:freshman|sophomore|junior|senior){GAP}year)(?!\w)",
            (" school", " year"),
            needs=r"(?i:school|(?:freshman|sophomore|junior|senior)\s)",
        ),
        # "studying mechanical engineering", "an online accounting degree"
        _write_rule(
            "education",
            rf"(?<!\w)(?i:study(?:ing)?|studied|studies|major(?:ing|ed|s)?(?:{GAP}in)?|degree{GAP}in|diploma{GAP}in)"
            rf"{GAP}(?P<m>{_SUBJECT})(?!\w)",
            ("stud", "major", "degree in", "diploma in"),
        ),
        _write_rule(
            "education",
            rf"(?<!\w)(?i:an?|my|his|her){GAP}(?P<m>(?:online{GAP})?[a-z]{{3,14}}{GAP}(?:diploma|degree|certificate|thesis"
            rf"|apprenticeship))(?!\w|{GAP}of{GAP}(?:the|freedom|certainty))",
            ("diploma", "degree", "certificate", "thesis", "apprenticeship"),
        ),
        _write_rule(
            "age",
            rf"(?<!\w)[Bb]oth{GAP}(?P<m>1[2-9]|[2-9][0-9])(?=[\s]*[),.;!?])",
            ("both ",),
        ),
        _write_rule(
            "work",
            rf"(?<!\w)(?:(?i:used{GAP}to{GAP}be|{_HUMAN}(?:['’]s|{GAP}(?:is|was|works{GAP}as|worked{GAP}as))"
            rf"(?:{GAP}(?:now|once|just|also))?|i['’]?m{GAP}just|promoted{GAP}to|trained{GAP}as|became){GAP}(?:an?{GAP})?"
            rf"(?:(?:tired|retired|former|broke|junior|senior|lead|simple|licensed|certified){GAP})?)(?P<m>{_WORK})(?!\w)",
            (
                "used to be",
                "was a",
                "is a",
                "'s a",
                "’s a",
                "as a",
                "just a",
                "promoted to",
                "became ",
            ),
        ),
        _write_rule(
            "work",
            rf"(?<!\w)(?:(?i:fellow|retired|former|a{GAP}tired|ex){GAP})(?P<m>{_WORK})"
            rf"(?=\s*[,.!?;)]|{GAP}(?:here|from|in|and|with|of)\b|\Z)",
            ("fellow ", "retired ", "former ", "tired ", "ex "),
        ),
        # "Nationality: Italian" in a form
        _write_rule(
            "field",
            r"(?:\A|\n|[|;\t]|[ ]{2,}|[.,][ ])[ \t*\"]*(?i:nationality|citizenship|religion|ethnicity|race|occupation"
            r"|profession|job[ ]title|marital[ ]status|civil[ ]status|education"
            r"|native[ ]language|height|weight|eyes|eye[ ]colou?r|hair|hair[ ]colou?r"
            r"|mother[ ]tongue)[\"*]?[ \t]*"
            r"[:|.][ \t.:\"|*]*\n?[ \t]*(?P<m>(?!(?i:none|n/a|unknown|not)\b)[A-Za-z0-9][\w'’-]*(?:[ ][\w'’-]+){0,3})"
            r"(?=[ \t]*(?:[\n|;,\")(]|\.(?:\s|\Z)|[ ]{2}|\Z))",
            (
                *(
                    "nationality",
                    "citizenship",
                    "religion",
                    "ethnicity",
                    "race",
                    "occupation",
                    "profession",
                ),
                *("job title", "al status", "il status", "education", "language", "tongue"),
                *("height", "weight", "eye", "hair"),
            ),
        ),
        _write_rule(
            "origin",
            rf"(?<![\w-])(?P<m>{_PEOPLE}){GAP}(?:\w{{3,10}}{GAP})?{_FOLK}(?!\w)",
            tuple(
                f" {word}"
                for word in (
                    "woman women man men guy girl boy kid famil household parents grand mother father mom mum dad"
                    " immigrant expat student wife husband couple descent origin heritage background upbringing"
                    " ancestry refugee roots neighbo"
                ).split()
            ),
        ),
        _write_rule(
            "origin",
            rf"(?<!\w)(?i:i['’]?m|i{GAP}am|we['’]re|we{GAP}are|he{GAP}is|she{GAP}is|s?he['’]s|who{GAP}is|raised"
            rf"|born|grew{GAP}up|both|half|devout|lapsed|practi[sc]ing|as{GAP}an?){GAP}"
            rf"(?:(?:an?|half|very|also|originally){GAP}){{0,2}}(?P<m>{_PEOPLE})(?!\w|{GAP}[A-Z])",
            (
                *(
                    "i'm",
                    "i’m",
                    "im ",
                    "i am",
                    "e're",
                    "we’re",
                    "we are",
                    "he is",
                    "she is",
                    "he's",
                    "he’s",
                ),
                *(
                    "who is",
                    "raised",
                    "born",
                    "grew up",
                    "both",
                    "half",
                    "devout",
                    "lapsed",
                    "practi",
                    "as a",
                ),
            ),
        ),
    ),
    positive=(
        ("she was widowed young", ("widowed",)),
        ("no kids, divorced, working remote", ("divorced",)),
        ("my ex-wife kept it", ("ex-wife",)),
        ("We're both in our late fifties.", ("late fifties",)),
        ("when i was 19 i enlisted", ("19",)),
        ("got my MEng there", ("MEng",)),
        ("years of architecture school", ("architecture school",)),
        ("I used to be a paralegal", ("paralegal",)),
        ("My dad was a miner", ("miner",)),
        ("majoring in sociology at night", ("sociology",)),
        ("for an accounting diploma", ("accounting diploma",)),
        ("we (both 27) left", ("27",)),
        ("Fellow kindergarten teacher here", ("kindergarten teacher",)),
        ("raised by Greek grandparents", ("Greek",)),
        ("who is Peruvian and tall", ("Peruvian",)),
        ("Nationality:\n  Italian", ("Italian",)),
        ("Occupation: Dental nurse\n", ("Dental nurse",)),
    ),
    negative=(
        "she was admitted on september 1967",
        "the married couple",
        "every single day",
        "it was a disaster",
        "turning 5 of them",
        "when i was 20 minutes late",
        "the Monday man",
        "both 27-inch tyres",
        "High school is near",
        "my wifeless uncle",
        "late 80s music",
        "EDUCATION\nMSc",
        "Religion: none",
    ),
)

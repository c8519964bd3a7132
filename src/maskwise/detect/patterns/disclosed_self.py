"""More of what posts tell of their writers: "came out as gay", "our daughters are 8 and 5".

Love, faith, children and field of work. A policy decides by the kind of text whether they are masked.
"""

from __future__ import annotations

from functools import cache

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import MONTH_NUMBER
from maskwise.text.fragments import GAP
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import DISCLOSED

_ORIENTATION = (
    r"(?:gay|lesbian|bisexual|transgender|trans(?:{GAP}(?:woman|man|guy|girl))?|queer|asexual|pansexual|non-?binary"
    r"|intersex|heterosexual|homosexual)"
).replace("{GAP}", GAP)
_STATE = (
    r"(?:unemployed|self-employed|retired|semi-retired|jobless|furloughed|homeless|undocumented)"
)
_SERVICE = (
    r"(?:(?:army|navy|marines?|marine{GAP}corps|air{GAP}force|military|combat|war|vietnam|iraq|gulf{GAP}war|falklands"
    r"|coast{GAP}guard|disabled|retired){GAP}(?:veteran|vet|brat|medic|wife|spouse)|veteran)"
).replace("{GAP}", GAP)
_PEOPLE = r"[A-Z][a-z]{3,14}(?:[- ][A-Z][a-z]{3,14})?"
_UNBELIEF = r"(?:atheist|agnostic|vegan|vegetarian)"
_ATTRIBUTE = (
    r"(?:[1-9][0-9]\b|(?:never{GAP})?married|unmarried|single|divorced|widowed|separated|engaged|no{GAP}kids"
    r"|father{GAP}of"
    r"|mother{GAP}of|mum{GAP}of|mom{GAP}of|dad{GAP}of|born|raised|living|two{GAP}kids|three{GAP}kids|one{GAP}kid)"
).replace("{GAP}", GAP)
# How the words for attributes begin, for triggers.
_BESIDE = (
    *"123456789",
    *"married unmarried single divorced widowed separated engaged kids".split(),
    *"never father mother mum mom dad born raised living two three one no".split(),
)
_CHILDREN = (
    r"(?:daughters?|sons?|kids?|child(?:ren)?|twins|boys|girls|stepsons?|stepdaughters?|nephews?|nieces?|brothers?"
    r"|sisters?)"
)
_LITTLE = (
    r"(?:toddler|newborn|infant|baby(?:[ ](?:girl|boy))?|teenager|teen|preschooler|kid|child|son|daughter|stepson"
    r"|stepdaughter)"
)
_COUNT = r"(?:one|two|three|four|five|six|seven|[2-9])"
_NO_TIME = rf"(?![\w%:/-]|[.,][0-9]|{GAP}(?:times|miles|minutes|hours|days|weeks|months|percent|pages|of|to|am|pm)\b)"
_HEAD = (
    r"(?:teachers|nurses|doctors|lawyers|engineers|programmers|developers|accountants|musicians|artists|students"
    r"|scientists|academics|professors|librarians|pharmacists|electricians|plumbers|farmers|bakers|chefs|cooks"
    r"|waiters|drivers|carpenters|welders|mechanics|translators|journalists|editors|designers|architects|dentists"
    r"|paramedics|firefighters|soldiers|veterans|freelancers|pensioners|retirees|vets|physicists|chemists|biologists"
    r"|therapists|psychologists|social{GAP}workers|civil{GAP}servants|police{GAP}officers|shift{GAP}workers)"
).replace("{GAP}", GAP)
_FIELD = (
    r"(?:(?:hospice|home|health|intensive|palliative){GAP}care|finance|IT|tech|construction|retail"
    r"|health{GAP}?care|hospitality|logistics|marketing|insurance"
    r"|law{GAP}enforcement"
    r"|social{GAP}(?:care|work)|child{GAP}?care|agriculture|oil{GAP}and{GAP}gas|HR|human{GAP}resources|accounting"
    r"|banking"
    r"|manufacturing|education|academia|publishing|advertising|real{GAP}estate|cyber{GAP}?security"
    r"|customer{GAP}service"
    r"|sales|elder{GAP}care|aged{GAP}care|landscaping|forestry|mining|shipping|aviation|biotech|pharma|catering"
    r"|the{GAP}(?:civil{GAP}service|military|army|navy|oil{GAP}industry|film{GAP}industry|music{GAP}industry)"
    r"|an?{GAP}(?:call{GAP}cent(?:re|er)|warehouse|factory|bakery|hospital|care{GAP}home|nursing{GAP}home"
    r"|law{GAP}firm"
    r"|supermarket|restaurant|kitchen|salon|library|school|bank|lab|nursery|kindergarten|bookshop|prison|garage))"
).replace("{GAP}", GAP)
_TRADE = (
    r"(?:[a-z]+{GAP}){0,2}[a-z]*(?:er|or|ist|ian|ant|eer|man|woman|nurse|chef|clerk|cook|guard|pilot|attorney|barista"
    r"|analyst|secretary|nanny|midwife|paramedic|paralegal|architect|intern|assistant|officer|surgeon|waitress"
    r"|technician)"
).replace("{GAP}", GAP)
_DEM = EntityType.DEM


@cache
def _list_faiths() -> frozenset[str]:
    lists = ("demonyms", "religions", "ethnic_groups")
    return frozenset(word.lower() for name in lists for word in read_words(name))


def _is_people(surface: str) -> bool:
    parts = surface.lower().replace(" ", "-").split("-")
    return all(part in _list_faiths() for part in parts)


def _is_trade(surface: str) -> bool:
    last = surface.split()[-1].lower()
    return not is_plain(last) and last not in MONTH_NUMBER


def _write_rule(part: str, regex: str, triggers: tuple[str, ...], needs: str = "") -> Rule:
    check = {"origin": _is_people, "work": _is_trade}.get(part)
    name = f"{DISCLOSED}_{part}"
    return Rule(
        name, _DEM, regex, triggers=triggers, needs=needs, reach=72, score=0.85, check=check
    )


FAMILY = Family(
    name="disclosed_self",
    rules=(
        _write_rule(
            "orientation",
            rf"(?<!\w)(?i:i['’]?m|i{GAP}am|he['’]?s|she['’]?s|(?:he|she|who){GAP}is|out{GAP}as|identify{GAP}as"
            rf"|as{GAP}a"
            rf"|being|we['’]re|we{GAP}are|are{GAP}an?|my){GAP}(?:(?i:an?|both|also|openly){GAP}){{0,2}}"
            rf"(?P<m>(?i:{_ORIENTATION}))(?!\w)",
            ("gay", "lesbian", "sexual", "trans", "queer", "binary", "intersex"),
        ),
        _write_rule(
            "status",
            rf"(?:\A|[.!?,;(\n]\s{{0,2}}|(?<!\w)(?i:i['’]?m|i{GAP}am|he['’]?s|she['’]?s|is|was|been|currently"
            rf"|still|now){GAP})"
            rf"(?P<m>(?i:{_STATE}))(?=\s*[,.;!?)]|{GAP}(?:and|since|for|now|at|{_TRADE})\b|\Z)",
            ("employed", "retired", "jobless", "furloughed", "homeless", "undocumented"),
        ),
        _write_rule(
            "status",
            rf"(?:\A|[.!?,;(\n]\s{{0,2}}|(?<!\w)(?i:i['’]?m|i{GAP}am|he['’]?s|she['’]?s|is|was|as|fellow"
            rf"|my{GAP}\w+){GAP}"
            rf"(?:(?i:an?){GAP})?)(?P<m>(?i:{_SERVICE}))(?=\s*[,.;!?)]|{GAP}(?:here|and|from|with|who)\b|\Z)",
            ("veteran", " vet", " brat", " medic", "military", "army", "navy"),
        ),
        # "Baptist, married", "29, Filipina,": between other attributes
        _write_rule(
            "origin",
            rf"(?:\A|[.!?,;(\n]\s{{0,2}})(?P<m>{_PEOPLE})(?=,{GAP}(?i:{_ATTRIBUTE}))",
            tuple(f", {word}" for word in _BESIDE),
        ),
        _write_rule(
            "origin",
            rf"(?<!\w)(?i:{_ATTRIBUTE}),{GAP}(?P<m>{_PEOPLE})(?=\s*[,.;!?)])",
            (*(f"{word}," for word in _BESIDE[9:]), *(f"{digit}," for digit in range(10))),
            needs=rf",{GAP}[A-Z]",
        ),
        _write_rule(
            "origin",
            rf"(?<!\w)(?i:parents|mum|mom|mother|dad|father|family|wife|husband|girlfriend|boyfriend|partner"
            rf"|grandparents"
            rf"|in-laws|roommate|flatmate|neighbou?r|friend)(?:['’]s|{GAP}(?i:is|are|was|were)){GAP}"
            rf"(?:(?i:an?|both|half|originally|very){GAP}){{0,2}}(?P<m>{_PEOPLE})(?!\w|{GAP}[A-Z])",
            ("is ", "are ", "was ", "were ", "'s ", "’s "),
        ),
        _write_rule(
            "belief",
            rf"(?<!\w)(?i:i['’]?m|i{GAP}am|he['’]?s|she['’]?s|being|as|an?|my|now|both){GAP}(?:(?i:an?|now"
            rf"|both){GAP})?"
            rf"(?P<m>(?i:{_UNBELIEF}))(?=\s*[,.;!?)]|{GAP}(?i:and|but|now|since|parents|family|grandparents"
            rf"|household)\b|\Z)",
            ("atheist", "agnostic", "vegan", "vegetarian"),
        ),
        _write_rule(
            "family",
            rf"(?:[,.;(]\s?|(?<!\w)(?i:my|our|his|her){GAP})(?P<m>(?i:{_COUNT}{GAP}(?:(?:small|young|grown|teenage"
            rf"|little)"
            rf"{GAP})?(?:kids?|toddlers|children|daughters|sons|boys|girls|stepkids|grandkids"
            rf"|grandchildren)))(?=\s*[,.;!?)]"
            rf"|{GAP}(?i:and)\b|\Z)",
            ("kid", "toddlers", "children", "daughters", "sons", "boys", "girls"),
        ),
        _write_rule(
            "family",
            rf"(?<!\w)(?i:raising|raise|have|having|with|got){GAP}(?P<m>(?i:(?:an?|one)(?:{GAP}only)?{GAP}{_LITTLE}))"
            rf"(?=\s*[,.;!?)]|{GAP}(?i:and|at|is|in|on|while|who|here|alone|now)\b|\Z)",
            (
                "toddler",
                "newborn",
                "infant",
                "baby",
                "teen",
                "preschooler",
                "kid",
                "child",
                "son",
                "daughter",
            ),
        ),
        # "our daughters are 8 and 5", "my son (12)"
        _write_rule(
            "age",
            rf"(?<!\w)(?i:{_CHILDREN})(?:,?{GAP}(?i:is|are|was|were|aged?|just{GAP}turned|turns|turned){GAP}"
            rf"|{GAP}\(|,{GAP})"
            rf"(?P<m>[0-9]{{1,2}}){_NO_TIME}(?=\s*[,.;!?)]|{GAP}(?i:and|years?|now|who|but)\b|\Z)",
            (
                "daughter",
                "son",
                "kid",
                "child",
                "twins",
                "boy",
                "girl",
                "nephew",
                "niece",
                "brother",
                "sister",
            ),
        ),
        _write_rule(
            "age",
            rf"(?<!\w)(?i:{_CHILDREN}){GAP}(?:(?i:are|aged|were){GAP}"
            rf"|\()[0-9]{{1,2}}(?:,{GAP}[0-9]{{1,2}})?,?{GAP}(?i:and|&){GAP}"
            rf"(?P<m>[0-9]{{1,2}}){_NO_TIME}",
            (
                "daughters",
                "sons",
                "kids",
                "children",
                "boys",
                "girls",
                "nephews",
                "nieces",
                "brothers",
                "sisters",
            ),
        ),
        # "48, bus driver in"
        _write_rule(
            "work",
            rf"(?<![\w.,/-])[1-7][0-9],{GAP}(?:(?i:an?){GAP})?(?P<m>{_TRADE})(?=\s*[,.;!?)]|{GAP}(?i:in|from|at|by"
            rf"|and)\b|\Z)",
            tuple(f"{digit}, " for digit in range(10)),
        ),
        _write_rule(
            "work",
            rf"(?<!\w)(?P<m>{_TRADE})(?={GAP}by{GAP}(?:day|night|trade|profession)\b)",
            (" by day", " by night", " by trade", " by profession"),
        ),
        # "Divorced dad of two", "got married at 19, divorced by 24"
        _write_rule(
            "status",
            rf"(?:\A|[.!?(\n]\s{{0,2}}|,{GAP})(?P<m>(?i:divorced|married|widowed|single|separated|unmarried))"
            rf"(?={GAP}(?i:father|mother|mum|mom|dad|man|woman|guy|parent|by{GAP}[1-9]))",
            ("divorced", "married", "widowed", "single", "separated"),
        ),
        _write_rule(
            "status",
            rf"[,(]{GAP}?(?P<m>(?i:no{GAP}(?:kids|children)|child-?free|childless))(?=\s*[,.;!?)]|\Z)",
            ("no kids", "no children", "childfree", "child-free", "childless"),
        ),
        _write_rule(
            "age",
            rf"(?<!\w)(?i:divorced|married|widowed|single|retired|pregnant|broke){GAP}(?i:by"
            rf"|before){GAP}(?P<m>[1-8][0-9])(?![\w%])",
            ("by ", "before "),
        ),
        _write_rule(
            "orientation",
            rf"(?:\A|[.!?(\n]\s{{0,2}}|,{GAP})(?P<m>(?i:{_ORIENTATION}))(?=,{GAP}(?i:{_ATTRIBUTE}))",
            ("gay", "lesbian", "sexual", "trans", "queer", "binary", "intersex"),
        ),
        # "I left home at 18"
        _write_rule(
            "age",
            rf"(?<!\w)(?i:left|moved|married|divorced?|started|quit|widowed|retired|enlisted|orphaned|diagnosed"
            rf"|graduated"
            rf"|pregnant|gay|trans|out)(?:{GAP}(?i:home|school|college|out|abroad|here|again))?{GAP}at{GAP}"
            rf"(?P<m>[1-9][0-9]?)(?=\s*[,.;!?)]|{GAP}(?i:and|i|with|but|because)\b|\Z)",
            tuple(f" at {digit}" for digit in range(1, 10)),
        ),
        _write_rule(
            "status",
            rf"(?:[,(]\s?|(?<!\w)(?i:i['’]?m|i{GAP}am|she['’]?s|he['’]?s|we['’]re|got){GAP})(?P<m>(?i:engaged))"
            rf"(?=\s*[,.;!?)]|{GAP}(?i:to|and|since)\b|\Z)",
            ("engaged",),
        ),
        _write_rule(
            "work",
            rf"(?:[,(]\s?|(?<!\w)(?i:i['’]?m|i{GAP}am|as|she['’]?s|he['’]?s){GAP}(?:(?i:an?){GAP})?)"
            rf"(?P<m>(?i:(?:grad|phd|undergrad|college|uni|med|law|nursing){GAP}student|undergrad|postdoc))(?!\w)",
            (" student", "undergrad", "postdoc"),
        ),
        # "(M34)"
        _write_rule(
            "age",
            r"(?<=\()(?P<m>[MmFf][ /]?[1-7][0-9])(?=\))",
            ("(m", "(f"),
        ),
        _write_rule(
            "work",
            rf"(?<!\w)(?i:both|two){GAP}(?P<m>(?i:(?:[a-z]+{GAP})?{_HEAD}))(?=\s*[,.;!?)]|{GAP}(?i:and|by|at|in"
            rf"|from|who|so)\b|\Z)",
            ("both ", "two "),
        ),
        # "Graphic designer, 37, back home"
        _write_rule(
            "work",
            rf"(?:\A|[.!?(]\s{{1,2}}|\n)(?:(?i:unemployed|retired|former|ex|freelance|trainee){GAP})?"
            rf"(?P<m>(?i:{_TRADE}))(?=,{GAP}[1-7][0-9](?:,|\.|{GAP}and\b))",
            (", 1", ", 2", ", 3", ", 4", ", 5", ", 6", ", 7"),
        ),
        _write_rule(
            "field",
            rf"(?<!\w)(?i:i|he|she|wife|husband|mum|mom|dad|sister|brother|partner){GAP}(?:(?i:now|also){GAP})?"
            rf"(?i:teach(?:es)?|taught){GAP}(?P<m>(?i:maths?|english|history|physics|chemistry|biology|music|art"
            rf"|science|geography|yoga"
            rf"|piano|french|spanish|german|kindergarten|preschool|(?:high|middle|primary|elementary){GAP}school"
            rf"(?:{GAP}[a-z]+)?))(?=\s*[,.;!?)]|{GAP}(?i:at|in|to|and|for)\b|\Z)",
            ("teach", "taught"),
            needs=rf"[tT](?i:each|eaches|aught){GAP}",
        ),
        _write_rule(
            "field",
            rf"(?<!\w)(?i:i|he|she|we|who|wife|husband|mum|mom|dad|sister|brother|partner|boyfriend"
            rf"|girlfriend)(?:['’]ve|['’]m)?"
            rf"{GAP}(?:(?i:currently|now|used{GAP}to|also|have|has){GAP}){{0,2}}(?i:works?|worked|working){GAP}"
            rf"(?:(?i:part|full)[ -](?i:time){GAP}|(?i:nights|days|shifts){GAP})?(?i:in"
            rf"|at){GAP}(?P<m>{_FIELD})(?!\w)",
            ("work",),
        ),
        _write_rule(
            "education",
            rf"(?<!\w)(?i:study(?:ing)?|studied|studies|major(?:ing|ed|s)?(?:{GAP}in)?|degree{GAP}in"
            rf"|diploma{GAP}in|course{GAP}in)"
            rf"{GAP}(?P<m>(?:[a-z]+{GAP})?[a-z]+(?:graphy|therapy|nomy|tronics|metry|culture|ropractic)"
            rf"|hospitality|forestry|nutrition|physiology|aerospace|cosmetology|midwifery|animation"
            rf"|game{GAP}design)(?!\w)",
            ("stud", "major", "degree in", "diploma in", "course in"),
        ),
        _write_rule(
            "education",
            rf"(?<!\w)(?i:an?|my|for{GAP}my|doing{GAP}my){GAP}(?P<m>(?:BA|MA|B\.A\.|M\.A\.|BS|MS|AA|BEd|MEd|LLB)"
            rf"(?:{GAP}in{GAP}[A-Z]?[a-z]+)?)(?![\w.])",
            (" ba", " ma", " b.a", " m.a", " bs", " ms", " aa", " bed", " med", " llb"),
            needs=r"BA|MA|B\.A|M\.A|BS|MS|AA|BEd|MEd|LLB",
        ),
    ),
    positive=(
        ("I came out as gay at school", ("gay",)),
        ("We are a lesbian couple", ("lesbian",)),
        ("I'm unemployed.", ("unemployed",)),
        ("I left home at 18.", ("18",)),
        ("48, bus driver in town", ("bus driver",)),
        ("Divorced dad here, single by 24", ("Divorced", "single", "24")),
        ("engaged to a baker? I'm engaged to one", ("engaged",)),
        ("Army veteran, two tours", ("Army veteran",)),
        ("Baptist, married, tired", ("Baptist",)),
        ("I'm 29, Samoan, and new here", ("Samoan",)),
        ("My parents are Bangladeshi", ("Bangladeshi",)),
        ("I'm an atheist.", ("atheist",)),
        ("widow, three kids, no dog", ("three kids",)),
        ("working nights and raising a toddler alone", ("a toddler",)),
        ("Our daughters are 8 and 5.", ("8", "5")),
        ("my boyfriend (M34) left", ("M34",)),
        ("we are both teachers, so", ("teachers",)),
        ("Graphic designer, 37, back home", ("Graphic designer",)),
        ("I work in construction now", ("construction",)),
        ("My husband teaches maths at a college", ("maths",)),
        ("I am studying radiography at night", ("radiography",)),
        ("for a BA in English while", ("BA in English",)),
    ),
    negative=(
        "the gay bar on the corner",
        "a retired racehorse",
        "both games",
        "The kids are 10 minutes late",
        "It works in practice",
        "we have a kid's menu",
        "Monday, 12 people came",
        "two drivers crashed",
        "the vegan burger",
        "London, 24 of us",
    ),
)

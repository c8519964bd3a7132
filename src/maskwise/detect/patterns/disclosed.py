"""Facts that writers tell of themselves in posts and letters: age, sex, marriage, family, schooling, trade, income.

Each is known by the words around it: "I'm 34", "(29F)", "as a nurse", "my degree in", "I make 40k". A policy decides by
the kind of text whether they are masked (`disclosed`). Judgments and clinics tell such things of others.
"""

from __future__ import annotations

from maskwise.detect.gazetteer.lists import is_given_name, read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import GAP
from maskwise.text.numbers import WORDS
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import DISCLOSED

_AM = rf"(?:[Ii]['’ ]?[Aa]?[Mm]|[Ii]{GAP}am|[Ww]e(?:['’]|{GAP}a)re|[Ss]he['’]s|[Hh]e['’]s|[Ii]{GAP}was)"
_STILL = rf"(?:{GAP}(?:still|also|now|just|currently|only|both|already|a|an|actually|happily|basically)){{0,2}}"
_YEARS = r"(?:1[2-9]|[2-8][0-9])"
_NO_COUNT = (
    rf"(?!{GAP}?(?:%|percent|minutes?|hours?|days?|weeks?|months?|miles?|km|kg|lbs?"
    rf"|pounds?|feet|inches|of|and{GAP}a)\b)"
    r"(?![\w/:%-]|[.,][0-9])"
)
_STATUS = (
    r"(?:(?:newly|recently|happily|never|not|legally|freshly)[ -])?(?:married"
    r"|unmarried|divorced|separated|widowed|engaged)"
    r"(?!\s+(?:in|with|from|the|by)\b)|single(?:[ -](?:moms?|mums?|dads?|mothers?|fathers?|parents?)"
    r"(?:[ ]of[ ](?:\w+))?)?(?=[\s]*(?:[,.;!?)]|and\b|at\b|again\b|here\b|for\b|\Z))|widow(?:er)?"
    r"|stay[ -]at[ -]home[ ](?:moms?|mums?|dads?|mothers?|fathers?|parents?)"
)
_BORN = r"(?:two|three|four|five|six|seven|eight|nine|ten|[0-9]{1,2})"
_SIBLINGS = r"(?:kids|children|siblings|brothers|sisters)"
_DEGREE = (
    r"(?:bachelor['’]?s?|master['’]?s?|doctorate|ph\.?d\.?|mba|b\.?sc|m\.?sc|b\.?a|m\.?a|a[ -]levels|gcses|diploma"
    r"|(?:[a-z]+[ ])?degree|associate['’]?s)"
    r"(?:[ ](?:degree|thesis|programme|program)\b)?(?:[ ](?:in"
    r"|of)[ ][a-z]+(?:[ ](?!(?:and|at|from|in|while|was|is|i)\b)[a-z]+)?)?"
)
_SCHOOL = (
    r"(?:(?:law|medical|med|grad|graduate|nursing|business|art|dental|vet|high|trade|film|culinary)[ ]school"
    r"(?:[ ]dropouts?)?|college[ ]dropouts?)"
)
_NOUN = (
    r"(?!(?:the|a|an|my|your|bit|lot|huge|big|fan|few|little|good|great|bad|single"
    r"|man|woman|guy|girl|person|member|patient|client|parent|resident|recipient)\b)"
)
_HEAD = (
    r"[a-z]*(?:er|or|ist|ian|ant|ent|eer|man|woman|nurse|chef|clerk|vet|cook|guard|coach|pilot|attorney|barista|aide"
    r"|analyst|judge|secretary|apprentice|nanny|maid|model|chemist|midwife|medic|temp|actuary|diplomat|architect"
    r"|student|intern|assistant|officer|surgeon|waitress|actress|hygienist|technician|rep|agent|trainee)s?"
)
_WORK = rf"(?:(?:part|full)[ -]time[ ])?{_NOUN}(?:[a-z]+[ -]){{0,3}}?{_HEAD}"
_EARN = (
    rf"(?:(?:[Ii]|we|she|he){GAP}(?:(?:only|now|currently|still){GAP})?(?:make"
    rf"|makes|earn|earns|made|earned|clear|clears"
    rf"|take{GAP}home|bring{GAP}in|bring{GAP}home)|(?:salary|income|wages?|pension|pay|earnings|benefits?|disability)"
    rf"(?:{GAP}(?:now|went|is|was|of|are|from|around|about)){{0,2}})"
)
_SUM = (
    r"(?:[$€£]|(?:USD|EUR|GBP)[ ])?[0-9]{1,3}(?:[., ]?[0-9]{3})*(?:\.[0-9]{2})?[kK]?(?!\w)"
    r"(?:[ ](?:euros?|dollars?|pounds?|bucks|quid|grand|francs|a|per|an)(?!\w))*(?:[ ](?:year|month|week|hour)\b)?"
)
_DEM = EntityType.DEM

# Of a country or a faith.
_ADJECTIVE = r"[A-Z][a-z]{3,11}(?:an|ish|ese|ian|ench|utch|eek|wiss|slim|hrist|indu|ikh|ew|olic)"


def _write_rule(
    part: str, regex: str, triggers: tuple[str, ...], kind: EntityType = _DEM, needs: str = ""
) -> Rule:
    check = {"work": _is_trade, "origin": _is_origin}.get(part)
    name = f"{DISCLOSED}_{part}"
    return Rule(
        name, kind, regex, triggers=triggers, needs=needs, reach=72, score=0.85, check=check
    )


def _is_origin(text: str) -> bool:
    """Whether an ending makes an adjective of a country or a faith, and no given name: not "Sebastian"."""
    return not is_given_name(text) or text in read_words("religions")


def _is_trade(text: str) -> bool:
    """Whether the last word may name a trade: not "as a matter of fact"."""
    return not is_plain(text.split()[-1].lower())


_ME = (
    "i'm",
    "i’m",
    "i am",
    "im ",
    "we're",
    "we’re",
    "we are",
    "she's",
    "she’s",
    "he's",
    "he’s",
    "i was",
)
FAMILY = Family(
    name="disclosed",
    rules=(
        _write_rule(
            "age",
            rf"\b{_AM}{_STILL}{GAP}(?:turning{GAP})?(?P<m>{_YEARS}|{WORDS}){_NO_COUNT}"
            rf"(?=\s*(?:[,.;:!?()–—-]|and\b|but\b|so\b|now\b|with\b|years\b|from\b|in\b|living\b|\Z))",
            _ME,
        ),
        # "26, unmarried", "52, born in": a bare number between commas that goes on with another attribute
        _write_rule(
            "age",
            rf"(?:\A|[.!?,;]\s+|\s)(?P<m>{_YEARS})(?=(?:,|{GAP}and){GAP}(?:(?:happily"
            rf"|recently|still|never|newly|a|an|back"
            rf"|living|born|first-year|two|three|one|no){GAP})?(?:unmarried|married|single"
            rf"|divorced|separated|widowed|living"
            rf"|born|kids?|child|mortgage|nursing|students?|on{GAP}the|in{GAP}a|with{GAP}my|bred))",
            (
                "married",
                "single",
                "divorced",
                "separated",
                "widowed",
                "living",
                "born",
                "kids",
                "student",
                "back on",
            ),
        ),
        _write_rule(
            "age",
            rf"(?<![\w$£€.,/-])\(?(?P<m>{_YEARS}[ ]?[MmFf])(?=[\s,.)/])"
            r"(?![ ](?:away|long"
            rf"|deep|high|tall|from|radio)\b)",
            tuple(f"{digit}{sex}" for digit in range(10) for sex in "mf"),
        ),
        _write_rule(
            "status",
            rf"(?i:\b(?:i['’]?m|i{GAP}am|i{GAP}got|i['’]ve{GAP}been|i{GAP}was|we['’]re"
            rf"|we{GAP}are|we{GAP}got|ended{GAP}up|being|as{GAP}an?"
            rf"|still|she['’]s|he['’]s|became|[1-8][0-9],?(?:{GAP}and)?|parents{GAP}are){GAP}"
            rf"(?:(?:a|an|now|still|recently|both|been){GAP}){{0,2}})(?P<m>(?i:{_STATUS}))(?!\w)",
            (
                "married",
                "divorced",
                "separated",
                "widow",
                "engaged",
                "single",
                "stay-at-home",
                "stay at home",
            ),
        ),
        _write_rule(
            "status",
            r"(?<!\w)(?P<m>(?i:(?:never|newly|recently|happily)[ -](?:married|divorced|widowed|separated)"
            r"|stay[ -]at[ -]home[ ](?:mum|mom|dad|mother|father|parent)|single[ ](?:mum|mom|dad|mother|father|parent)"
            r"(?:[ ]of[ ]\w+)?))(?!\w)",
            ("married", "divorced", "widowed", "separated", "at-home", "at home", "single "),
        ),
        _write_rule(
            "family",
            rf"(?<!\w)(?P<m>(?i:(?:youngest|oldest|eldest|middle)[ ](?:child[ ])?of[ ]{_BORN}(?:[ ]{_SIBLINGS})?"
            rf"|one[ ](?:child[ ])?of[ ]{_BORN}(?:[ ]{_SIBLINGS}|(?![ ]?[\w-]))|only[ ]child"
            r"|(?:mother|father|mom|mum|dad|parent)[ ]of[ ](?:two|three|four|five|six|twins|[0-9])))(?!\w)",
            (
                "youngest of",
                "oldest of",
                "eldest of",
                "one of",
                "child",
                "other of",
                "ather of",
                "mom of",
                "mum of",
                "dad of",
            ),
        ),
        _write_rule(
            "family",
            rf"(?i:\b(?:have|raising|with|got){GAP}|[0-9],{GAP})(?P<m>(?i:(?:two|three|four|five|six|seven|[2-9]){GAP}"
            rf"(?:(?:small|young|grown|teenage|little){GAP})?(?:kids|children|daughters|sons|boys|girls)))(?!\w)",
            ("kids", "children", "daughters", "sons", "boys", "girls"),
        ),
        _write_rule(
            "education",
            rf"(?i:\b(?:my|an?|for{GAP}my|doing{GAP}my|second){GAP}|with{GAP}an?{GAP})(?P<m>(?i:{_DEGREE}))(?!\w)",
            (
                "bachelor",
                "master",
                "doctorate",
                "phd",
                "ph.d",
                "mba",
                "bsc",
                "msc",
                "levels",
                "diploma",
                "degree",
            ),
        ),
        _write_rule(
            "education",
            rf"(?i:\b(?:in|finished|from|of|out{GAP}of|to|through|start|started|both|a|an"
            rf"|i['’]m){GAP})(?P<m>(?i:(?:(?:first|second|third"
            rf"|fourth|final|last)[ ]year[ ]of[ ])?{_SCHOOL}))(?!\w)",
            (" school", "dropout"),
        ),
        _write_rule(
            "work",
            rf"(?:(?:\b{_AM}{_STILL}{GAP}|\b(?:[Ww]ork(?:s|ed|ing)?|[Bb]een|[Jj]ob|[Ll]ife|[Nn]ow)"
            rf"(?:{GAP}[a-z]+{GAP}[a-z]+)?{GAP}as{GAP})|\b(?:[Aa]s|[Bb]eing|[Bb]ecame|[Bb]een){GAP})"
            rf"(?:an?{GAP})(?P<m>{_WORK})(?!\w)",
            (
                "i'm a",
                "i’m a",
                "i am a",
                "im a",
                "as a",
                "being a",
                "became a",
                "been a",
                "he's a",
                "he’s a",
                "i was a",
            ),
        ),
        _write_rule(
            "origin",
            rf"(?i:\b(?:i['’]?m|i{GAP}am|is|we['’]re|are|both|being|and"
            rf"|who{GAP}is)){GAP}(?:half{GAP}|originally{GAP}|both{GAP}|an?{GAP})?"
            rf"(?P<m>{_ADJECTIVE})(?![\w’'-]|\s+[A-Z])",
            ("an", "ish", "ese", "ench", "utch", "reek", "wiss", "slim", "indu", "sikh", "olic"),
            needs=_ADJECTIVE,
        ),
        _write_rule(
            "income",
            rf"\b{_EARN}{GAP}(?:(?:about|around|roughly|almost|nearly|just|under|over|only"
            rf"|maybe|like|from|up{GAP}to){GAP}){{0,2}}"
            rf"(?P<m>{_SUM})",
            (
                "make",
                "earn",
                "made",
                "clear",
                "take home",
                "bring",
                "salary",
                "income",
                "wage",
                "pension",
                "pay",
                "disability",
            ),
            EntityType.QUANTITY,
        ),
        _write_rule(
            "income",
            r"(?<![\w.,])(?P<m>(?:[$€£])?[0-9]{1,3}(?:[.,]?[0-9]{3})*[kK]?"
            r"(?:[ ](?:euros?"
            r"|dollars?|pounds?|bucks|quid))?"
            r"[ ](?:a|per|an)[ ](?:year|month|week|hour))(?!\w)",
            (
                "a year",
                "a month",
                "a week",
                "an hour",
                "per year",
                "per month",
                "per week",
                "per hour",
            ),
            EntityType.QUANTITY,
        ),
    ),
    positive=(
        ("I'm 34, divorced and tired", ("34", "divorced")),
        ("my boyfriend (31M) left", ("31M",)),
        ("I am a dental hygienist by day", ("dental hygienist",)),
        ("She moved for my master's in history, sadly", ("master's in history",)),
        ("I make about $95,000 now", ("$95,000",)),
        ("I'm never married", ("never married",)),
        ("I grew up the youngest of six", ("youngest of six",)),
        ("She was one of five, all girls", ("one of five",)),
        ("rent is 900 euros a month", ("900 euros a month",)),
        ("so I dropped out of law school", ("law school",)),
        ("I have two kids", ("two kids",)),
        ("I'm Peruvian.", ("Peruvian",)),
    ),
    negative=(
        "I'm 20 minutes late",
        "the married couple in the film",
        "I'm a big fan of pasta",
        "every single day",
        "one of two women who held that licence",
        "the school is closed",
        "it is 30 m away",
        "as a matter of fact",
        "being a bit late",
    ),
)

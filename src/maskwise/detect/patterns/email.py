"""E-mail addresses, also written as mailto links, with an IDN domain, or spelt out against harvesters."""

from __future__ import annotations

import re

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import EMAIL

# How the signs of an address are said or hidden.
_AT = "at|ät|arobase|arroba|chiocciola|malpa|małpa|krøllalfa|apestaart|snabel-a"
_DOT = "dot|point|punkt|punto|ponto|kropka|prikk|piste"
_OPEN, _CLOSE = r"[\[({<]", r"[\])}>]"
_ENDING = (
    r"(?i:com|org|net|edu|gov|mil|info|biz|co|uk|ie|fr|de|es|it|nl|pl|pt|se|no|dk|fi|ch|at|be|eu|io|in|au|ca|nz|za|br"
    r"|mx|ar|cl|jp|cn|kr|ru|ua|cz|sk|hu|ro|bg|gr|hr|si|lt|lv|ee|is|us|me|tv|app|dev|ai|online|mail|example|test)(?!\w)"
)
_SIGNS = dict.fromkeys(_AT.split("|"), "@") | dict.fromkeys(_DOT.split("|"), ".")
_WORD = re.compile(r"[^\W_]+(?:-a)?|[^\w\s()\[\]{}<>]")


def _restore_at_sign(surface: str) -> str:
    """The plain lower-case address: "ana [at] example [dot] org" becomes "ana@example.org"."""
    return "".join(_SIGNS.get(word, word) for word in _WORD.findall(surface.lower()))


FAMILY = Family(
    name="email",
    rules=(
        Rule(
            name=EMAIL,
            type=EntityType.CODE,
            regex=r"[\w!#$%&'*+=?^`{|}~-](?:[\w.!#$%&'*+/=?^`{|}~-]{0,63}+)(?<=[^.])"
            r"@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:xn--[\w-]{2,40}|[^\W\d_]{2,24})(?![^\W_])",
            triggers=("@",),
            reach=400,
            certain=True,
            value=str.lower,
        ),
        Rule(
            name="email_quoted",
            type=EntityType.CODE,
            regex=r'"(?<!\w")[^"\s@]{1,62}"@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}',
            triggers=('"@',),
            reach=400,
            certain=True,
        ),
        # "ssh ana@192.0.2.7", "sip:ana@192.0.2.7:5060"
        Rule(
            name=EMAIL,
            type=EntityType.CODE,
            regex=r"[\w+-][\w.+-]{0,63}+@\[?[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:\]|(?![\w.]))",
            triggers=("@",),
            certain=True,
        ),
        # "ana @ example . org", "a n a @ example.org"
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=r"(?<![\w.])(?:(?:[^\W_][ ]){4,40}|[\w+-][\w.+-]{0,63}+[ ]{0,2})@[ ]{0,2}[\w-]{2,63}"
            rf"(?:(?:\.|[ ]\.[ ]?)[\w-]{{2,40}}){{0,4}}(?:\.|[ ]\.[ ]?){_ENDING}",
            triggers=("@",),
            reach=140,
            needs=" @|@ | \\.",
            value=_restore_at_sign,
        ),
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=rf"\b[\w.+-]{{1,64}}+[ ]?{_OPEN}[ ]?(?:(?i:{_AT})|@)[ ]?{_CLOSE}[ ]?[\w-]{{1,63}}"
            rf"(?:(?:[ ]?{_OPEN}[ ]?(?:(?i:{_DOT})|\.)[ ]?{_CLOSE}[ ]?|\.|[ ](?i:{_DOT})[ ])[\w-]{{1,63}}){{1,6}}"
            r"(?<=[^\W\d_]{2})",
            triggers=tuple(
                sign + gap + word
                for sign in "[({<"
                for gap in ("", " ")
                for word in ("at", "ät", "@", "ar")
            ),
            reach=200,
            value=_restore_at_sign,
        ),
        # "ana dot souza at example dot org", as people say it
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=r"(?<![\w.])[\w+-][\w.+-]{0,63}+(?:[ ](?i:dot|underscore|dash|hyphen)[ ][\w+-]{1,40}){0,4}"
            rf"[ ](?i:{_AT})[ ][\w-]{{1,63}}(?:[ ](?i:{_DOT})[ ][\w-]{{1,40}}){{0,3}}[ ](?i:{_DOT})[ ]{_ENDING}",
            triggers=tuple(f" {word} " for word in _DOT.split("|")),
            reach=120,
            value=_restore_at_sign,
        ),
        # "ana-at-example-dot-org"
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=r"(?<![\w.-])[^\W_][\w.+-]{0,63}?([-_])(?i:at)\1[^\W_][\w-]{0,62}?\1(?i:dot)\1"
            + _ENDING,
            triggers=("-at-", "_at_"),
            reach=140,
            needs="[-_](?i:dot)[-_]",
            value=_restore_at_sign,
        ),
        # "my e-mail is ana at example.org"
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=r"(?i:mail|address)[^\n@]{0,24}?[ :](?P<m>(?!(?i:me|us|you|it|is|was|him|her|them|address|out|mail) )"
            rf"[\w+-][\w.+-]{{1,63}}+[ ](?i:at)[ ](?:[\w-]{{1,63}}\.){{1,4}}{_ENDING})",
            triggers=("mail", "address"),
            opens=True,
            needs=" (?i:at) ",
            value=_restore_at_sign,
        ),
    ),
    positive=(
        ("Write to ana.souza+court@example.org.", ("ana.souza+court@example.org",)),
        ("mailto:j_smith@mail.example.co.uk?subject=x", ("j_smith@mail.example.co.uk",)),
        (
            "<li.wei@example.com>, <o'neill@example.ie>",
            ("li.wei@example.com", "o'neill@example.ie"),
        ),
        ("Kontakt: jürgen@müller-bücher.example", ("jürgen@müller-bücher.example",)),
        ("IDN: ivo@xn--bcher-kva.example", ("ivo@xn--bcher-kva.example",)),
        ("почта иван@пример.рф сегодня", ("иван@пример.рф",)),
        ("Reach NOUR@EXAMPLE.NET, or call.", ("NOUR@EXAMPLE.NET",)),
        ("(a@b.cd)", ("a@b.cd",)),
        ('The odd "ana souza"@example.org and "ana.s"@example.org', ('"ana.s"@example.org',)),
        (
            "ana [at] example [dot] org or bo(at)example.org",
            ("ana [at] example [dot] org", "bo(at)example.org"),
        ),
        ("it's ana dot souza at example dot org, yes", ("ana dot souza at example dot org",)),
        ("mail ana @ example . org, bo@ example.org", ("ana @ example . org", "bo@ example.org")),
        ("mail a n a s @ example.org", ("a n a s @ example.org",)),
        (
            "ana.s AT mail DOT example, bo [@] mail(.)example",
            ("ana.s AT mail DOT example", "bo [@] mail(.)example"),
        ),
        ("ana-at-mail-dot-org or bo_at_mail_dot_no", ("ana-at-mail-dot-org", "bo_at_mail_dot_no")),
        (
            "ana (ät) mail punkt de; ana arobase mail point fr",
            ("ana (ät) mail punkt de", "ana arobase mail point fr"),
        ),
        (
            "ana<at>mail.example, ana arroba mail punto es",
            ("ana<at>mail.example", "ana arroba mail punto es"),
        ),
        ("my e-mail address is ana.s at mail.example", ("ana.s at mail.example",)),
        ("ssh ana@192.0.2.7 and sip:bo@192.0.2.8:5060", ("ana@192.0.2.7", "bo@192.0.2.8")),
    ),
    negative=(
        "meet at the dot on the map",
        "look at example one",
        "@home",
        "a @ b",
        "price@5",
        "ana@localhost",
        "user@.org",
        "x@@example.org",
        "look (at) the horse",
        "three pens @ 2.50 each",
        "meet @ work. It was late",
        "mail me at example.org",
        "a state-at-rest-dot-product",
        "at this point in time",
    ),
)

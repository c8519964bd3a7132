"""E-mail addresses, also written as mailto links, with an IDN domain, or spelt out against harvesters."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import EMAIL


def _restore_at_sign(surface: str) -> str:
    """The plain lower-case address: "ana [at] example [dot] org" becomes "ana@example.org"."""
    words = surface.lower().translate(str.maketrans("()[]{}", "      ")).split()
    return "".join({"at": "@", "dot": "."}.get(word, word) for word in words)


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
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=r"\b[\w.+-]{1,64}+[ ]?[\[({][ ]?(?i:at)[ ]?[\])}][ ]?[\w-]{1,63}"
            r"(?:(?:[ ]?[\[({][ ]?(?i:dot)[ ]?[\])}][ ]?|\.)[\w-]{1,63}){1,6}(?<=[^\W\d_]{2})",
            triggers=("[at]", "(at)", "{at}", "[ at ]", "( at )"),
            reach=200,
            value=_restore_at_sign,
        ),
        # "ana dot souza at example dot org", as people say it
        Rule(
            name="email_spelt",
            type=EntityType.CODE,
            regex=r"(?<![\w.])[\w+-]{1,64}+(?:[ ](?i:dot|underscore|dash|hyphen)[ ][\w+-]{1,40}){0,4}"
            r"[ ](?i:at)[ ][\w-]{1,63}(?:[ ](?i:dot|point)[ ][\w-]{1,40}){0,3}[ ](?i:dot|point)[ ]"
            r"(?i:com|org|net|edu|gov|info|co|uk|ie|fr|de|es|it|nl|pl|pt|se|no|dk|fi|ch|at|be|eu|io|in|au|ca|nz|za|example|test)(?![\w])",
            triggers=(" dot ", " point "),
            reach=120,
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
    ),
)

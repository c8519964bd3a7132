"""Names on social platforms. An @handle names its user, so it is a PERSON as in TAB; a hashtag names a topic: MISC."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

FAMILY = Family(
    name="handle",
    rules=(
        Rule(
            name="handle",
            type=EntityType.PERSON,
            regex=r"@(?<![\w.@/+-]@)(?=[\w.-]{0,29}[^\W\d])[^\W](?:[\w.-]{0,28}\w)?(?:@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})?(?![\w@])",
            triggers=("@",),
            opens=True,
            value=str.lower,
        ),
        Rule(
            name="hashtag",
            type=EntityType.MISC,
            regex=r"[#＃](?<![\w&/#＃].)(?=\w{0,99}[^\W\d_])(?![0-9A-F]{6}\b)\w{2,100}+",
            triggers=("#", "＃"),
            opens=True,
            value=str.lower,
        ),
    ),
    positive=(
        ("thanks @ana_souza!", ("@ana_souza",)),
        ("(@liwei99)", ("@liwei99",)),
        ("@Bo.Berg, hello", ("@Bo.Berg",)),
        ("on Mastodon: @ivo@social.example.org", ("@ivo@social.example.org",)),
        ("#FreeTheParrots now", ("#FreeTheParrots",)),
        ("#größe and #наука", ("#größe", "#наука")),
        ("by @ana-maria with #court2024", ("@ana-maria", "#court2024")),
        ("RT @x1: well", ("@x1",)),
    ),
    negative=(
        "ana@example.org",
        "3 @ 5",
        "@",
        "#1 in sales",
        "colour #FF00AA",
        "C# and &#x27;",
        "issue #12",
        "@2024",
    ),
)

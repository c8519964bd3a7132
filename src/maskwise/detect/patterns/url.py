"""Web addresses: with a scheme, beginning with www, or a bare host under a common top-level domain."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

# Ends before closing punctuation, keeps balanced parentheses as in ".../Oslo_(city)".
_TAIL = (
    r"(?:[^\s<>\"'()\[\]{}.,;:!?“”‘’«»…]|[.,;:!?'](?=[^\s<>\"'()\[\]{}.,;:!?“”‘’«»…])|\([^\s<>\"()]{0,80}\)){0,2000}+"
)
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_DOMAINS = "com org net edu gov info biz eu uk ie fr de es it nl be ch at pl pt se no dk fi ru ua io co me tv app dev"

FAMILY = Family(
    name="url",
    rules=(
        Rule(
            name="url",
            type=EntityType.CODE,
            regex=rf"(?i:https?|ftps?|sftp|wss?|ssh|git|ldaps?|file)://(?=[\w\[~/]){_TAIL}",
            triggers=("://",),
            reach=2100,
        ),
        Rule(
            name="url_www",
            type=EntityType.CODE,
            regex=rf"(?i:www)(?<![\w.@/-]...)[0-9]?\.{_LABEL}\.{_TAIL}",
            triggers=("www",),
            opens=True,
        ),
        Rule(
            name="url_bare",
            type=EntityType.CODE,
            regex=rf"[^\W_](?<![\w.@/:-].)(?:[\w-]{{0,61}}[^\W_])?\.(?:{_LABEL}\.){{0,4}}"
            rf"(?:{_DOMAINS.replace(' ', '|')})(?![\w@-]|\.[^\W_])(?::[0-9]{{2,5}})?(?:/{_TAIL})?",
            triggers=tuple(f".{domain}" for domain in ("com", "org", "net", "edu", "gov", "info", "biz"))
            + tuple(f".{domain}/" for domain in _DOMAINS.split())
            + (".co.uk", ".gov.uk", ".org.uk", ".ac.uk"),
            reach=400,
            score=0.8,
        ),
    ),
    positive=(
        ("See https://example.org/people/ana?id=7#top.", ("https://example.org/people/ana?id=7#top",)),
        ("(http://example.com/a_(b))", ("http://example.com/a_(b)",)),
        ("<ftp://files.example.net/x.zip>", ("ftp://files.example.net/x.zip",)),
        ("Visit www.example.co.uk/~ana, please", ("www.example.co.uk/~ana",)),
        ("at WWW.EXAMPLE.ORG!", ("WWW.EXAMPLE.ORG",)),
        ("https://example.org/; https://example.com/", ("https://example.org/", "https://example.com/")),
        ("his blog souza.example.com/posts/3", ("souza.example.com/posts/3",)),
        ("a shop, northwind-books.co.uk, closed", ("northwind-books.co.uk",)),
        ("https://xn--bcher-kva.example:8443/å", ("https://xn--bcher-kva.example:8443/å",)),
        ('href="https://example.org/a.html"', ("https://example.org/a.html",)),
    ),
    negative=(
        "The end.Communication began",
        "ratio 3://",
        "www and more",
        "it was drawn up.company charts followed.orgy",
        "ana@example.org",
        "e.g. something/else",
    ),
)

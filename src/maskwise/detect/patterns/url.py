"""Web addresses: with a scheme, beginning with www, or a bare host under a common top-level domain."""

from __future__ import annotations

import re
from collections.abc import Iterable

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import URL

# Ends before closing punctuation, keeps balanced parentheses as in ".../Oslo_(city)".
_TAIL = (
    r"(?:[^\s<>\"'()\[\]{}.,;:!?“”‘’«»…]|[.,;:!?'](?=[^\s<>\"'()\[\]{}.,;:!?“”‘’«»…])"
    r"|\([^\s<>\"()]{0,80}\)){0,2000}+"
)
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_HOST = r"(?:[^\s<>\"'()\[\]{}/@]{1,200}@)?(?:\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?(?=[/?#]))?"
_DOMAINS = "com org net edu gov info biz eu uk ie fr de es it nl be ch at pl pt se no dk fi ru ua io co me tv app dev"

_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}\Z")
# Other domains count where a path follows: "portal.clinic.health/patient/4711".
_OTHERS = (
    "int mil arpa name pro health clinic care hospital doctor law legal cloud online site tech page link blog shop "
    "store xyz club local lan internal intranet corp home test example invalid localhost au nz ca us mx br ar cl "
    "jp cn kr in "
    "sg hk tw za ke ng eg il tr gr cz sk hu ro bg hr si rs lt lv ee is lu li mt cy by kz ai gg ly to cc ws so sh st fm"
).split()


def _include_scheme(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """The match begins at "://", which is quickly found; the address begins with the scheme before it."""
    head = _SCHEME.search(match.string, max(0, match.start() - 24), match.start())
    return ((head.start(), match.end()),) if head and match.end() - match.start() > 3 else ()


def _is_owned(surface: str) -> bool:
    """Whether a device is called after somebody: "anas-ipad", not "touch-phone"."""
    owner = surface.lower().partition("-")[0]
    return not (is_plain(owner) or owner in read_words("usual_words"))


FAMILY = Family(
    name="url",
    rules=(
        Rule(
            name=URL,
            type=EntityType.CODE,
            regex=rf"://(?=[\w\[~/%$.]){_HOST}{_TAIL}",
            triggers=("://",),
            opens=True,
            expand=_include_scheme,
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
            rf"(?i:{_DOMAINS.replace(' ', '|')})(?![\w@(-]|\.[^\W_])(?::[0-9]{{2,5}})?(?:/{_TAIL})?",
            triggers=tuple(
                f".{domain}" for domain in ("com", "org", "net", "edu", "gov", "info", "biz")
            )
            + tuple(f".{domain}/" for domain in _DOMAINS.split())
            + (".co.uk", ".gov.uk", ".org.uk", ".ac.uk"),
            reach=400,
            score=0.8,
        ),
        Rule(
            name="url_bare",
            type=EntityType.CODE,
            regex=rf"[^\W_](?<![\w.@/:-].)(?:[\w-]{{0,61}}[^\W_])?\.(?:{_LABEL}\.){{0,4}}"
            rf"(?i:{'|'.join(_OTHERS)})(?::[0-9]{{2,5}})?/(?=[\w~?#%]){_TAIL}",
            triggers=tuple(f".{domain}{sign}" for domain in _OTHERS for sign in "/:"),
            reach=400,
            score=0.8,
        ),
        Rule(
            name="url_local",
            type=EntityType.CODE,
            regex=rf"(?<![\w.@/:-])(?:(?i:localhost)|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}})(?::[0-9]{{2,5}})?/(?=[^\W\d_~?#%]){_TAIL}",
            triggers=("localhost",),
            shapes=("1.1", "10.1", "100.1"),
            opens=True,
        ),
        # anas-laptop.local: the name of a computer in its own network
        Rule(
            name="url_host",
            type=EntityType.CODE,
            regex=r"(?<![\w.@/:-])[A-Za-z0-9](?:[\w-]{0,61}[A-Za-z0-9])?(?:\.[a-z0-9-]{1,40}){0,2}"
            r"\.(?:local|localdomain|lan|internal|intranet|corp|home)(?![\w-]|\.\w|\()",
            triggers=(".local", ".lan", ".internal", ".intranet", ".corp", ".home"),
            reach=100,
            score=0.8,
        ),
        # anas-ipad, bo-macbook-pro: a device called after its owner
        Rule(
            name="url_host",
            type=EntityType.CODE,
            regex=r"(?<![\w.@/:-])(?!(?i:the|my|your|our|his|her|new|old|a|an|this|work|home|gaming|mini|all|non|pre)-)"
            r"[A-Za-z]{2,20}(?:-[A-Za-z]{2,20})?-(?i:iphone|ipad|macbook|imac|mbp|laptop|desktop|pc|notebook|thinkpad"
            r"|surface|galaxy|pixel|phone|tablet|workstation)(?:-[\w-]{1,20})?(?![\w@-]|\.\w)",
            triggers=tuple(
                f"-{kind}"
                for kind in (
                    *(
                        "iphone",
                        "ipad",
                        "macbook",
                        "imac",
                        "mbp",
                        "laptop",
                        "desktop",
                        "pc",
                        "notebook",
                    ),
                    *("thinkpad", "surface", "galaxy", "pixel", "phone", "tablet", "workstation"),
                )
            ),
            reach=48,
            check=_is_owned,
            score=0.8,
        ),
        # git@code.example.org:ana/notes.git
        Rule(
            name="url_remote",
            type=EntityType.CODE,
            regex=r"(?<![\w.@/+-])[\w.+-]{1,40}@[\w.-]{2,120}:(?=[\w.~/-]*[\w~]/|~|/)[^\s\"'<>,;()]{2,300}(?<![.!?:])",
            triggers=("@",),
            reach=200,
            certain=True,
        ),
    ),
    positive=(
        (
            "See https://example.org/people/ana?id=7#top.",
            ("https://example.org/people/ana?id=7#top",),
        ),
        ("(http://example.com/a_(b))", ("http://example.com/a_(b)",)),
        ("<ftp://files.example.net/x.zip>", ("ftp://files.example.net/x.zip",)),
        ("Visit www.example.co.uk/~ana, please", ("www.example.co.uk/~ana",)),
        ("at WWW.EXAMPLE.ORG!", ("WWW.EXAMPLE.ORG",)),
        (
            "https://example.org/; https://example.com/",
            ("https://example.org/", "https://example.com/"),
        ),
        ("his blog souza.example.com/posts/3", ("souza.example.com/posts/3",)),
        ("a shop, northwind-books.co.uk, closed", ("northwind-books.co.uk",)),
        ("https://xn--bcher-kva.example:8443/å", ("https://xn--bcher-kva.example:8443/å",)),
        ('href="https://example.org/a.html"', ("https://example.org/a.html",)),
        ("portal.example.org/patient/4711 is", ("portal.example.org/patient/4711",)),
        ("portal.clinic.health/p/4711, then", ("portal.clinic.health/p/4711",)),
        ("s3://bucket/ana/scan.png", ("s3://bucket/ana/scan.png",)),
        ("rtsp://ana@camera.example.org/1", ("rtsp://ana@camera.example.org/1",)),
        ("http://[2001:db8::1]/ana", ("http://[2001:db8::1]/ana",)),
        ("http://[2001:db8::1]:8080/ana", ("http://[2001:db8::1]:8080/ana",)),
        ("localhost:8080/patients/4711", ("localhost:8080/patients/4711",)),
        ("192.0.2.7/records/ana", ("192.0.2.7/records/ana",)),
        ("offer to 02:00:5e:10:00:ff (anas-ipad) via eth1", ("anas-ipad",)),
        ("the host anas-laptop.local is up", ("anas-laptop.local",)),
        ("git@code.example.org:ana/notes.git", ("git@code.example.org:ana/notes.git",)),
    ),
    negative=(
        "The end.Communication began",
        "ratio 3://",
        "log.info(name) and self.net(x)",
        "a work-laptop and a touch-phone, non-pc",
        "www and more",
        "it was drawn up.company charts followed.orgy",
        "ana@example.org",
        "e.g. something/else",
        "10.0.0.0/8",
        "://",
    ),
)

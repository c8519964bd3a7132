"""Connection strings: addresses with a user and password in them, JDBC, and `Server=...;Password=...`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])(?:[A-Za-z]{1,10}:)?[A-Za-z][A-Za-z0-9+.-]{1,24}\Z")
_KEYS = (
    r"server|data source|host(?:name)?|addr(?:ess)?|network address|driver|provider|database|initial catalog|dsn|dbname"
    r"|defaultendpointsprotocol|endpoint|accountname|user(?: ?id|name)?|uid|port|protocol|service name|blobendpoint"
)
_SECRET = re.compile(
    r"(?i)(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|user ?id|uid|token)[ ]?="
)
_PAIR = r"[ ]?[A-Za-z][A-Za-z_ ]{0,40}[ ]?=[ ]?(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|[^;\n\"'<>]{0,800})"


def _include_scheme(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """The match begins at "://", which is quickly found; the address begins with the scheme before it."""
    head = _SCHEME.search(match.string, max(0, match.start() - 40), match.start())
    return ((head.start(), match.end()),) if head else ()


FAMILY = Family(
    name="connection",
    rules=(
        Rule(
            name="secret_url",
            type=EntityType.CODE,
            regex=r"://[^\s/@:\"'<>]{0,80}:[^\s\"'<>]{0,250}@[^\s\"'<>@]{1,500}(?<![.,;:!?)\]}])",
            triggers=("://",),
            opens=True,
            score=0.95,
            certain=True,
            expand=_include_scheme,
        ),
        Rule(
            name="secret_jdbc",
            type=EntityType.CODE,
            regex=r"(?<!\w)(?i:jdbc|odbc):[a-z][a-z0-9]{1,20}:[^\s\"'<>]{4,800}(?<![.,:!?)\]}])",
            triggers=("jdbc:", "odbc:"),
            opens=True,
            certain=True,
        ),
        Rule(
            name="secret_connection",
            type=EntityType.CODE,
            regex=rf"(?<![^\W_])(?i:{_KEYS})[ ]?=[^;\n\"']{{0,400}}(?:;{_PAIR}){{1,24}};?",
            triggers=("password", "pwd", "accountkey", "sharedaccess", "user id", "userid", "uid"),
            reach=600,
            certain=True,
            check=lambda surface: bool(_SECRET.search(surface)),
        ),
        Rule(
            name="secret_connection",
            type=EntityType.CODE,
            regex=r"(?<![^\W_])(?i:AccountKey|SharedAccessKey|SharedAccessSignature|sig)=(?P<m>[A-Za-z0-9+/%=_-]{16,400})",
            triggers=("accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "sig="),
            opens=True,
            certain=True,
        ),
    ),
    positive=(
        (
            "DB at postgres://ana:hunter2@db.example.org/main.",
            ("postgres://ana:hunter2@db.example.org/main",),
        ),
        (
            "mongodb+srv://app:p%40ss@cluster.example.net/x?w=1",
            ("mongodb+srv://app:p%40ss@cluster.example.net/x?w=1",),
        ),
        (
            "redis://:hunter2@cache.example.org:6379/0",
            ("redis://:hunter2@cache.example.org:6379/0",),
        ),
        ("amqp://u:p@ss@mq.example.org", ("amqp://u:p@ss@mq.example.org",)),
        ("https://ana:hunter2@portal.example.org/x", ("https://ana:hunter2@portal.example.org/x",)),
        (
            "jdbc:postgresql://db.example.org/x?user=ana&password=p1 next",
            ("jdbc:postgresql://db.example.org/x?user=ana&password=p1",),
        ),
        (
            "url=jdbc:oracle:thin:ana/hunter2@db.example.org:1521",
            ("jdbc:oracle:thin:ana/hunter2@db.example.org:1521",),
        ),
        (
            "conn: Server=db.example.org;Database=x;User Id=ana;Password=hunter2;",
            ("Server=db.example.org;Database=x;User Id=ana;Password=hunter2;",),
        ),
        (
            '"Data Source=db;Initial Catalog=x;Uid=ana;Pwd=h2"',
            ("Data Source=db;Initial Catalog=x;Uid=ana;Pwd=h2",),
        ),
        (
            "DefaultEndpointsProtocol=https;AccountName=example;AccountKey=bm90YXJlYWxrZXk=;",
            ("DefaultEndpointsProtocol=https;AccountName=example;AccountKey=bm90YXJlYWxrZXk=;",),
        ),
        ("AccountKey=bm90YXJlYWxrZXkwMTIz here", ("bm90YXJlYWxrZXkwMTIz",)),
    ),
    negative=(
        "https://example.org/a:b",
        "see http://example.org/x and write to ana@example.org",
        "jdbc: a library",
        "host = 12",
        "Server=db;Port=5;",
        "the ratio 3://",
    ),
)

"""Names on social platforms. An @handle names its user, so it is a PERSON as in TAB; a hashtag names a topic: MISC.

Handles without an at sign are known by their platform: `u/name`, `name#1234`, `skype: name`, `username = name`.
"""

from __future__ import annotations

import re

from maskwise.detect.patterns._labels import ASSIGNED, EDGE
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.plain_words import is_plain
from maskwise.text.subtypes import HANDLE, HASHTAG

_PLATFORMS = (
    "skype telegram discord instagram insta twitter snapchat snap wechat weixin kik icq viber mastodon bluesky tiktok "
    "twitch steam psn xbox gamertag facebook messenger threads reddit github gitlab bitbucket slack matrix"
    " session venmo cashapp paypal zelle revolut monzo tinder hinge bumble strava spotify soundcloud linkedin pinterest"
    " tumblr signal npm"
).split()
_ACCOUNTS = (
    *(
        "user[ _-]?names?",
        "user[ _-]?ids?",
        "login[ _-]?(?:name|id)",
        "log[ -]?in",
        "handle",
        "nick(?:name)?",
    ),
    *(
        "screen[ _-]?name",
        "account[ _-]?name",
        "logname",
        "benutzername",
        "brukernavn",
        "nom d'utilisateur",
    ),
)
_NAME = r"@?[^\W_][\w.+-]{1,38}\w"
# A word that goes on with a sentence is no user name: "handle: with care".
_NOT_WORDS = (
    r"(?!(?i:the|an?|is|was|with|and|or|for|in|on|to|of|none|null|true|false|required|not|no|n/a|unknown)"
    r"(?!\w))"
)

# Accounts of systems, not of people.
_NOBODY = frozenset(
    "root admin user guest nobody system daemon postgres www-data test anonymous null none true administrator superuser"
    " operator owner everyone sudo mysql nginx apache git ubuntu ec2-user service backup".split()
)

# What a sentence says of a user without a name.
_NOT_USER = (
    r"(?!(?i:the|an?|is|was|with|and|or|for|in|on|to|of|has|had|who|that|from|at|by|this|not|no|can|will|id|name|data"
    r"|access|account|accounts|group|agent|error|input|interface|manual|login|password|experience)(?![\w.-]))"
)

_KEY = re.compile(r"[0-9a-fA-F]{12,}")  # of a session, not of a user

FAMILY = Family(
    name="handle",
    rules=(
        Rule(
            name=HANDLE,
            type=EntityType.PERSON,
            regex=r"@(?<![\w.@/+-]@)(?=[\w.-]{0,29}[^\W\d])[^\W](?:[\w.-]{0,28}\w)?(?:@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})?(?![\w@])",
            triggers=("@",),
            opens=True,
            certain=True,
            value=str.lower,
        ),
        # u/name and /user/name
        Rule(
            name="handle_path",
            type=EntityType.PERSON,
            regex=r"(?<![\w.@/-])/?(?:u|user)/(?P<m>[A-Za-z0-9][\w-]{2,30})(?![\w/.])",
            triggers=("u/", "/u/", "user/", "/user/"),
            opens=True,
            certain=True,
            value=str.lower,
        ),
        # name#1234
        Rule(
            name="handle_numbered",
            type=EntityType.PERSON,
            regex=r"(?<![\w@#.-])[^\W\d_][\w.]{1,31}#[0-9]{4}(?!\w)",
            triggers=("#",),
            reach=40,
            certain=True,
            value=str.lower,
        ),
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=rf"{EDGE}(?i:{'|'.join(_PLATFORMS)})(?:[ _-]?(?i:id|name|handle|user(?:name)?|account))?"
            rf"(?:{ASSIGNED}|[ ]?:[ ]?|[ ](?:(?i:is|as)[ ])?(?=[^\W\d_][\w.-]{{0,30}}[\d_]))"
            rf"{_NOT_WORDS}(?P<m>{_NAME})(?![\w@])",
            triggers=tuple(_PLATFORMS),
            opens=True,
            certain=True,
            check=lambda surface: (
                not (surface.endswith((".com", ".org", ".net")) or _KEY.fullmatch(surface))
            ),
        ),
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=rf"{EDGE}(?i:{'|'.join(_ACCOUNTS)})(?:[ ](?i:is|was))?"
            rf"(?:{ASSIGNED}|[ ](?=[\w.-]{{0,30}}[\d_]|(?i:is)[ ]))(?:(?i:is)[ ])?{_NOT_WORDS}(?P<m>{_NAME})(?![\w@/])",
            triggers=(
                *(
                    "username",
                    "user name",
                    "user_name",
                    "user-name",
                    "userid",
                    "user id",
                    "user_id",
                    "user-id",
                    "login",
                ),
                *(
                    "log in",
                    "log-in",
                    "handle",
                    "nick",
                    "screen name",
                    "screen_name",
                    "screenname",
                    "screen-name",
                ),
                *(
                    "account name",
                    "account_name",
                    "accountname",
                    "account-name",
                    "logname",
                    "benutzername",
                ),
                *("brukernavn", "nom d'utilisateur"),
            ),
            opens=True,
            certain=True,
        ),
        # user=ihansen, User: ihansen at the end of a line or of a field
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=rf"{EDGE}(?i:user|usr|uid|author|owner|by)(?:="
            rf"|[\"']?[ ]?[:|][ ]{{1,9}}[\"']?(?=[\w.-]{{1,40}}[\"']?[ ]?"
            rf"(?:[,;|\n\r}}]|\Z))|[ ]?=[ ]?[\"'])(?P<m>(?=[a-z])[a-z][\w.-]{{1,38}}\w)(?![\w@/=(])",
            triggers=tuple(
                word + sign
                for word in ("user", "usr", "uid", "author", "owner", "by")
                for sign in ("=", " =", ":", " :", '":', "':", " |", "|")
            ),
            opens=True,
            check=lambda surface: surface.lower() not in _NOBODY,
        ),
        # USER=IHANSEN: in capitals only where nothing stands between the key and its value
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=rf"{EDGE}(?i:user|usr|uid|owner)=(?P<m>[A-Z][A-Z0-9._-]{{1,38}}[A-Z0-9])(?![\w@/=(])",
            triggers=("user=", "usr=", "uid=", "owner="),
            opens=True,
            check=lambda surface: surface.lower() not in _NOBODY,
        ),
        # "bad password for user ihansen from 192.0.2.1", "Accepted publickey for ihansen from"
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=r"(?<!\w)(?i:(?:invalid |unknown |illegal |for |by |as |of )user|(?:publickey|password) for"
            r"(?: (?:invalid )?user)?|session (?:opened|closed) for(?: user)?|logged in as|sudo -u|su -"
            rf"|(?:user|acct|account) of(?= [a-z]\.)) [\"'`]?{_NOT_USER}(?P<m>[a-z][\w.-]{{1,38}}\w)(?![\w@/=(])",
            triggers=(
                *(
                    "invalid user ",
                    "unknown user ",
                    "illegal user ",
                    "for user ",
                    "by user ",
                    "as user ",
                ),
                *(
                    "of user ",
                    "publickey for ",
                    "password for ",
                    "session opened ",
                    "session closed ",
                ),
                *(
                    "logged in as ",
                    "sudo -u ",
                    "su - ",
                    "user of ",
                    "acct of ",
                    "account of ",
                ),
            ),
            opens=True,
            check=lambda surface: surface.lower() not in _NOBODY,
        ),
        # "sudo: ihansen : TTY=pts/0"
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=r"(?<!\w)(?i:sudo|su|login|sshd|cron)(?:\[[0-9]+\])?:[ ]{1,4}\(?(?P<m>[a-z][\w.-]{1,38}\w)"
            r"\)?(?=[ ]:[ ]|\)[ ]CMD)",
            triggers=("sudo", "su:", "su[", "login", "sshd", "cron"),
            opens=True,
            check=lambda surface: surface.lower() not in _NOBODY,
        ),
        # "user ihansen leased 192.0.2.1", "user ihansen from 10.0.0.7"
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=rf"(?<![\w-])(?i:user|usr) {_NOT_USER}(?P<m>[a-z][\w.-]{{1,38}}\w)"
            r"(?= (?i:from|on|at|has|was|is|leased|logged|connected|disconnected|failed|authenticated|changed|deleted"
            r"|created|requested|uploaded|downloaded|opened|accessed)(?!\w)[^\n]{0,40}[0-9])",
            triggers=("user ", "usr "),
            opens=True,
            check=lambda surface: surface.lower() not in _NOBODY and not is_plain(surface),
        ),
        # db_user = ihansen at the end of its line, "actor": "ihansen"
        Rule(
            name="handle_labelled",
            type=EntityType.PERSON,
            regex=rf"{EDGE}(?i:user|usr|login|(?<=[\"'])(?:actor|principal|requester|committer|subject))[\"']?[ ]?"
            rf"[:=][ ]?[\"']?{_NOT_USER}(?P<m>[a-z][\w.-]{{1,38}}\w)[\"']?(?=[ ]?(?:[,;|\n\r}}]|\Z))",
            triggers=(
                "user",
                "usr",
                "login",
                "actor",
                "principal",
                "requester",
                "committer",
                "subject",
            ),
            opens=True,
            check=lambda surface: surface.lower() not in _NOBODY and not is_plain(surface),
        ),
        # The owner of a repository: "github.com/ihansen/notes.git"
        Rule(
            name="handle_path",
            type=EntityType.PERSON,
            regex=r"(?<=[a-z0-9])/(?P<m>[A-Za-z0-9][\w-]{1,38})(?=/[\w.-]{1,80}\.git(?!\w))",
            triggers=(".git",),
            reach=130,
        ),
        Rule(
            name=HASHTAG,
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
        ("thread by u/liwei99 and /u/bo_berg", ("liwei99", "bo_berg")),
        ("add me: anasouza#1234", ("anasouza#1234",)),
        ("skype: ana.souza85", ("ana.souza85",)),
        ("Telegram: @anas, Discord id: bo_berg", ("@anas", "bo_berg")),
        ("instagram handle is ana_s7", ("ana_s7",)),
        ("he is on twitch as ana_plays77", ("ana_plays77",)),
        ("Username: ihansen", ("ihansen",)),
        ('"user_name": "ihansen",', ("ihansen",)),
        ("login ihansen_2 failed", ("ihansen_2",)),
        ("session opened user=ihansen uid=1001", ("ihansen",)),
        ("user: ihansen\nhost: db", ("ihansen",)),
        ('DB_USER = "ihansen"', ("ihansen",)),
        ("USER=IHANSEN PASS=", ("IHANSEN",)),
        ("bad password for user ihansen from", ("ihansen",)),
        ("Accepted publickey for ihansen from 192.0.2.1", ("ihansen",)),
        ("sudo: ihansen : TTY=pts/0", ("ihansen",)),
        ("user ihansen leased 192.0.2.1", ("ihansen",)),
        ("db_user = ihansen_2\n", ("ihansen_2",)),
        ('{"actor":"ihansen","src"', ("ihansen",)),
        ("acct of s.hansen", ("s.hansen",)),
        ("code.example/ihansen/notes.git", ("ihansen",)),
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
        "handle: with care",
        "User: where is it?",
        "user=root",
        "a telegram was sent in 1912",
        "and/or u/s",
        "section#12",
        "login is required",
        "session=9f2c81d07be44a1c",
        "the user has 3 files and a user interface with 2 panes",
        "password for the account",
        "for user data",
        '"subject": "your letter"',
        "an actor: unknown",
    ),
)

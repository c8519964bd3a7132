"""File paths and accounts that may carry a name: drives, shares, home folders, domain and host accounts."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_FOLDER = r"[^\\/:*?\"<>|\s](?:[^\\/:*?\"<>|\r\n\t]{0,62}[^\\/:*?\"<>|\s])?"
_FILE = (
    r"(?:[^\\/:*?\"<>|\r\n\t]{1,80}?\.[A-Za-z0-9]{1,5}\b|[^\\/:*?\"<>|\s,;)\]}]{1,80}(?<![.!]))?"
)
_WORD = r"[^\s\"'<>|:*?,;()\[\]{}]{1,120}(?<![.!])"

FAMILY = Family(
    name="path",
    rules=(
        Rule(
            name="path_windows",
            type=EntityType.CODE,
            regex=rf"[A-Za-z](?<!\w.):[\\/](?!/)(?:{_FOLDER}[\\/]){{0,16}}+{_FILE}",
            triggers=(":\\", ":/"),
            reach=1024,
        ),
        Rule(
            name="path_share",
            type=EntityType.CODE,
            regex=rf"\\\\(?<![\w\\]..)[\w.$-]{{1,63}}\\(?:{_FOLDER}\\){{0,16}}+{_FILE}",
            triggers=("\\\\",),
            opens=True,
        ),
        Rule(
            name="path_home",
            type=EntityType.CODE,
            regex=rf"(?<![\w/~.])(?:/export|/var|/mnt/[a-z]|/volumes/[\w -]{{1,40}})?(?i:/home|/users|/homes|~)"
            rf"/{_WORD}",
            triggers=("/home/", "/users/", "/homes/", "~/"),
            reach=256,
        ),
        # The folder of someone with a space in the name.
        Rule(
            name="path_home",
            type=EntityType.CODE,
            regex=r"(?i:[a-z]:)?[\\/](?i:users|homes?|documents and settings)"
            r"[\\/][A-Z]\w{1,24}(?:[ ][A-Z][\w-]{1,24}){1,3}",
            triggers=("users\\", "users/", "home/", "homes/", "home\\", "documents and settings\\"),
            reach=120,
        ),
        # /var/mail/ana, /var/spool/cron/ana, /media/ana/disk
        Rule(
            name="path_home",
            type=EntityType.CODE,
            regex=rf"(?<![\w/~.])(?:/var/(?:spool/)?(?:mail|cron(?:/crontabs)?)|/media|/run/user|/export)/{_WORD}",
            triggers=("/var/mail/", "/var/spool/", "/media/", "/run/user/", "/export/"),
            opens=True,
        ),
        # \Users\ana without its drive, %APPDATA% with its owner
        Rule(
            name="path_windows",
            type=EntityType.CODE,
            regex=rf"(?<![\w:\\])(?i:\\(?:users|documents and settings|profiles|home))"
            rf"\\(?:{_FOLDER}\\){{0,16}}+{_FILE}",
            triggers=("\\users\\", "\\documents and settings\\", "\\profiles\\", "\\home\\"),
            opens=True,
        ),
        Rule(
            name="path_account",
            type=EntityType.CODE,
            regex=r"~(?<![\w/~.]~)[a-z_][a-z0-9_.-]{2,31}(?![\w~])(?:/[^\s\"'<>|:*?,;()\[\]{}]{0,120}(?<![.!]))?",
            triggers=("~",),
            opens=True,
            score=0.7,
        ),
        # NORDLYS\ihansen
        Rule(
            name="path_account",
            type=EntityType.CODE,
            regex=r"(?<![\w\\/:.-])[A-Z][A-Z0-9-]{1,15}\\[A-Za-z][\w.-]{1,31}(?<![.-])(?![\w\\])",
            triggers=("\\",),
            reach=40,
        ),
        # ssh ihansen@db01
        Rule(
            name="path_account",
            type=EntityType.CODE,
            regex=r"(?<![\w.@/+:=-])[a-z][\w.-]{1,31}@[a-z](?=[a-z0-9-]{0,30}[0-9-]|ocalhost)[a-z0-9-]{1,40}(?![\w.@-])",
            triggers=("@",),
            reach=80,
        ),
        # CN=Ana Souza,OU=People,DC=example,DC=org
        Rule(
            name="path_directory",
            type=EntityType.CODE,
            regex=r"(?<!\w)(?i:cn|uid|ou|dc|o|mail|sn|givenname)=[^\s,;=\"<>][^,;=\"<>\n]{0,80}"
            r"(?:[,;+][ ]?(?i:cn|uid|ou|dc|o|c|l|st|mail|sn|givenname|serialnumber)=[^\s,;=\"<>]"
            r"(?:[^,;=\"<>\n]{0,80}[^\s,;=\"<>])?){1,12}",
            triggers=("cn=", "uid=", "ou=", "dc="),
            opens=True,
            certain=True,
        ),
    ),
    positive=(
        (r"open C:\Users\ana\report.docx now", (r"C:\Users\ana\report.docx",)),
        (
            r"in D:\Case files\Souza v Berg\statement 2.pdf.",
            (r"D:\Case files\Souza v Berg\statement 2.pdf",),
        ),
        (r"C:/Users/bo/Desktop/x.txt", ("C:/Users/bo/Desktop/x.txt",)),
        (r"on \\nas01\people\souza\cv.pdf", (r"\\nas01\people\souza\cv.pdf",)),
        ("see /home/ana/notes.txt.", ("/home/ana/notes.txt",)),
        ("(/Users/liwei/Desktop)", ("/Users/liwei/Desktop",)),
        ("~/mail/inbox, read", ("~/mail/inbox",)),
        (r"folder C:\Temp", (r"C:\Temp",)),
        ("rm -r /home/ihansen/", ("/home/ihansen/",)),
        ("in /Users/Ana Souza", ("/Users/Ana Souza",)),
        (r"in C:\Users\Ana Souza, then", (r"C:\Users\Ana Souza",)),
        ("/var/mail/ihansen is full", ("/var/mail/ihansen",)),
        (r"under \Users\ihansen\x.txt", (r"\Users\ihansen\x.txt",)),
        ("ls ~ihansen/mail", ("~ihansen/mail",)),
        (r"logged on as NORDLYS\ihansen.", (r"NORDLYS\ihansen",)),
        ("ssh ihansen@db01 now", ("ihansen@db01",)),
        ("ihansen@localhost", ("ihansen@localhost",)),
        ("CN=Ana Souza,OU=People,DC=example,DC=org", ("CN=Ana Souza,OU=People,DC=example,DC=org",)),
    ),
    negative=(
        "and/or",
        "either/home/away",
        "ratio a:b",
        "https://example.org/home",
        r"a \ b",
        "/usr/bin/env",
        "note:/",
        "about ~50 people, ~ so",
        r"the formula A\beta",
        "pens@noon",
    ),
)

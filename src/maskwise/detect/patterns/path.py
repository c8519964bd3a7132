"""File paths that may carry a name: Windows drives, network shares, home folders and file links."""

from __future__ import annotations

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_FOLDER = r"[^\\/:*?\"<>|\s](?:[^\\/:*?\"<>|\r\n\t]{0,62}[^\\/:*?\"<>|\s])?"
_FILE = r"(?:[^\\/:*?\"<>|\r\n\t]{1,80}?\.[A-Za-z0-9]{1,5}\b|[^\\/:*?\"<>|\s,;)\]}]{1,80}(?<![.!]))?"
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
            regex=rf"(?<![\w/~.])(?:/export|/var|/mnt/[a-z])?(?:/home|/Users|~)/{_WORD}",
            triggers=("/home/", "/users/", "~/"),
            reach=256,
        ),
    ),
    positive=(
        (r"open C:\Users\ana\report.docx now", (r"C:\Users\ana\report.docx",)),
        (r"in D:\Case files\Souza v Berg\statement 2.pdf.", (r"D:\Case files\Souza v Berg\statement 2.pdf",)),
        (r"C:/Users/bo/Desktop/x.txt", ("C:/Users/bo/Desktop/x.txt",)),
        (r"on \\nas01\people\souza\cv.pdf", (r"\\nas01\people\souza\cv.pdf",)),
        ("see /home/ana/notes.txt.", ("/home/ana/notes.txt",)),
        ("(/Users/liwei/Desktop)", ("/Users/liwei/Desktop",)),
        ("~/mail/inbox, read", ("~/mail/inbox",)),
        (r"folder C:\Temp", (r"C:\Temp",)),
    ),
    negative=(
        "and/or",
        "either/home/away",
        "ratio a:b",
        "https://example.org/home",
        r"a \ b",
        "/usr/bin/env",
        "note:/",
    ),
)

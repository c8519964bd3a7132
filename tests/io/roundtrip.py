"""Files of every reversible format, made by chance, and what must hold: restoring undoes masking."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import zipfile
from collections.abc import Callable
from html import escape
from pathlib import PurePath
from random import Random
from typing import Any

from maskwise import io as formats
from maskwise.errors import LeakError
from maskwise.files import restore_file, sanitize_file
from maskwise.mask import Alignment
from maskwise.mask.token import TOKEN
from maskwise.mask.vault import Vault
from maskwise.sanitizer import Sanitizer

PROTECTED = ["Hugo Castell", "Ines Varga", "Ana Souza"]
PEOPLE = [
    "Mr Hugo Castell",
    "Mrs Ines Varga",
    "Castell",
    "Ines Varga",
    "Dr Ana Souza",
    "CASTELL, HUGO",
]
OTHERS = [
    "3 May 1971", "hugo.castell@example.org", "+44 7700 900413", "GB33BUKB20201555555555", "Oslo", "12 Elm Road",
    "https://example.org/castell?a=1&b=2",
]  # fmt: skip
WORDS = [
    "met", "and then", "the roof", "x", "(the plaintiff)", "a [b] c", "5 < 6", "R&D", "\"quoted\"", "it's", "ł", "…",
    "[PERSON 1]", "100 %", "a_b", "2 * 3", "C:\\new", "\\", "#", "|", "](", "- ", "~", "=", "é", "日本",
]  # fmt: skip
REFUSED = "refused"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DOCUMENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SPACES = [" ", " ", " ", "  ", "\t"]


def sentence(rng: Random, words: list[str] = WORDS, spaces: list[str] = SPACES) -> str:
    """Words with people and codes between them."""
    parts: list[str] = []
    for _ in range(rng.randint(1, 6)):
        parts += (
            rng.choice(words),
            rng.choice(spaces),
            rng.choice(PEOPLE + OTHERS),
            rng.choice([",", ".", " said", ""]),
        )
        parts.append(rng.choice(spaces))
    return "".join(parts).strip()


def make_txt(rng: Random) -> bytes:
    end = rng.choice(["\n", "\r\n"])
    lines = [sentence(rng) for _ in range(rng.randint(1, 5))]
    return (
        rng.choice(["", "\ufeff"]).encode()
        + (end * rng.randint(1, 2)).join(lines).encode()
        + end.encode()
    )


def make_md(rng: Random) -> bytes:
    blocks: list[str] = []
    for _ in range(rng.randint(1, 5)):
        text, person = sentence(rng), rng.choice(PEOPLE)
        blocks.append(
            rng.choice([
                text,
                f"# {text}",
                f"- {text}\n- *{person}* left",
                f"> {text}",
                f"| {person} | said |\n|---|---|\n| a | b |",
                f"[{person}](https://example.org/a) came",
                f"{person}(the plaintiff) came",
                f"[{person}][1]\n\n[1]: https://example.org/a",
                f"```\n{text}\n```",
                f"**{person}** left, and `{person}` came",
            ])
        )  # fmt: skip
    return "\n\n".join(blocks).encode()


def make_html(rng: Random) -> bytes:
    blocks: list[str] = []
    for _ in range(rng.randint(1, 4)):
        text = escape(sentence(rng, spaces=[" ", "  ", "\n   "]), quote=False)
        person = rng.choice(PEOPLE)
        blocks.append(
            rng.choice([
                f"<p>{text}</p>",
                f"<p>Dear <b>{person}</b> wrote:\n   {text}</p>",
                f"<pre>{escape(sentence(rng, spaces=[chr(10), '   ']), quote=False)}</pre>",
                f'<img src="a.png" alt="{escape(sentence(rng))}">'.replace("&#x27;", "'"),
                f"<table><tr><td>{person}</td><td>{text}</td></tr></table>",
                f'<p class="a">{text}<br>{person}</p>',
                f'<p><a href="https://example.org/a">{person}</a></p>',
                f"<textarea>{person}\n  {text}</textarea>",
            ])
        )  # fmt: skip
    return f"<!DOCTYPE html>\n<html><body>\n{chr(10).join(blocks)}\n</body></html>\n".encode()


def make_value(rng: Random, depth: int = 2) -> Any:
    match rng.randrange(7 if depth else 5):
        case 0:
            return rng.choice([None, True, 5, -1.5, 48512345678, 1e20])
        case 1 | 2 | 3 | 4:
            return sentence(rng)
        case 5:
            return [make_value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
        case _:
            keys = [rng.choice(["who", "phone", "note", *PEOPLE]) for _ in range(rng.randint(0, 3))]
            return {key: make_value(rng, depth - 1) for key in keys}


def make_json(rng: Random) -> bytes:
    return json.dumps(
        make_value(rng), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 2])
    ).encode()


def make_jsonl(rng: Random) -> bytes:
    return "\n".join(json.dumps(make_value(rng)) for _ in range(rng.randint(1, 4))).encode()


def _table(rng: Random, delimiter: str) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(
        stream, delimiter=delimiter, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    )
    width = rng.randint(2, 4)
    words = [word for word in WORDS if word not in ("|", "\\")]
    writer.writerows([f"column {at}" for at in range(width)] for _ in range(1))
    writer.writerows(
        [sentence(rng, words, [" ", "  "]) for _ in range(width)] for _ in range(rng.randint(1, 4))
    )
    return stream.getvalue().encode()


def make_csv(rng: Random) -> bytes:
    return _table(rng, ",")


def make_tsv(rng: Random) -> bytes:
    return _table(rng, "\t")


def make_eml(rng: Random) -> bytes:
    person = rng.choice(["Hugo Castell", "Ines Varga"])
    head = f"From: {person} <hugo.castell@example.org>\nTo: Ana Souza <ana@example.org>\nSubject: About {person}"
    kind = rng.choice(
        ["", 'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: 8bit\n']
    )
    body = sentence(rng) if kind else sentence(rng, ["met", "the roof", "(the plaintiff)"])
    return f"{head}\nDate: Mon, 3 May 2021 10:00:00 +0200\nMIME-Version: 1.0\n{kind}\n{body}\n".encode()


def make_docx(rng: Random) -> bytes:
    def paragraph() -> str:
        runs = (escape(sentence(rng) + " ") for _ in range(rng.randint(1, 3)))
        return "".join(f'<w:r><w:t xml:space="preserve">{run}</w:t></w:r>' for run in runs)

    body = "".join(f"<w:p>{paragraph()}</w:p>" for _ in range(rng.randint(1, 4)))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{DOCUMENT}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def make_xlsx(rng: Random) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for _ in range(rng.randint(1, 4)):
        book.active.append(
            [rng.choice([sentence(rng), 5, 1.5, rng.choice(PEOPLE)]) for _ in range(3)]
        )
    for cell in itertools.chain.from_iterable(book.active):
        if cell.data_type == "f":  # a sentence that begins with "=" is no formula
            cell.data_type = "s"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def make_odt(rng: Random) -> bytes:
    import odf.opendocument
    import odf.text

    document = odf.opendocument.OpenDocumentText()
    for _ in range(rng.randint(1, 4)):
        document.text.addElement(odf.text.P(text=sentence(rng, spaces=[" "])))
    buffer = io.BytesIO()
    document.write(buffer)
    return buffer.getvalue()


EXACT: dict[str, Callable[[Random], bytes]] = {
    "txt": make_txt,
    "md": make_md,
    "html": make_html,
    "json": make_json,
    "jsonl": make_jsonl,
    "csv": make_csv,
    "tsv": make_tsv,
    "eml": make_eml,
}
BY_TEXT: dict[str, Callable[[Random], bytes]] = {
    "docx": make_docx,
    "xlsx": make_xlsx,
    "odt": make_odt,
}


def clean(raw: bytes, name: str) -> bytes:
    """The file as it is written when nothing is masked."""
    suffix = PurePath(name).suffix
    loaded = formats.build_reader(suffix).read(raw, name)
    return formats.build_writer(suffix).write(
        loaded, loaded.texts, tuple(Alignment(()) for _ in loaded.texts)
    )


def texts(raw: bytes, name: str) -> tuple[str, ...]:
    return formats.build_reader(PurePath(name).suffix).read(raw, name).texts


def restores(sanitizer: Sanitizer, vault: Vault, suffix: str, rng: Random) -> str | None:
    """Mask and restore a file made by chance. What is wrong with it, or nothing."""
    name = f"file.{suffix}"
    raw = (EXACT | BY_TEXT)[suffix](rng)
    try:
        masked = sanitize_file(sanitizer, raw, name)
    except LeakError:
        return REFUSED
    done = restore_file(masked.data, name, vault)
    if any(TOKEN.search(text) for text in texts(done.data, name)):
        return "a token is left"
    if suffix in BY_TEXT:
        return None if texts(done.data, name) == texts(clean(raw, name), name) else "another text"
    found, expected = _flowed(done.data, suffix), _flowed(clean(raw, name), suffix)
    same = found == expected or (suffix == "html" and _apart(found) == _apart(expected))
    return None if same else "another file"


def _apart(page: bytes) -> tuple[list[bytes], bytes]:
    """The tags of a page and its text: a name over several elements comes back in the first of them."""
    return re.findall(rb"<[^>]*>", page), b"".join(re.sub(rb"<[^>]*>", b"", page).split())


def _flowed(data: bytes, suffix: str) -> bytes:
    """What of a file must come back. In HTML white space inside a name is one space, but where the page shows it; in
    JSON a sign beyond ASCII may be escaped; elsewhere every byte counts."""
    if suffix in ("json", "jsonl"):
        return "".join(
            sign if sign.isascii() else json.dumps(sign)[1:-1] for sign in data.decode()
        ).encode()
    if suffix != "html":
        return data
    parts = re.split(rb"(<pre>.*?</pre>|<textarea>.*?</textarea>)", data, flags=re.DOTALL)
    return b"".join(part if at % 2 else b" ".join(part.split()) for at, part in enumerate(parts))

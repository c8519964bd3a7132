"""Files of every format with as many rows, paragraphs or levels as asked, to see how time grows."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from email.message import EmailMessage
from typing import NamedTuple

from growth_units import name_number


class Shape(NamedTuple):
    """A kind of file; `build` makes one with `count` rows, paragraphs or levels. At most `most` of them make sense."""

    name: str
    suffix: str
    build: Callable[[int], bytes]
    most: int = 10**6


def write_line(number: int) -> str:
    name = name_number(number)
    return f"On 3 May 20{number % 100:02d} Mr John {name} of {name} Ltd paid EUR {number} (MRN {100000 + number})."


def write_lines(count: int) -> list[str]:
    return [write_line(number) for number in range(count)]


def _write_text(count: int) -> bytes:
    return "\n".join(write_lines(count)).encode()


def _write_words(count: int) -> bytes:
    return " ".join(write_lines(count)).encode()


def _write_markdown(count: int) -> bytes:
    return "\n\n".join(
        f"## Part {n}\n\n- **{text}**\n- [x](http://example.org/{n})"
        for n, text in enumerate(write_lines(count))
    ).encode()


def _write_table(count: int) -> bytes:
    rows = "\n".join(f"| {n} | {text} |" for n, text in enumerate(write_lines(count)))
    return f"| id | note |\n|---|---|\n{rows}\n".encode()


def _write_delimited(sign: str) -> Callable[[int], bytes]:
    def build(count: int) -> bytes:
        rows = (
            sign.join((str(n), name_number(n), f'"{text}"'))
            for n, text in enumerate(write_lines(count))
        )
        return "\n".join((sign.join(("id", "name", "note")), *rows)).encode()

    return build


def _write_json(count: int) -> bytes:
    return json.dumps(
        [
            {"id": n, "who": name_number(n), "note": text}
            for n, text in enumerate(write_lines(count))
        ]
    ).encode()


def _write_json_keys(count: int) -> bytes:
    return json.dumps(
        {f"key {name_number(n)}": text for n, text in enumerate(write_lines(count))}
    ).encode()


def _write_json_nested(count: int) -> bytes:
    return (b'{"a": [' * count) + json.dumps(write_line(1)).encode() + b"]}" * count


def _write_jsonl(count: int) -> bytes:
    return b"\n".join(
        json.dumps({"id": n, "note": text}).encode() for n, text in enumerate(write_lines(count))
    )


def _write_html(count: int) -> bytes:
    body = "".join(
        f'<p class="c{n}">{text} <b>{name_number(n)}</b></p>'
        for n, text in enumerate(write_lines(count))
    )
    return f"<!DOCTYPE html><html><head><title>x</title></head><body>{body}</body></html>".encode()


def _write_html_nested(count: int) -> bytes:
    return (
        "<html><body>" + "<div>" * count + write_line(1) + "</div>" * count + "</body></html>"
    ).encode()


def _write_html_inline(count: int) -> bytes:
    return (
        "<html><body><p>"
        + "".join(f"<b>{name_number(n)}</b> " for n in range(count))
        + "</p></body></html>"
    ).encode()


def _write_mail(count: int) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = (
        "a@example.org",
        "b@example.org",
        write_line(0),
    )
    message.set_content("\n".join(write_lines(count)))
    return message.as_bytes()


def _write_mail_recipients(count: int) -> bytes:
    to = ",\r\n ".join(f'"{name_number(n)}, John" <j{n}@example.org>' for n in range(count))
    return f"From: a@example.org\r\nTo: {to}\r\nSubject: x\r\n\r\nHello\r\n".encode()


def _write_mail_parts(count: int) -> bytes:
    parts = "".join(
        f"--x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        f"{base64.b64encode(text.encode()).decode()}\r\n"
        for text in write_lines(count)
    )
    head = 'From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"'
    return f"{head}\r\n\r\n{parts}--x--\r\n".encode()


def _write_docx(count: int) -> bytes:
    import docx

    document = docx.Document()
    for text in write_lines(count):
        document.add_paragraph(text)
    return _save_bytes(document.save)


def _write_docx_runs(count: int) -> bytes:
    import docx

    document = docx.Document()
    paragraph = document.add_paragraph()
    for number in range(count):
        paragraph.add_run(f"{name_number(number)} ").bold = bool(number % 2)
    return _save_bytes(document.save)


def _write_xlsx(count: int) -> bytes:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Rows")
    sheet.append(["id", "name", "note"])
    for number, text in enumerate(write_lines(count)):
        sheet.append([number, name_number(number), text])
    return _save_bytes(book.save)


def _write_odt(count: int) -> bytes:
    from odf.opendocument import OpenDocumentText
    from odf.text import P

    document = OpenDocumentText()
    for text in write_lines(count):
        document.text.addElement(P(text=text))
    return _save_bytes(document.write)


def _write_pdf(count: int) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    target = io.BytesIO()
    page = Canvas(target)
    for number, text in enumerate(write_lines(count)):
        if number and number % 40 == 0:
            page.showPage()
        page.drawString(40, 800 - 18 * (number % 40), text)
    page.save()
    return target.getvalue()


def _write_parquet(count: int) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [name_number(number) for number in range(count)]
    target = io.BytesIO()
    pq.write_table(
        pa.table({"id": list(range(count)), "name": names, "note": write_lines(count)}), target
    )
    return target.getvalue()


def _write_rtf(count: int) -> bytes:
    return (
        "{\\rtf1\\ansi " + "".join(f"{text}\\par\n" for text in write_lines(count)) + "}"
    ).encode()


def _save_bytes(save: Callable[[io.BytesIO], object]) -> bytes:
    target = io.BytesIO()
    save(target)
    return target.getvalue()


SHAPES = (
    Shape("lines", "txt", _write_text),
    Shape("one line", "txt", _write_words),
    Shape("parts", "md", _write_markdown),
    Shape("table", "md", _write_table),
    Shape("rows", "csv", _write_delimited(",")),
    Shape("rows", "tsv", _write_delimited("\t")),
    Shape("rows", "json", _write_json),
    Shape("keys", "json", _write_json_keys),
    Shape("levels", "json", _write_json_nested, 40),
    Shape("rows", "jsonl", _write_jsonl),
    Shape("paragraphs", "html", _write_html),
    Shape("levels", "html", _write_html_nested, 80),
    Shape("inline", "html", _write_html_inline),
    Shape("lines", "eml", _write_mail),
    Shape("recipients", "eml", _write_mail_recipients, 420),  # longer headers are refused
    Shape("parts", "eml", _write_mail_parts, 400),
    Shape("paragraphs", "docx", _write_docx),
    Shape("runs", "docx", _write_docx_runs),
    Shape("rows", "xlsx", _write_xlsx),
    Shape("paragraphs", "odt", _write_odt),
    Shape("lines", "pdf", _write_pdf, 240),
    Shape("rows", "parquet", _write_parquet),
    Shape("paragraphs", "rtf", _write_rtf),
)

"""Invented files with one person planted in every place where a format can hide a name."""

from __future__ import annotations

import base64
import io
import json

NAME, SURNAME = "Zbigniew Kowalczyk", "kowalczyk"
MAIL = "zbigniew.kowalczyk@example.org"
REVERSED = "Kowalczyk, Zbigniew"

TXT = f"Dear {NAME},\r\nyour letter of 3 May came. Write to {MAIL}.\r\n-- \r\nKowalczyk's office\r\n".encode()

HTML = f"""<!DOCTYPE html>
<!-- drafted by {NAME} -->
<?php echo "{NAME}" ?>
<html><head>
<title>File of {NAME}</title>
<meta name="author" content="{NAME}">
<style>/* for {NAME} */ p {{ color: red }}</style>
<script>var owner = "{NAME}";</script>
<script type="application/ld+json">{{"name": "{NAME}"}}</script>
</head>
<body onload="greet('{NAME}')" data-owner="{NAME}">
<h1>{NAME.upper()}</h1>
<p>Z<b>big</b>niew Kowal<i>cz</i>yk, or Zbigniew&nbsp;K&#111;walczyk, or {NAME.split()[0]}
    Kowalczyk.</p>
<p hidden>{REVERSED}</p>
<img src="/img/Zbigniew%20Kowalczyk.png" alt="{NAME}" title='{NAME}' aria-label="{NAME}" width="5">
<a href="mailto:{MAIL}?subject=Kowalczyk">write</a> <a href="javascript:open('{NAME}')">open</a>
<input value="{NAME}" placeholder=Kowalczyk>
<svg><desc>{NAME}</desc><text>{NAME}</text></svg>
<iframe srcdoc="&lt;p&gt;{NAME}&lt;/p&gt;"></iframe>
<!--[if IE]><p>{NAME}</p><![endif]-->
<template>{NAME}</template><noscript>{NAME}</noscript>
<textarea>{NAME}</textarea>
<![CDATA[ {NAME} ]]>
<p>Nothing personal here: 5 &lt; 6.</p>
</body></html>
""".encode()

JSON = (
    json.dumps(
        [
            {
                "id": 7,
                "who": NAME,
                "deep": [{"note": f"Asked {NAME} again", "mail": MAIL}],
                "ok": True,
                "none": None,
            },
            {"id": 8, "who": REVERSED, "escaped": "Zbigniew\tKowalczyk"},
        ],
        indent=2,
    )
    .replace("Asked Z", "Asked \\u005a")
    .encode()
)

JSONL = f'{{"a": "{NAME}"}}\r\n\r\n  {{"b": ["{MAIL}", {{"c": "{NAME} came"}}], "n": 1.50}}\r\n'.encode()

CSV = (
    f'id;name;"note";last\r\n1;{NAME};"said ""{NAME}"" did; then left";x\r\n2;"{REVERSED}";"two\r\nlines";{MAIL}\r\n'
).encode()
TSV = f"id\tname\n1\t{NAME}\n2\t{MAIL}\n".encode()

EML = f"""Return-Path: <{MAIL}>
Received: from desk-of-kowalczyk by mx.example.org; Mon, 3 May 2021 10:00:00 +0200
DKIM-Signature: v=1; d=kowalczyk.example
From: {NAME} <{MAIL}>
To: "{REVERSED}" <office@example.com>, second@example.net ({NAME})
Cc: =?utf-8?b?{base64.b64encode(NAME.encode()).decode()}?= <third@example.net>
Reply-To: {MAIL}
Subject: =?utf-8?q?About_Zbigniew_Kowalczyk?=
Message-ID: <1.2.kowalczyk@desk-of-kowalczyk>
References: <0.1.kowalczyk@desk-of-kowalczyk>
Date: Mon, 3 May 2021 10:00:00 +0200
X-Originating-IP: [10.1.2.3]
X-Mailer: Kowalczyk Mail
Comments: sent for {NAME}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"; x-owner="{NAME}"

Preamble of {NAME}
--outer
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

D=E9j=E0 vu, =5Abigniew Kowalc=
zyk.
--inner
Content-Type: text/html; charset="utf-8"
Content-Transfer-Encoding: base64

{base64.encodebytes(f"<p><!-- {NAME} -->Dear <b>{NAME}</b></p>".encode()).decode()}
--inner--
--outer
Content-Type: text/csv; name="kowalczyk.csv"
Content-Disposition: attachment; filename="kowalczyk.csv"
Content-Description: list of {NAME}

who,when
{NAME},today
--outer
Content-Type: application/json; name="{NAME}.json"
Content-Disposition: attachment; filename="{NAME}.json"
Content-Transfer-Encoding: base64

{base64.encodebytes(json.dumps({"who": NAME}).encode()).decode()}
--outer
Content-Type: image/png; name="{NAME}.png"
Content-Disposition: attachment; filename="{NAME}.png"
Content-Transfer-Encoding: base64

{base64.encodebytes(b"PNG tEXt Author " + NAME.encode()).decode()}
--outer
Content-Type: message/rfc822

From: {NAME} <{MAIL}>
Subject: forwarded by {NAME}

Hello {NAME}
--outer--
Epilogue of {NAME}
""".encode()


def parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    nested = pa.array([{"who": NAME, "tags": ["x", NAME]}, {"who": "nobody", "tags": []}])
    columns = {
        "name": pa.array([NAME, "nothing"]),
        "kind": pa.array([NAME, "b"]).dictionary_encode(),
        "nested": nested,
        "phone": pa.array([4791234567, None]),
        "large": pa.array([f"said {REVERSED}", None], pa.large_string()),
    }
    table = pa.table(columns)
    pandas = json.dumps({"index_columns": [], "columns": [], "attributes": {"owner": NAME}})
    table = table.replace_schema_metadata({"owner": NAME, "pandas": pandas})
    spec = table.schema.field("name").with_metadata({"comment": f"names like {NAME}"})
    table = table.set_column(0, spec, table.column(0))
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="gzip")
    return sink.getvalue()


SAMPLES = {
    "letter.txt": TXT,
    "note.md": b"# " + TXT,
    "page.html": HTML,
    "data.json": JSON,
    "rows.jsonl": JSONL,
    "table.csv": CSV,
    "table.tsv": TSV,
    "mail.eml": EML,
    "table.parquet": parquet(),
}

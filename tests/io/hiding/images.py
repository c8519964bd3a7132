"""Places of pictures, inside of a text document and of a Word document."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from xml.sax.saxutils import escape

from . import Place
from .odt import package
from .pictures import PICTURES, Picture

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def _in_text(picture: Picture) -> Callable[[str, str], bytes]:
    path = f"Pictures/a.{picture.ending}"
    frame = f'<draw:frame svg:width="1cm" svg:height="1cm"><draw:image xlink:href="{path}"/></draw:frame>'
    return lambda planted, body: package(body, inline=frame, parts={path: picture.build(planted)})


def _in_word(picture: Picture) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        drawing = (
            '<w:drawing><wp:inline><wp:extent cx="9000" cy="9000"/><wp:docPr id="1" name="Picture 1"/><a:graphic>'
            f'<a:graphicData uri="{_DRAWING}/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="2" name="a"/></pic:nvPicPr>'
            '<pic:blipFill><a:blip r:embed="i1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>'
            "</w:drawing>"
        )
        spaces = (
            f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{_OFFICE}" '
            f'xmlns:a="{_DRAWING}/main" xmlns:pic="{_DRAWING}/picture" xmlns:wp="{_DRAWING}/wordprocessingDrawing"'
        )
        document = (
            f"<w:document {spaces}><w:body><w:p><w:r><w:t>{escape(body)}</w:t></w:r><w:r>{drawing}</w:r></w:p>"
            "</w:body></w:document>"
        )
        parts = {
            "[Content_Types].xml": _types(picture.ending),
            "_rels/.rels": _relations(("d1", "officeDocument", "word/document.xml")),
            "word/document.xml": document,
            "word/_rels/document.xml.rels": _relations(
                ("i1", "image", f"media/a.{picture.ending}")
            ),
            f"word/media/a.{picture.ending}": picture.build(planted),
        }
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in parts.items():
                archive.writestr(zipfile.ZipInfo(name), data)
        return buffer.getvalue()

    return build


def _types(ending: str) -> str:
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="{ending}" ContentType="image/{ending}"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_MAIN}"/></Types>'
    )


def _relations(*items: tuple[str, str, str]) -> str:
    inner = "".join(
        f'<Relationship Id="{i}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for i, kind, to in items
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'


PLACES = [
    *(Place(f"picture in odt: {picture.name}", "odt", _in_text(picture)) for picture in PICTURES),
    *(Place(f"picture in docx: {picture.name}", "docx", _in_word(picture)) for picture in PICTURES),
]

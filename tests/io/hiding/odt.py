# ruff: noqa: E501 - XML reads better in whole elements
"""Places of OpenDocument texts: elements, attributes, parts and the zip around them."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable
from urllib.parse import quote
from xml.sax.saxutils import escape

from . import Place
from .pictures import plain

_SPACES = {
    "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style", "form": "form",
    "meta": "meta", "script": "script", "config": "config", "number": "datastyle", "presentation": "presentation",
    "dr3d": "dr3d", "chart": "chart", "anim": "animation", "db": "database", "manifest": "manifest",
}  # fmt: skip
_NS = " ".join(
    f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for p, n in _SPACES.items()
)
_NS += (
    ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:math="http://www.w3.org/1998/Math/MathML"'
    ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    ' xmlns:grddl="http://www.w3.org/2003/g/data-view#" xmlns:xforms="http://www.w3.org/2002/xforms"'
)
_FONT = '<style:font-face style:name="Liberation Serif" svg:font-family="\'Liberation Serif\'"/>'


def package(body: str, *, inline: str = "", block: str = "", front: str = "", fonts: str = "", auto: str = "",
            styles: str = "", masters: str = "", prolog: str = "", root: str = "",
            parts: dict[str, bytes] | None = None, **raw: str) -> bytes:  # fmt: skip
    """A text document that shows `body`; the rest is XML put where it belongs."""
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}<office:document-content {_NS} office:version="1.3"{root}>'
        f"<office:font-face-decls>{_FONT}{fonts}</office:font-face-decls>"
        f"<office:automatic-styles>{auto}</office:automatic-styles><office:body><office:text>{front}"
        f'<text:p text:style-name="Standard">{escape(body)} {inline}</text:p>{block}</office:text></office:body>'
        "</office:document-content>"
    )
    look = (
        f'<office:document-styles {_NS} office:version="1.3"><office:font-face-decls>{_FONT}</office:font-face-decls>'
        f'<office:styles><style:style style:name="Standard" style:family="paragraph"/>{styles}</office:styles>'
        '<office:automatic-styles><style:page-layout style:name="Mpm1"/></office:automatic-styles><office:master-styles>'
        f'<style:master-page style:name="Standard" style:page-layout-name="Mpm1">{masters}</style:master-page>'
        "</office:master-styles></office:document-styles>"
    )
    manifest = f'<manifest:manifest {_NS} manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>{raw.get("entries", "")}</manifest:manifest>'
    members = {
        "mimetype": b"application/vnd.oasis.opendocument.text",
        "content.xml": content.encode(),
        "styles.xml": look.encode(),
        "META-INF/manifest.xml": manifest.encode(),
        **(parts or {}),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            if name == "content.xml":
                info.extra = _extra(raw.get("extra", ""))
                info.comment = raw.get("member_comment", "").encode()
            archive.writestr(info, data)
        archive.comment = raw.get("comment", "").encode()
    return buffer.getvalue()


def _extra(text: str) -> bytes:
    return b"\xfe\xca" + len(text).to_bytes(2, "little") + text.encode() if text else b""


def _meta(inner: str) -> bytes:
    return f"<office:document-meta {_NS}><office:meta>{inner}</office:meta></office:document-meta>".encode()


def _settings(inner: str) -> bytes:
    return f'<office:document-settings {_NS}><office:settings><config:config-item-set config:name="ooo:configuration-settings">{inner}</config:config-item-set></office:settings></office:document-settings>'.encode()


def encoded(text: str) -> str:
    """A name of a style as OpenDocument writes it: what is no letter or digit by its number."""
    return "".join(c if c.isalnum() else f"_{ord(c):x}_" for c in text)


# Places by where their XML stands. `{}` is the planted text, `{_}` the same as a name, `{%}` in an address,
# `{64}` in base64.
INLINE = {
    "condition of a conditional text": '<text:conditional-text text:condition="ooow:who==&quot;{}&quot;" text:string-value-if-true="a" text:string-value-if-false="b">b</text:conditional-text>',
    "value of a conditional text if true": '<text:conditional-text text:condition="ooow:x==1" text:string-value-if-true="{}" text:string-value-if-false="b">b</text:conditional-text>',
    "value of a conditional text if false": '<text:conditional-text text:condition="ooow:x==1" text:string-value-if-true="a" text:string-value-if-false="{}">a</text:conditional-text>',
    "hidden text": '<text:hidden-text text:condition="ooow:1" text:string-value="{}" text:is-hidden="true"/>',
    "condition of a hidden text": '<text:hidden-text text:condition="ooow:&quot;{}&quot;" text:string-value="x"/>',
    "condition of a hidden paragraph": '<text:hidden-paragraph text:condition="ooow:&quot;{}&quot;" text:is-hidden="true"/>',
    "bibliography author": '<text:bibliography-mark text:bibliography-type="book" text:identifier="a" text:author="{}">[a]</text:bibliography-mark>',
    "bibliography identifier": '<text:bibliography-mark text:bibliography-type="book" text:identifier="{}">[a]</text:bibliography-mark>',
    "bibliography title": '<text:bibliography-mark text:bibliography-type="book" text:identifier="a" text:title="{}">[a]</text:bibliography-mark>',
    "bibliography address": '<text:bibliography-mark text:bibliography-type="www" text:url="https://example.org/{%}">[a]</text:bibliography-mark>',
    "bibliography publisher": '<text:bibliography-mark text:bibliography-type="book" text:publisher="{}" text:school="{}">[a]</text:bibliography-mark>',
    "bibliography custom field": '<text:bibliography-mark text:bibliography-type="book" text:custom3="{}">[a]</text:bibliography-mark>',
    "bibliography type": '<text:bibliography-mark text:bibliography-type="{}">[a]</text:bibliography-mark>',
    "bookmark": '<text:bookmark text:name="{}"/>',
    "bookmark range": '<text:bookmark-start text:name="{_}"/>x<text:bookmark-end text:name="{_}"/>',
    "bookmark reference": '<text:bookmark-ref text:reference-format="text" text:ref-name="{}">x</text:bookmark-ref>',
    "reference mark": '<text:reference-mark text:name="{}"/>',
    "reference range": '<text:reference-mark-start text:name="{}"/>x<text:reference-mark-end text:name="{}"/>',
    "reference to a mark": '<text:reference-ref text:reference-format="text" text:ref-name="{}">x</text:reference-ref>',
    "note reference": '<text:note-ref text:note-class="footnote" text:ref-name="{_}">1</text:note-ref>',
    "sequence": '<text:sequence text:ref-name="ref{_}" text:name="{}" text:formula="ooow:{_}+1">1</text:sequence>',
    "sequence reference": '<text:sequence-ref text:ref-name="ref{_}">1</text:sequence-ref>',
    "variable set": '<text:variable-set text:name="{}" office:value-type="string" office:string-value="x">x</text:variable-set>',
    "variable value": '<text:variable-set text:name="v" office:value-type="string" office:string-value="{}" text:display="none"/>',
    "variable formula": '<text:variable-set text:name="v" office:value-type="string" text:formula="ooow:&quot;{}&quot;">x</text:variable-set>',
    "variable input": '<text:variable-input text:name="v" office:value-type="string" text:description="{}">x</text:variable-input>',
    "text input": '<text:text-input text:description="{}">x</text:text-input>',
    "user field": '<text:user-field-get text:name="{}">x</text:user-field-get>',
    "user field input": '<text:user-field-input text:name="v" text:description="{}">x</text:user-field-input>',
    "expression": '<text:expression text:formula="ooow:&quot;{}&quot;" office:value-type="string" office:string-value="{}">x</text:expression>',
    "database field": '<text:database-display text:database-name="{}" text:table-name="{}" text:table-type="table" text:column-name="{}">x</text:database-display>',
    "database name": '<text:database-name text:database-name="{}" text:table-name="t">x</text:database-name>',
    "database next row": '<text:database-next text:database-name="d" text:table-name="t" text:condition="&quot;{}&quot;"/>',
    "database row": '<text:database-row-select text:database-name="{}" text:table-name="{}" text:row-number="1"/>',
    "database connection": '<text:database-display text:table-name="t" text:column-name="c">x<form:connection-resource xlink:href="file:///home/{%}/a.odb"/></text:database-display>',
    "author field": "<text:author-name>{}</text:author-name>",
    "initials of the author": "<text:author-initials>{}</text:author-initials>",
    "sender field": "<text:sender-lastname>{}</text:sender-lastname> <text:sender-phone-private>{}</text:sender-phone-private>",
    "creator field": "<text:initial-creator>{}</text:initial-creator> <text:creator>{}</text:creator>",
    "file name field": '<text:file-name text:display="full">/home/{}/letter.odt</text:file-name>',
    "template field": '<text:template-name text:display="full">{}</text:template-name>',
    "chapter field": '<text:chapter text:display="name" text:outline-level="1">{}</text:chapter>',
    "title field": "<text:title>{}</text:title> <text:subject>{}</text:subject> <text:keywords>{}</text:keywords>",
    "user-defined field": '<text:user-defined text:name="{}">{}</text:user-defined>',
    "data of a date field": '<text:date text:date-value="{}" text:fixed="true">Monday</text:date>',
    "sheet of an alphabetical index": '<text:alphabetical-index-mark text:string-value="{}" text:key1="k"/>',
    "first key of an index": '<text:alphabetical-index-mark text:string-value="x" text:key1="{}"/>',
    "second key of an index": '<text:alphabetical-index-mark text:string-value="x" text:key2="{}" text:key2-phonetic="{}"/>',
    "phonetic of an index": '<text:alphabetical-index-mark text:string-value="x" text:string-value-phonetic="{}"/>',
    "range of an index": '<text:alphabetical-index-mark-start text:id="{_}" text:key1="{}"/>x<text:alphabetical-index-mark-end text:id="{_}"/>',
    "mark of a user index": '<text:user-index-mark text:string-value="{}" text:index-name="i"/>',
    "name of a user index": '<text:user-index-mark text:string-value="x" text:index-name="{}"/>',
    "mark of contents": '<text:toc-mark text:string-value="{}" text:outline-level="1"/>',
    "label of a note": '<text:note text:note-class="footnote" text:id="{_}"><text:note-citation text:label="{}">{}</text:note-citation><text:note-body><text:p>x</text:p></text:note-body></text:note>',
    "citation of a note": '<text:note text:note-class="footnote"><text:note-citation>{}</text:note-citation><text:note-body><text:p>x</text:p></text:note-body></text:note>',
    "note": '<text:note text:note-class="endnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>{}</text:p></text:note-body></text:note>',
    "class of a note": '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation><text:note-body><text:p>x</text:p></text:note-body></text:note>',
    "annotation": "<office:annotation><dc:creator>A</dc:creator><text:p>{}</text:p></office:annotation>",
    "author of an annotation": '<office:annotation office:name="__Annotation__1"><dc:creator>{}</dc:creator><text:p>x</text:p></office:annotation>',
    "name of an annotation": '<office:annotation office:name="{}"><dc:creator>A</dc:creator><text:p>x</text:p></office:annotation>x<office:annotation-end office:name="{}"/>',
    "date of an annotation": "<office:annotation><dc:creator>A</dc:creator><dc:date>{}</dc:date><text:p>x</text:p></office:annotation>",
    "initials of an annotation": "<office:annotation><dc:creator>A</dc:creator><meta:creator-initials>{}</meta:creator-initials><loext:sender-initials>{}</loext:sender-initials><text:p>x</text:p></office:annotation>",
    "frame name": '<draw:frame draw:name="{}" svg:width="2cm" svg:height="2cm"><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame>',
    "frame title": '<draw:frame draw:name="f" svg:width="2cm"><draw:text-box><text:p>x</text:p></draw:text-box><svg:title>{}</svg:title></draw:frame>',
    "frame description": '<draw:frame draw:name="f" svg:width="2cm"><draw:text-box><text:p>x</text:p></draw:text-box><svg:desc>{}</svg:desc></draw:frame>',
    "size of a frame": '<draw:frame draw:name="f" svg:width="{}"><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame>',
    "next of a chain of frames": '<draw:frame svg:width="2cm"><draw:text-box draw:chain-next-name="{}"><text:p>x</text:p></draw:text-box></draw:frame>',
    "text box": '<draw:frame svg:width="2cm"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>',
    "image map": '<draw:frame svg:width="2cm"><draw:text-box><text:p>x</text:p></draw:text-box><draw:image-map><draw:area-rectangle svg:x="0cm" svg:y="0cm" svg:width="1cm" svg:height="1cm" xlink:href="https://example.org/{%}" office:name="{}"><svg:desc>{}</svg:desc></draw:area-rectangle></draw:image-map></draw:frame>',
    "name of a link": '<text:a xlink:href="https://example.org/" office:name="{}">x</text:a>',
    "title of a link": '<text:a xlink:href="https://example.org/" office:title="{}" xlink:title="{}">x</text:a>',
    "target frame of a link": '<text:a xlink:href="https://example.org/" office:target-frame-name="{}">x</text:a>',
    "address of a link": '<text:a xlink:href="https://example.org/{%}">x</text:a>',
    "address of a mail": '<text:a xlink:href="mailto:a@example.org?subject={%}">x</text:a>',
    "place in the document": '<text:a xlink:href="#{%}|outline">x</text:a>',
    "base64 in a link": '<text:a xlink:href="data:text/plain;base64,{64}">x</text:a>',
    "base64 in the query of a link": '<text:a xlink:href="https://example.org/?q={64}">x</text:a>',
    "style of a visited link": '<text:a xlink:href="https://example.org/" text:style-name="{_}" text:visited-style-name="{_}">x</text:a>',
    "placeholder": '<text:placeholder text:placeholder-type="text" text:description="{}">&lt;{}&gt;</text:placeholder>',
    "listener of a link": '<text:a xlink:href="https://example.org/">x<office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:click" xlink:href="vnd.sun.star.script:{_}?language=Basic"/></office:event-listeners></text:a>',
    "macro field": '<text:execute-macro text:name="{}">x</text:execute-macro>',
    "script field": '<text:script script:language="JavaScript">alert("{}")</text:script>',
    "address of a script": '<text:script script:language="JavaScript" xlink:href="file:///{%}"/>',
    "ruby": '<text:ruby><text:ruby-base>x</text:ruby-base><text:ruby-text text:style-name="Rubies">{}</text:ruby-text></text:ruby>',
    "ruby base": "<text:ruby><text:ruby-base>{}</text:ruby-base><text:ruby-text>x</text:ruby-text></text:ruby>",
    "subject of metadata": '<text:meta xml:id="m1" xhtml:about="{%}" xhtml:property="dc:name" xhtml:content="{}">x</text:meta>',
    "identifier of an element": '<text:span xml:id="{_}">x</text:span>',
    "metadata field": '<text:meta-field xml:id="{_}" style:data-style-name="{_}">{}</text:meta-field>',
    "style of a span": '<text:span text:style-name="{_}" text:class-names="{_}">x</text:span>',
    "dde field": '<text:dde-connection text:connection-name="{}">x</text:dde-connection>',
    "measure": '<text:measure text:kind="{}">x</text:measure>',
    "drop-down": '<text:drop-down text:name="{}"><text:label text:value="{}" text:current-selected="true"/>x</text:drop-down>',
    "content control": '<loext:content-control loext:alias="{}" loext:tag="{}"><loext:list-item loext:display-text="{}" loext:value="{}"/>x</loext:content-control>',
    "text of a content control": "<loext:content-control>{}</loext:content-control>",
    "foreign element": '<x:y xmlns:x="urn:x" z="{}">{}</x:y>',
    "foreign attribute": '<text:span xmlns:x="urn:x" x:y="{}">x</text:span>',
    "name of an attribute": '<text:span text:{_}="1">x</text:span>',
    "name of an element": "<text:{_}>x</text:{_}>",
    "namespace": '<x:y xmlns:x="urn:{%}"/>',
    "namespace of a kept element": '<text:span xmlns:x="urn:{%}">x</text:span>',
    "comment in the XML": "<!--{}-->",
    "instruction in the XML": "<?note {}?>",
    "marked section": "<![CDATA[{}]]>",
    "text in spans": "<text:span>{0}</text:span><text:span>{1}</text:span>",
    "text around a bookmark": '{0}<text:bookmark text:name="b"/>{1}',
    "text around a page break": "{0}<text:soft-page-break/>{1}",
    "text around a note": '{0}<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>x</text:p></text:note-body></text:note>{1}',
    "formula object": '<draw:frame svg:width="2cm"><draw:object><math:math><math:semantics><math:mi>x</math:mi><math:annotation math:encoding="StarMath 5.0">{}</math:annotation></math:semantics></math:math></draw:object></draw:frame>',
    "frame of another page": '<draw:frame svg:width="2cm"><draw:floating-frame draw:frame-name="{}" xlink:href="https://example.org/{%}"/></draw:frame>',
    "plugin": '<draw:frame svg:width="2cm"><draw:plugin xlink:href="a.swf" draw:mime-type="x/y"><draw:param draw:name="{}" draw:value="{}"/></draw:plugin></draw:frame>',
    "applet": '<draw:frame svg:width="2cm"><draw:applet draw:code="{}" draw:archive="{}"/></draw:frame>',
    "picture in the text": '<draw:frame svg:width="2cm"><draw:image><office:binary-data>{64}</office:binary-data></draw:image></draw:frame>',
    "linked picture": '<draw:frame svg:width="2cm"><draw:image xlink:href="file:///home/{%}/a.png"/></draw:frame>',
    "filter of a picture": '<draw:frame svg:width="2cm"><draw:image draw:filter-name="{}" loext:mime-type="{}" xlink:href="Pictures/none.png"/></draw:frame>',
    "shape": '<draw:custom-shape draw:name="{}" svg:width="2cm" svg:height="2cm"><svg:title>{}</svg:title><text:p>{}</text:p><draw:enhanced-geometry draw:type="rectangle" svg:viewBox="0 0 100 100"/></draw:custom-shape>',
    "geometry of a shape": '<draw:custom-shape svg:width="2cm" svg:height="2cm"><draw:enhanced-geometry draw:type="{}" draw:text-path="true" draw:enhanced-path="M {} L 0 0" draw:modifiers="{}"><draw:equation draw:name="{}" draw:formula="{}"/></draw:enhanced-geometry></draw:custom-shape>',
    "points of a shape": '<draw:polygon svg:width="2cm" svg:viewBox="{}" draw:points="{}"/>',
    "path of a shape": '<draw:path svg:width="2cm" svg:viewBox="0 0 1 1" svg:d="M {} z"/>',
    "three dimensions": '<dr3d:scene draw:name="{}" dr3d:vrp="({} 0 0)"><dr3d:cube draw:id="{_}"/></dr3d:scene>',
    "identifier of a shape": '<draw:rect draw:id="{_}" svg:width="1cm" draw:layer="{}"/><draw:connector draw:start-shape="{_}" svg:d="M0 0"/>',
    "control on a page": '<draw:control draw:control="{_}" svg:width="2cm" svg:height="1cm"/>',
    "change mark": '<text:change text:change-id="{_}"/>',
}  # fmt: skip
BLOCK = {
    "section name": '<text:section text:name="{}"><text:p>x</text:p></text:section>',
    "condition of a section": '<text:section text:name="s" text:display="condition" text:condition="ooow:&quot;{}&quot;"><text:p>x</text:p></text:section>',
    "hidden section": '<text:section text:name="s" text:display="none"><text:p>{}</text:p></text:section>',
    "key of a section": '<text:section text:name="s" text:protected="true" text:protection-key="{64}"><text:p>x</text:p></text:section>',
    "source of a section": '<text:section text:name="s"><text:section-source xlink:href="file:///home/{%}/a.odt" text:section-name="{}" text:filter-name="{}"/><text:p>x</text:p></text:section>',
    "dde source": '<text:section text:name="s"><office:dde-source office:name="{}" office:dde-application="soffice" office:dde-topic="{}" office:dde-item="{}"/><text:p>x</text:p></text:section>',
    "table name": '<table:table table:name="{}"><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "table template": '<table:table table:name="t" table:template-name="{}"><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "table title": '<table:table table:name="t"><table:title>{}</table:title><table:desc>{}</table:desc><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "key of a table": '<table:table table:name="t" table:protected="true" table:protection-key="{64}" table:protection-key-digest-algorithm="{}"><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "formula of a cell": '<table:table table:name="t"><table:table-column/><table:table-row><table:table-cell table:formula="ooow:&quot;{}&quot;" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "text behind a cell": '<table:table table:name="t"><table:table-column/><table:table-row><table:table-cell office:value-type="string" office:string-value="{}"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "number behind a cell": '<table:table table:name="t"><table:table-column/><table:table-row><table:table-cell office:value-type="float" office:value="{}"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "cell": '<table:table table:name="t"><table:table-column/><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row></table:table>',
    "covered cell": '<table:table table:name="t"><table:table-column/><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>x</text:p></table:table-cell><table:covered-table-cell><text:p>{}</text:p></table:covered-table-cell></table:table-row></table:table>',
    "validation of a cell": '<table:table table:name="t"><table:table-column/><table:table-row><table:table-cell table:content-validation-name="{}"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "linked table": '<table:table table:name="t"><table:table-source xlink:href="file:///{%}" table:table-name="{}"/><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    "text between paragraphs": "{}",
    "text in a list outside of its paragraphs": "<text:list><text:list-item>{}<text:p>x</text:p></text:list-item></text:list>",
    "number of a list item": "<text:list><text:list-item><text:number>{}</text:number><text:p>x</text:p></text:list-item></text:list>",
    "list": '<text:list xml:id="{_}" text:continue-list="{_}" text:style-name="{_}"><text:list-header><text:p>{}</text:p></text:list-header></text:list>',
    "paragraph style": '<text:p text:style-name="{_}" text:cond-style-name="{_}">x</text:p>',
    "paragraph identifier": '<text:p xml:id="{_}" text:id="{_}">x</text:p>',
    "heading": '<text:h text:outline-level="1"><text:number>{}</text:number> {}</text:h>',
    "name of an index": '<text:table-of-content text:name="{}"><text:table-of-content-source><text:index-title-template>{}</text:index-title-template><text:table-of-content-entry-template text:outline-level="1" text:style-name="{_}"><text:index-entry-span>{}</text:index-entry-span></text:table-of-content-entry-template></text:table-of-content-source><text:index-body><text:index-title text:name="{}"><text:p>x</text:p></text:index-title></text:index-body></text:table-of-content>',
    "entries of an index": "<text:alphabetical-index text:name='i'><text:alphabetical-index-source text:main-entry-style-name='{_}'/><text:index-body><text:p>{}</text:p></text:index-body></text:alphabetical-index>",
    "bibliography": "<text:bibliography text:name='b'><text:bibliography-source/><text:index-body><text:p>{}</text:p></text:index-body></text:bibliography>",
    "user index": "<text:user-index text:name='{}'><text:user-index-source text:index-name='{}'/><text:index-body><text:p>x</text:p></text:index-body></text:user-index>",
    "foreign block": '<x:y xmlns:x="urn:x"><text:p>{}</text:p></x:y>',
    "page sequence": '<text:page-sequence><text:page text:master-page-name="{_}"/></text:page-sequence>',
    "link around a shape": '<draw:a xlink:href="https://example.org/{%}" office:name="{}"><draw:frame svg:width="1cm"><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:a>',
    "numbered paragraph": '<text:numbered-paragraph text:list-id="{_}"><text:number>{}</text:number><text:p>x</text:p></text:numbered-paragraph>',
}  # fmt: skip
FRONT = {
    "author of a change": '<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:insertion><office:change-info><dc:creator>{}</dc:creator><dc:date>2021-05-03T00:00:00</dc:date></office:change-info></text:insertion></text:changed-region></text:tracked-changes>',
    "deleted text": '<text:tracked-changes text:protection-key="{64}"><text:changed-region text:id="{_}"><text:deletion><office:change-info><dc:creator>A</dc:creator><text:p>{}</text:p></office:change-info><text:p>{}</text:p></text:deletion></text:changed-region></text:tracked-changes>',
    "declared variable": '<text:variable-decls><text:variable-decl text:name="{}" office:value-type="string"/></text:variable-decls>',
    "declared user field": '<text:user-field-decls><text:user-field-decl text:name="{}" office:value-type="string" office:string-value="x"/></text:user-field-decls>',
    "value of a user field": '<text:user-field-decls><text:user-field-decl text:name="u" office:value-type="string" office:string-value="{}"/></text:user-field-decls>',
    "formula of a user field": '<text:user-field-decls><text:user-field-decl text:name="u" office:value-type="string" text:formula="ooow:&quot;{}&quot;" office:string-value="x"/></text:user-field-decls>',
    "declared sequence": '<text:sequence-decls><text:sequence-decl text:name="{}" text:display-outline-level="0" text:separation-character="."/></text:sequence-decls>',
    "declared dde": '<text:dde-connection-decls><text:dde-connection-decl office:name="{}" office:dde-application="soffice" office:dde-topic="{}" office:dde-item="x"/></text:dde-connection-decls>',
    "file of an index": '<text:alphabetical-index-auto-mark-file xlink:href="file:///home/{%}/a.sdi"/>',
    "calculation": '<table:calculation-settings table:null-year="{}"/>',
    "validation": '<table:content-validations><table:content-validation table:name="{}" table:condition="cell-content()=&quot;{}&quot;"><table:help-message table:title="{}"><text:p>{}</text:p></table:help-message></table:content-validation></table:content-validations>',
    "form name": '<office:forms><form:form form:name="{}"><form:text xml:id="c1" form:id="c1" form:name="n"/></form:form></office:forms>',
    "target of a form": '<office:forms><form:form form:name="f" xlink:href="https://example.org/{%}" office:target-frame="{}" form:datasource="{}" form:command="{}" form:filter="{}"/></office:forms>',
    "control name": '<office:forms><form:form><form:text xml:id="c1" form:name="{}"/></form:form></office:forms>',
    "control value": '<office:forms><form:form><form:text xml:id="c1" form:value="{}"/></form:form></office:forms>',
    "current value of a control": '<office:forms><form:form><form:textarea xml:id="c1" form:current-value="{}"><text:p>{}</text:p></form:textarea></form:form></office:forms>',
    "control label": '<office:forms><form:form><form:checkbox xml:id="c1" form:label="{}"/></form:form></office:forms>',
    "control title": '<office:forms><form:form><form:button xml:id="c1" form:title="{}" form:label="x"/></form:form></office:forms>',
    "control for": '<office:forms><form:form><form:fixed-text xml:id="c1" form:for="{_}" form:label="x"/></form:form></office:forms>',
    "control field": '<office:forms><form:form><form:text xml:id="c1" form:data-field="{}" form:linked-cell="{}" form:convert-empty-to-null="{}"/></form:form></office:forms>',
    "options of a list": '<office:forms><form:form><form:listbox xml:id="c1"><form:option form:label="{}" form:value="{}"/></form:listbox></form:form></office:forms>',
    "items of a combination": '<office:forms><form:form><form:combobox xml:id="c1"><form:item form:label="{}"/></form:combobox></form:form></office:forms>',
    "source of a list": '<office:forms><form:form><form:listbox xml:id="c1" form:list-source="{}" form:list-source-type="value-list"/></form:form></office:forms>',
    "hidden control": '<office:forms><form:form><form:hidden xml:id="c1" form:name="h" form:value="{}"/></form:form></office:forms>',
    "picture button": '<office:forms><form:form><form:image xml:id="c1" form:image-data="file:///{%}" form:value="{}"/></form:form></office:forms>',
    "control identifier": '<office:forms><form:form><form:text xml:id="{_}" form:id="{_}"/></form:form></office:forms>',
    "control implementation": '<office:forms><form:form><form:text xml:id="c1" form:control-implementation="ooo:com.sun.star.form.component.{_}"/></form:form></office:forms>',
    "control properties": '<office:forms><form:form><form:text xml:id="c1"><form:properties><form:property form:property-name="HelpText" office:value-type="string" office:string-value="{}"/><form:list-property form:property-name="{}"><form:list-value office:string-value="{}"/></form:list-property></form:properties></form:text></form:form></office:forms>',
    "control listener": '<office:forms><form:form><form:button xml:id="c1"><office:event-listeners><script:event-listener script:event-name="dom:click" xlink:href="{%}"/></office:event-listeners></form:button></form:form></office:forms>',
    "file control": '<office:forms><form:form><form:file xml:id="c1" form:value="/home/{}" form:current-value="{}"/><form:password xml:id="c2" form:value="{}" form:echo-char="*"/></form:form></office:forms>',
    "number control": '<office:forms><form:form><form:formatted-text xml:id="c1" form:value="{}" form:max-value="{}" form:validation="true"/><form:number xml:id="c2" form:value="{}"/></form:form></office:forms>',
    "grid control": '<office:forms><form:form><form:grid xml:id="c1"><form:column form:name="{}" form:label="{}"><form:text xml:id="c2"/></form:column></form:grid></form:form></office:forms>',
    "xforms model": '<office:forms><xforms:model id="{_}"><xforms:instance><who>{}</who></xforms:instance></xforms:model></office:forms>',
    "connection of a form": '<office:forms><form:form><form:connection-resource xlink:href="{%}"/></form:form></office:forms>',
}  # fmt: skip
AUTO = {
    "automatic style": '<style:style style:name="{_}" style:family="text"><style:text-properties fo:color="#ff0000"/></style:style>',
    "shown name of a style": '<style:style style:name="P1" style:display-name="{}" style:family="paragraph"/>',
    "parent of a style": '<style:style style:name="P1" style:parent-style-name="{_}" style:next-style-name="{_}" style:family="paragraph"/>',
    "list of a style": '<style:style style:name="P1" style:list-style-name="{_}" style:master-page-name="{_}" style:data-style-name="{_}" style:family="paragraph"/>',
    "class of a style": '<style:style style:name="P1" style:family="paragraph" style:class="{}"/>',
    "family of a style": '<style:style style:name="P1" style:family="{}"/>',
    "condition of a style": '<style:style style:name="P1" style:family="paragraph"><style:map style:condition="value()=&quot;{}&quot;" style:apply-style-name="{_}" style:base-cell-address="{_}.A1"/></style:style>',
    "font of a style": '<style:style style:name="P1" style:family="paragraph"><style:text-properties style:font-name="{}" fo:font-family="{}" style:font-style-name="{}"/></style:style>',
    "colour of a style": '<style:style style:name="P1" style:family="paragraph"><style:text-properties fo:color="{}" fo:background-color="{}"/></style:style>',
    "language of a style": '<style:style style:name="P1" style:family="paragraph"><style:text-properties fo:language="{}" fo:country="{}" style:rfc-language-tag="{_}"/></style:style>',
    "tab of a style": '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties><style:tab-stops><style:tab-stop style:position="1cm" style:leader-text="{}" style:leader-style="{}"/></style:tab-stops></style:paragraph-properties></style:style>',
    "background of a style": '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties><style:background-image xlink:href="file:///{%}" style:filter-name="{}"/></style:paragraph-properties></style:style>',
    "format of a list": '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="{}" style:num-suffix="{}"/></text:list-style>',
    "number format of a list": '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="{}" loext:num-list-format="{}%1%"/></text:list-style>',
    "bullet of a list": '<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1" text:bullet-char="{}"/></text:list-style>',
    "name of a list style": '<text:list-style style:name="{_}" style:display-name="{}"><text:list-level-style-number text:level="1" text:style-name="{_}" style:num-format="1"/></text:list-style>',
    "text of a number format": '<number:number-style style:name="N1"><number:text>{}</number:text><number:number number:min-integer-digits="1"/></number:number-style>',
    "title of a number format": '<number:number-style style:name="N1" number:title="{}" number:transliteration-format="{}"><number:number><number:embedded-text number:position="1">{}</number:embedded-text></number:number></number:number-style>',
    "currency of a number format": '<number:currency-style style:name="N1"><number:currency-symbol number:language="{}">{}</number:currency-symbol></number:currency-style>',
    "date format": '<number:date-style style:name="{_}"><number:day/><number:text>{}</number:text></number:date-style>',
    "text in styles": "{}",
    "foreign style": '<x:y xmlns:x="urn:x">{}</x:y>',
}  # fmt: skip
STYLES = {
    "named style": '<style:style style:name="{_}" style:display-name="{}" style:family="paragraph" style:class="text"/>',
    "marker": '<draw:marker draw:name="{_}" draw:display-name="{}" svg:viewBox="0 0 20 30" svg:d="m10 0-10 30h20z"/>',
    "gradient": '<draw:gradient draw:name="{_}" draw:display-name="{}" draw:style="linear"/>',
    "hatch": '<draw:hatch draw:name="{_}" draw:display-name="{}" draw:style="single"/>',
    "dash": '<draw:stroke-dash draw:name="{_}" draw:display-name="{}" draw:style="rect"/>',
    "fill picture": '<draw:fill-image draw:name="{_}" draw:display-name="{}" xlink:href="file:///{%}"/>',
    "notes": '<text:notes-configuration text:note-class="footnote" text:citation-style-name="{_}" style:num-prefix="{}"><text:note-continuation-notice-forward>{}</text:note-continuation-notice-forward></text:notes-configuration>',
    "outline": '<text:outline-style style:name="{_}"><text:outline-level-style text:level="1" style:num-format="1" style:num-prefix="{}"/></text:outline-style>',
    "line numbers": '<text:linenumbering-configuration text:style-name="{_}"><text:linenumbering-separator>{}</text:linenumbering-separator></text:linenumbering-configuration>',
    "bibliography settings": '<text:bibliography-configuration text:prefix="{}" text:suffix="{}"/>',
    "table template style": '<table:table-template table:name="{}"><table:first-row table:style-name="{_}"/></table:table-template>',
}  # fmt: skip
MASTERS = {
    "header": "<style:header><text:p>{}</text:p></style:header>",
    "hidden header": '<style:header style:display="false"><text:p>{}</text:p></style:header>',
    "footer": "<style:footer><text:p>{}</text:p></style:footer>",
    "left header": "<style:header-left><text:p>{}</text:p></style:header-left>",
    "first footer": "<style:footer-first><text:p>{}</text:p></style:footer-first>",
    "region of a header": "<style:header><style:region-left><text:p>{}</text:p></style:region-left></style:header>",
    "loose text of a master page": "{}",
    "presentation notes": "<presentation:notes><draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame></presentation:notes>",
    "forms of a master page": '<office:forms><form:form form:name="{}"/></office:forms>',
}  # fmt: skip
FONTS = {
    "font": '<style:font-face style:name="F1" svg:font-family="{}"/>',
    "name of a font": '<style:font-face style:name="{}" svg:font-family="Arial" style:font-adornments="{}" style:font-charset="{}"/>',
    "source of a font": '<style:font-face style:name="F1" svg:font-family="Arial"><svg:font-face-src><svg:font-face-uri xlink:href="Fonts/{%}.ttf"><svg:font-face-format svg:string="{}"/></svg:font-face-uri></svg:font-face-src></style:font-face>',
}  # fmt: skip
_META = {
    "title property": "<dc:title>{}</dc:title>",
    "creator property": "<meta:initial-creator>{}</meta:initial-creator><dc:creator>{}</dc:creator>",
    "printed by": "<meta:printed-by>{}</meta:printed-by>",
    "keyword": "<meta:keyword>{}</meta:keyword>",
    "description property": "<dc:description>{}</dc:description><dc:subject>{}</dc:subject>",
    "user-defined property": '<meta:user-defined meta:name="{}">{}</meta:user-defined>',
    "template property": '<meta:template xlink:href="file:///{%}" xlink:title="{}"/>',
    "generator": "<meta:generator>{}</meta:generator>",
    "reload": '<meta:auto-reload xlink:href="https://example.org/{%}"/>',
    "default target": '<meta:hyperlink-behaviour office:target-frame-name="{}"/>',
}
_SETTINGS = {
    "printer": '<config:config-item config:name="PrinterName" config:type="string">{}</config:config-item>',
    "printer setup": '<config:config-item config:name="PrinterSetup" config:type="base64Binary">{64}</config:config-item>',
    "database setting": '<config:config-item config:name="CurrentDatabaseDataSource" config:type="string">{}</config:config-item>',
    "name of a setting": '<config:config-item config:name="{}" config:type="string">x</config:config-item>',
}
_PARTS = {
    "thumbnail": "Thumbnails/thumbnail.png",
    "macro": "Basic/Standard/Module1.xml",
    "library": "Basic/script-lc.xml",
    "python macro": "Scripts/python/a.py",
    "toolbar": "Configurations2/toolbar/custom.xml",
    "accelerator": "Configurations2/accelerator/current.xml",
    "signature": "META-INF/documentsignatures.xml",
    "macro signature": "META-INF/macrosignatures.xml",
    "manifest of metadata": "manifest.rdf",
    "metadata graph": "metadata/a.rdf",
    "embedded object": "Object 1/content.xml",
    "data of an embedded object": "Object 2",
    "picture of an object": "ObjectReplacements/Object 1",
    "unused picture": "Pictures/a.png",
    "layout cache": "layout-cache",
    "embedded font": "Fonts/a.ttf",
    "version list": "VersionList.xml",
    "old version": "Versions/Version1",
    "dialogue": "Dialogs/Standard/dialog.xml",
    "database": "database/script",
    "unknown part": "x/y.bin",
}


def _filled(xml: str, planted: str) -> str:
    half = len(planted) // 2
    forms = {
        "{}": escape(planted, {'"': "&quot;"}),
        "{_}": "n" + encoded(planted),
        "{%}": quote(planted),
        "{64}": base64.b64encode(planted.encode()).decode(),
        "{0}": escape(planted[:half]),
        "{1}": escape(planted[half:]),
    }
    for mark, text in forms.items():
        xml = xml.replace(mark, text)
    return xml


def _placed(where: str, xml: str) -> Callable[[str, str], bytes]:
    return lambda planted, body: package(body, **{where: _filled(xml, planted)})  # type: ignore[arg-type]


def _in_part(name: str, wrap: Callable[[str], bytes] = str.encode) -> Callable[[str, str], bytes]:
    return lambda planted, body: package(body, parts={name: wrap(planted)})


def _around(**where: str) -> Callable[[str, str], bytes]:
    return lambda planted, body: package(
        body, **{k: v.replace("{}", planted) for k, v in where.items()}
    )  # type: ignore[arg-type]


def _appended(planted: str, body: str) -> bytes:
    return b"#!" + planted.encode() + b"\n" + package(body)


def _used_style(planted: str, body: str) -> bytes:
    name = _filled("{_}", planted)
    style = f'<style:style style:name="{name}" style:display-name="{escape(planted)}" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    return package(body, styles=style, inline=f'<text:span text:style-name="{name}">x</text:span>')


def _named_picture(planted: str, body: str) -> bytes:
    frame = f'<draw:frame svg:width="1cm"><draw:image xlink:href="Pictures/{quote(planted)}.png"/></draw:frame>'
    return package(body, inline=frame, parts={f"Pictures/{planted}.png": plain("PNG")})


_WHERE = {
    "inline": INLINE, "block": BLOCK, "front": FRONT, "auto": AUTO, "styles": STYLES, "masters": MASTERS, "fonts": FONTS
}  # fmt: skip
_MADE: dict[str, Callable[[str, str], bytes]] = {
    **{name: _placed(where, xml) for where, table in _WHERE.items() for name, xml in table.items()},
    **{n: (lambda p, b, x=x: package(b, parts={"meta.xml": _meta(_filled(x, p))})) for n, x in _META.items()},
    **{n: (lambda p, b, x=x: package(b, parts={"settings.xml": _settings(_filled(x, p))})) for n, x in _SETTINGS.items()},
    **{name: _in_part(part) for name, part in _PARTS.items()},
    "comment of the zip": _around(comment="{}"),
    "extra field of the zip": _around(extra="{}"),
    "comment of a member": _around(member_comment="{}"),
    "name of a member": lambda planted, body: package(body, parts={f"{planted}/a.xml": b"<a/>"}),
    "name of a folder": lambda planted, body: package(body, parts={f"{planted}/": b""}),
    "bytes before the zip": _appended,
    "entry of the manifest": lambda p, b: package(
        b, entries=f'<manifest:file-entry manifest:full-path="{escape(p)}" manifest:media-type="{escape(p)}"/>'
    ),
    "comment before the document": lambda p, b: package(b, prolog=f"<!--{p}-->"),
    "instruction before the document": lambda p, b: package(b, prolog=f"<?x {p}?>"),
    "attribute of the root": lambda p, b: package(b, root=f' grddl:transformation="{quote(p)}"'),
    "namespace of the root": lambda p, b: package(b, root=f' xmlns:x="urn:{quote(p)}"'),
    "document type": lambda p, b: package(b, prolog=f'<!DOCTYPE x [<!ENTITY e "{p}">]>'),
    "style that is used": _used_style,
    "file name of a picture": _named_picture,
}  # fmt: skip

PLACES = [Place(f"odt: {name}", "odt", build) for name, build in _MADE.items()]

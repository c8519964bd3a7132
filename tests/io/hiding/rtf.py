# ruff: noqa: E501 - a place reads better in one line
"""Places of rich text: destinations, properties, fields, and the ways in which a letter can be written."""

from __future__ import annotations

from collections.abc import Callable

from . import Place


def file(body: str, *, head: str = "", text: str = "") -> bytes:
    """A document that shows `body`; `head` stands before it, `text` behind it."""
    start = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Helvetica;}}{\colortbl;\red255\green0\blue0;}"
    return f"{start}{head}\\pard {body}\\par {text}}}".encode("latin-1")


def _head(rtf: str) -> Callable[[str, str], bytes]:
    return lambda planted, body: file(body, head=rtf.replace("{}", planted))


def _text(rtf: str) -> Callable[[str, str], bytes]:
    return lambda planted, body: file(body, text=rtf.replace("{}", planted))


def _spelt(sign: Callable[[str], str]) -> Callable[[str, str], bytes]:
    return lambda planted, body: file(body, text="".join(map(sign, planted)))


def _between(rtf: str) -> Callable[[str, str], bytes]:
    return lambda planted, body: file(body, text=planted[:4] + rtf + planted[4:])


_HEAD = {
    "author": r"{\info{\author {}}}",
    "operator": r"{\info{\operator {}}}",
    "title": r"{\info{\title {}}{\subject {}}}",
    "manager and company": r"{\info{\manager {}}{\company {}}}",
    "keywords": r"{\info{\keywords {}}{\category {}}}",
    "comment of the document": r"{\info{\doccomm {}}{\*\comment {}}}",
    "own property": r"{\*\userprops{\propname {}}\proptype30{\staticval {}}}",
    "document variable": r"{\*\docvar {who}{{}}}",
    "generator": r"{\*\generator {};}",
    "template": r"{\*\template C:\\Users\\{}\\a.dot}",
    "style": r"{\stylesheet{\s1 {};}}",
    "font": r"{\fonttbl{\f1\fswiss{\*\falt {}}{};}}",
    "list": r"{\*\listtable{\list{\listname {};}\listid1}}",
    "authors of revisions": r"{\*\revtbl{Unknown;}{{};}}",
    "protected users": r"{\*\protusertbl{{}}}",
    "file table": r"{\filetbl{\file\fid0 C:\\{}.rtf}}",
    "mail merge": r"{\*\mailmerge{\mmdatasource {}}}",
    "XML namespaces": r"{\*\xmlnstbl{\xmlns1 urn:{};}}",
    "theme": r"{\*\themedata 504b0304{}}",
    "unknown destination": r"{\*\foo {}}",
    "password": r"{\*\passwordhash {}}",
    "header": r"{\header {}\par}",
    "footer": r"{\footer {}\par}",
    "first header": r"{\headerf {}\par}",
    "footnote separator": r"{\ftnsep {}\par}",
}
_BODY = {
    "text": "{}",
    "bold half": r"{\b {}}",
    "hidden text": r"{\v {}}",
    "deleted text": r"{\deleted\revauthdel1 {}}",
    "white text": r"{\cf1 {}}",
    "footnote": r"x{\footnote {}}",
    "comment": r"{\*\atnid ZK}{\*\atnauthor {}}\chatn{\*\annotation {}}",
    "bookmark": r"{\*\bkmkstart {}}x{\*\bkmkend {}}",
    "link": r'{\field{\*\fldinst{HYPERLINK "mailto:{}"}}{\fldrslt{x}}}',
    "field result": r"{\field{\*\fldinst{AUTHOR}}{\fldrslt{{}}}}",
    "form field": r"{\field{\*\fldinst{FORMTEXT{\*\formfield{\fftype0\ffname {}\ffdeftext {}\ffhelptext {}}}}}{\fldrslt{x}}}",
    "drop-down": r"{\field{\*\fldinst{FORMDROPDOWN{\*\formfield{\fftype2{\*\ffl {}}}}}}{\fldrslt{x}}}",
    "index entry": r"{\xe {}}",
    "entry of contents": r"{\tc {}}",
    "picture": r"{\pict{\*\picprop{\sp{\sn wzDescription}{\sv {}}}}\pngblip 89504e47}",
    "shape": r"{\shp{\*\shpinst{\sp{\sn wzName}{\sv {}}}{\shptxt {}\par}}}",
    "object": r"{\object\objemb{\*\objclass {}}{\*\objname {}}{\*\objdata 0105}{\result x}}",
    "table cell": r"\trowd\cellx4000 {}\cell\row",
    "list text": r"{\listtext {}\tab}x",
    "math": r"{\*\moMath{\mr {}}}",
    "custom XML": r"{\*\xmlopen\xmlns1{\xmlname {}}}x{\*\xmlclose}",
    "data store": r"{\*\datastore {}}",
}
_WAYS: dict[str, Callable[[str, str], bytes]] = {
    "bytes in hexadecimal": _spelt(lambda sign: f"\\'{ord(sign):02x}"),
    "Unicode numbers": _spelt(lambda sign: f"\\u{ord(sign)}?"),
    "Unicode numbers without a substitute": _spelt(lambda sign: f"\\uc0\\u{ord(sign)} "),
    "each letter in a group": _spelt(lambda sign: "{\\b " + sign + "}"),
    "a line between": _between("\r\n"),
    "an optional hyphen between": _between("\\-"),
    "an empty group between": _between("{}"),
    "a bookmark between": _between("{\\*\\bkmkstart a}"),
    "formatting between": _between("\\b0\\i "),
    "a sign of no width between": _between("\\zwj "),
    "after the end": lambda planted, body: file(body) + planted.encode(),
}
_MADE = (
    {name: _head(rtf) for name, rtf in _HEAD.items()}
    | {name: _text(rtf) for name, rtf in _BODY.items()}
    | _WAYS
)

PLACES = [Place(f"rtf: {name}", "rtf", build) for name, build in _MADE.items()]

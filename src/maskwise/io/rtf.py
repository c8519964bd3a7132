"""Rich Text Format, read only: its text is taken out and written as plain text, so nothing of the file itself stays."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated

from maskwise.errors import InputError, PluginError
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

# Signs of no width: they part a name that is whole to the eye.
_UNSEEN = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:-|zwn?j ?|zwn?bo ?)")
_OBJECT = re.compile(rb"\\(?:pict|object)(?![a-z])")


@dataclass(frozen=True)
class Rtf:
    """Rich text in, plain text in UTF-8 out."""

    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    suffix = ".txt"

    def read(self, raw: bytes, name: str) -> Loaded:
        self.limits.allow(name, "file", len(raw))
        try:
            from striprtf.striprtf import rtf_to_text
        except ImportError:
            raise PluginError(".rtf files need striprtf: pip install 'maskwise[office]'") from None
        if not raw.lstrip().startswith(b"{\\rtf"):
            raise InputError(f"{name}: not rich text")
        try:
            text = rtf_to_text(_UNSEEN.sub(r"\1", raw.decode("latin-1")), errors="replace")  # type: ignore[no-untyped-call]
        except Exception as error:  # its messages quote the text
            raise InputError(
                f"{name}: rich text that cannot be read ({type(error).__name__})"
            ) from None
        objects = len(_OBJECT.findall(raw))
        left = (f"pictures and embedded objects left out: {objects}",) if objects else ()
        return Loaded((text,), notes=("layout left out: rich text is written as plain text", *left))

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        return masked[0].encode("utf-8", "replace")

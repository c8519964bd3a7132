"""What a policy says beside its parts: where pseudonyms hold, and how files are read and written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from maskwise import io
from maskwise.text import EntityType

Count = Annotated[int, Field(ge=1)]

Scope = Literal["document", "corpus", "vault"]


class SettingGroup(BaseModel):
    """A group of keys that names no part."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class VaultSettings(SettingGroup):
    """Where pseudonyms are kept between runs: the file `path`, made if missing, and what opens it: the secret in the
    environment variable `key`, or in `key_file`."""

    path: str
    key: str = "MASKWISE_VAULT_KEY"
    key_file: str | None = None


class LimitSettings(SettingGroup):
    """How much a file may ask of the machine: bytes of the `file` and `unpacked`, `ratio` of the two, `depth` of nested
    elements, values or messages, and `pages`."""

    file: Count = io.Limits.file
    unpacked: Count = io.Limits.unpacked
    ratio: Count = io.Limits.ratio
    depth: Count = io.Limits.depth
    pages: Count = io.Limits.pages


class HtmlSettings(SettingGroup):
    """`scripts` of a page: left out, or kept as they are. `styles`: left out, or kept without what can hold text."""

    scripts: Literal["drop", "keep"] = "drop"
    styles: Literal["drop", "keep"] = "keep"


class EmlSettings(SettingGroup):
    """`attachments`: remove those of unknown format, or keep them as they are."""

    attachments: Literal["remove", "keep"] = "remove"


class TableSettings(SettingGroup):
    """JSON, CSV, Parquet and, for `columns`, spreadsheets. `columns` declares the type of a column or key: its values
    are masked whole. `fields` are the only columns or paths that are read; none means all. `header`: whether the first
    line of a CSV names columns; `rows`: whether people are told apart in each row or in the whole table."""

    columns: dict[str, EntityType] = {}
    fields: tuple[str, ...] = ()
    header: Literal["auto", "yes", "no"] = "auto"
    rows: Literal["separate", "together"] = "separate"

    @field_validator("header", mode="before")
    @classmethod
    def _accept_booleans(cls, value: Any) -> Any:
        """YAML reads a bare yes as true."""
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


class PdfSettings(SettingGroup):
    """`output`: a PDF of pictures with boxes burned over what is masked, `dpi` fine, or plain text. `recognise`: read
    pages without text by Tesseract, where it is installed; otherwise they are an error."""

    output: Literal["pages", "text"] = "pages"
    dpi: Annotated[int, Field(ge=36, le=600)] = 150
    recognise: bool = False


class FormatSettings(SettingGroup):
    """How files are read and written. `leak_check` reads each written file again and searches it for masked text."""

    leak_check: bool = True
    limits: LimitSettings = LimitSettings()
    html: HtmlSettings = HtmlSettings()
    eml: EmlSettings = EmlSettings()
    tables: TableSettings = TableSettings()
    pdf: PdfSettings = PdfSettings()

    @property
    def ceilings(self) -> io.Limits:
        return io.Limits(**self.limits.model_dump())

    @property
    def options(self) -> io.Options:
        """Options of our readers and writers by file ending."""
        limits = {"limits": self.ceilings}
        html = {**self.html.model_dump(), **limits}
        tables = {**self.tables.model_dump(), **limits}
        paths = {key: value for key, value in tables.items() if key != "header"}
        flat = {"html": html, "htm": html, "csv": tables, "tsv": tables}
        flat |= {"json": paths, "jsonl": paths, "parquet": paths}
        flat |= {"docx": limits, "odt": limits, "rtf": limits, "pdf": {**self.pdf.model_dump(), **limits}}
        flat |= {"xlsx": {"columns": self.tables.columns, **limits}}
        return {**flat, "eml": {**self.eml.model_dump(), **limits, "formats": flat}}

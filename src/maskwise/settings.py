"""The settings of a policy beside its parts: where pseudonyms hold, and how files are read and written."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator
from pydantic_core import core_schema, to_jsonable_python

from maskwise import io
from maskwise.plugins import (
    OptionInfo,
    Part,
    build_model,
    check_options,
    read_constructor,
    read_options,
)

Scope = Literal["document", "corpus", "keyed", "vault"]
# What to do with a special category of personal data.
ConfidentialAction = Literal["mask", "report", "refuse"]


class SettingGroup(BaseModel):
    """A group of keys that names no part."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class VaultSettings(SettingGroup):
    """Where pseudonyms are kept between runs: in the file `path`, which is made if missing.

    The secret in the environment variable `key`, or in `key_file`, opens it.
    """

    path: str
    key: str = "MASKWISE_VAULT_KEY"
    key_file: str | None = None


class CrowdSettings(SettingGroup):
    """Measure the risk of each document in a crowd and, with `k`, mask until K people are likelier than each person.

    The crowd is the one that ships with the package. `population` is a crowd folder or a register that replaces it, or
    extends it with `extend`. `known` is a YAML file of facts that an attacker has. `attackers` names who looks for the
    person; all do by default. With `further`, attackers also know what a biography tells beyond the facts that profiles
    hold: works, dates, relatives. To hide from them more is masked.
    """

    k: Annotated[int, Field(ge=1)] | None = None
    population: str | None = None
    extend: bool = False
    known: str | None = None
    attackers: tuple[str, ...] = ()
    further: bool = False


READERS = {
    "html": "html",
    "eml": "eml",
    "tables": "csv",
    "pdf": "pdf",
}  # keys of `formats` and whose options they hold


def _check_limits(raw: Any) -> io.Limits:
    if isinstance(raw, io.Limits):
        return raw
    model = build_model("limits", read_constructor(io.Limits))
    return io.Limits(**check_options(model, raw))


def read_reader_options(key: str) -> dict[str, OptionInfo]:
    """Return the options of a reader that a key of `formats` holds. The policy sets the others for all readers."""
    options = read_options("readers", READERS[key])
    return {name: option for name, option in options.items() if not option.is_inherited}


@dataclass(frozen=True)
class _ReaderKey:
    """A key of `formats`. The reader is imported when a policy gives an option or somebody asks for one."""

    key: str

    def check(self, raw: Any) -> Part:
        if isinstance(raw, Part):
            return raw
        model = build_model(self.key, read_reader_options(self.key))
        return Part("readers", READERS[self.key], check_options(model, raw))

    def dump(self, part: Part) -> dict[str, Any]:
        return {name: to_jsonable_python(part.get(name)) for name in read_reader_options(self.key)}

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        dump = core_schema.plain_serializer_function_ser_schema(self.dump)
        return core_schema.no_info_plain_validator_function(self.check, serialization=dump)


class FormatSettings(SettingGroup):
    """How files are read and written. `leak_check` reads each written file again and searches it for masked text."""

    leak_check: bool = True
    limits: Annotated[io.Limits, PlainValidator(_check_limits), PlainSerializer(asdict)] = (
        io.Limits()
    )
    html: Annotated[Part, _ReaderKey("html")] = Part("readers", READERS["html"])
    eml: Annotated[Part, _ReaderKey("eml")] = Part("readers", READERS["eml"])
    tables: Annotated[Part, _ReaderKey("tables")] = Part("readers", READERS["tables"])
    pdf: Annotated[Part, _ReaderKey("pdf")] = Part("readers", READERS["pdf"])

    @property
    def options(self) -> io.Options:
        """Options of our readers and writers by file ending."""
        limits = {"limits": self.limits}
        html = {**self.html.given, **limits}
        tables = {**self.tables.given, **limits}
        paths = {key: value for key, value in tables.items() if key != "header"}
        cells = {
            key: value for key, value in tables.items() if key in ("columns", "limits", "infer")
        }
        flat = {"html": html, "htm": html, "csv": tables, "tsv": tables}
        flat |= {"json": paths, "jsonl": paths, "parquet": paths}
        flat |= {"docx": limits, "odt": limits, "rtf": limits, "pdf": {**self.pdf.given, **limits}}
        flat |= {"xlsx": cells}
        return {**flat, "eml": {**self.eml.given, **limits, "formats": flat}}

"""The requests of the native API. Unknown keys are refused."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

Texts = str | list[str]
NAME_LENGTH = 256  # characters of a name to protect: a longer one takes the square of its length


class ApiModel(BaseModel):
    """A body of the native API."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class TextsBody(ApiModel):
    """One text or several, whom to protect in them, and under which policy of the server."""

    text: Texts = Field(description="One text, or a list of texts.", repr=False)
    policy: str | None = Field(None, description="A policy of this server; see /v1/policies.")
    protect: list[str] = Field(
        default=[], description="Names of the people to protect.", repr=False, max_length=100
    )
    k: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        None, description="Mask until so many people of the crowd are likelier to be meant."
    )
    risk: bool = Field(False, description="Measure where each person ranks in the crowd.")

    @field_validator("protect")
    @classmethod
    def _expect_names(cls, names: list[str]) -> list[str]:
        if not all(any(map(str.isalnum, name)) for name in names):
            raise ValueError("a name to protect has at least one letter")
        if any(len(name) > NAME_LENGTH for name in names):  # half a character fits no `max_length`
            raise ValueError(f"a name to protect has at most {NAME_LENGTH} characters")
        return names

    @property
    def texts(self) -> list[str]:
        return [self.text] if isinstance(self.text, str) else self.text


class RestoreBody(ApiModel):
    """Texts with tokens of the vault."""

    text: Texts = Field(repr=False)

    @property
    def texts(self) -> list[str]:
        return [self.text] if isinstance(self.text, str) else self.text


class ResultsAnswer(BaseModel):
    """One result per text, as `maskwise sanitize --format json` prints it."""

    policy: str
    results: list[dict[str, Any]]


class AnalysedAnswer(BaseModel):
    """One list of entities per text, with the evidence for each. Nothing is masked."""

    policy: str
    results: list[dict[str, Any]]


class RestoredAnswer(BaseModel):
    """The restored texts, and how many tokens were replaced and how many are of another vault."""

    texts: list[str]
    tokens: int
    unknown: int


class JobAnswer(BaseModel):
    """How far a job is. `error` says in one line why it failed."""

    id: str
    policy: str
    state: str
    total: int
    done: int
    error: str
    created: float
    updated: float


class HealthAnswer(BaseModel):
    status: str
    version: str
    ready: bool

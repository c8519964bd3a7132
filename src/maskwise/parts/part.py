"""What every part of a policy has: a kind, options, and for those that ask the model what the policy says for all."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Threshold = Annotated[float, Field(ge=0, le=2)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
Threads = Annotated[int, Field(ge=1)] | None
Recall = Literal["precision", "balanced", "recall"] | Annotated[float, Field(ge=0, le=1)]


class Part(BaseModel):
    """A configured part: `kind` is the name of its entry point, the other keys are its options."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: str

    @property
    def plugin(self) -> str:
        return self.kind

    @property
    def options(self) -> dict[str, Any]:
        return self.model_dump(exclude={"kind"})


class Plugin(Part):
    """A part somebody else registered: `name` is its entry point, `settings` its options."""

    kind: Literal["plugin"] = "plugin"
    name: str
    settings: dict[str, Any] = {}

    @property
    def plugin(self) -> str:
        return self.name

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.settings)


class Modelled(Part):
    """A part that asks the model. What it leaves open (`model`, `recall`, `threads`) the policy says for all."""

    model: str | None = None
    threads: Threads = None


class Tuned(Modelled):
    recall: Recall | None = None

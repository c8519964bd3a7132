"""The dense bi-encoder of re-identification (Morris et al. 2022): documents under masks and profiles in one space.

Both encoders first learn side by side against the profiles of their batch, then in turns, each against the whole
training population as the other sees it at that moment (coordinate ascent).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from maskwise.reid.folds import Fold
from maskwise.train.loop import precision
from maskwise.train.model import Config, Encoder, Model
from maskwise.train.rows import CLEAR, RATES, Masking, Rows, draw_hidden, hide

Half = Literal["both", "document", "profile"]
Metrics = dict[str, float]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. `phases` are the halves to train and their shares of the time; the rate falls over all of them.

    Documents' embeddings start with a mean `length`. `together` people make a batch of the first kind of phase, `rows`
    one of the others. `seconds` rule, or `epochs`. A share `targeted` of masks falls on telling words.
    """

    seconds: float | None = None
    epochs: float = 20.0
    phases: tuple[tuple[Half, float], ...] = (
        ("both", 0.4), ("profile", 0.03), ("document", 0.17), ("profile", 0.03), ("document", 0.37)
    )  # fmt: skip
    lr: float = 3e-4
    profile_lr: float = 2e-4
    together: int = 2048
    rows: int = 1024
    smoothing: float = 0.1
    length: float = 20.0
    warmup: float = 0.05
    weight_decay: float = 0.01
    clip: float = 1.0
    targeted: float = 0.4
    looks: int = 8
    seed: int = 0

    def rate(self, done: float) -> float:
        return min((done + 1e-3) / self.warmup, 1.0) * min((1 - done) / (1 - self.warmup), 1.0)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Tower(nn.Module):
    """An encoder whose mean state, projected, is the embedding. Profiles have length 1; a document's length says how
    sure it is."""

    def __init__(self, config: Config, size: int, *, unit: bool, dropout: float = 0.1) -> None:
        super().__init__()
        self.config, self.size, self.unit = config, size, unit
        self.encoder = Encoder(config, dropout)
        self.project = nn.Linear(config.hidden, size)
        nn.init.eye_(self.project.weight)  # both towers start in the space of their encoder
        nn.init.zeros_(self.project.bias)
        self.scale = nn.Parameter(torch.zeros(()), requires_grad=not unit)

    @classmethod
    def of(cls, model: Model, layers: Sequence[int], size: int, *, unit: bool) -> Tower:
        """A tower that starts from some layers of a checkpoint's encoder."""
        tower = cls(Config(**{**model.config.as_dict(), "layers": len(layers)}), size, unit=unit)
        names = {f"layers.{old}.": f"layers.{new}." for new, old in enumerate(layers)}
        state = {}
        for name, value in model.encoder.state_dict().items():
            prefix = ".".join(name.split(".")[:2]) + "."
            if not name.startswith("layers."):
                state[name] = value
            elif prefix in names:
                state[names[prefix] + name.removeprefix(prefix)] = value
        tower.encoder.load_state_dict(state)
        return tower

    def forward(self, rows: Rows) -> Tensor:
        states = self.encoder(rows.ids, rows.shapes, rows.real)
        with torch.autocast(states.device.type, enabled=False):
            seen = rows.real[..., None].float()
            pooled = (states.float() * seen).sum(1) / seen.sum(1)
            embedding: Tensor = self.project(pooled)
            return functional.normalize(embedding, dim=-1) if self.unit else embedding * self.scale.exp()


@dataclass(slots=True, eq=False)
class Pair:
    """Both towers, over one table of word pieces."""

    document: Tower
    profile: Tower

    def __post_init__(self) -> None:
        self.profile.encoder.word = self.document.encoder.word

    @property
    def towers(self) -> tuple[Tower, Tower]:
        return self.document, self.profile

    def to(self, device: torch.device) -> Pair:
        for tower in self.towers:
            tower.to(device)
        return self

    def state(self) -> dict[str, Tensor]:
        parts = (("document", self.document), ("profile", self.profile))
        return {f"{name}.{key}": value for name, tower in parts for key, value in tower.state_dict().items()}

    def load(self, state: dict[str, Tensor]) -> None:
        for name, tower in (("document", self.document), ("profile", self.profile)):
            tower.load_state_dict({k.removeprefix(f"{name}."): v for k, v in state.items() if k.startswith(f"{name}.")})


def train_pair(
    pair: Pair, documents: Rows, profiles: Rows, folds: Tensor, mask_id: int, recipe: Recipe, say: Callable[[str], None]
) -> list[Metrics]:
    """Trains in place and leaves the state in it that re-identifies the fold `CHOOSE` best; returns its history."""
    device = documents.ids.device
    people = (folds == Fold.TRAIN).nonzero().squeeze(1)
    chosen = (folds == Fold.CHOOSE).nonzero().squeeze(1)[:2048]
    lengths = embed(pair.document, documents, people[: recipe.rows]).norm(dim=1)
    pair.document.scale.data += (recipe.length / lengths.mean()).log()
    trainer = _Trainer(pair, documents, profiles, people, mask_id, recipe)
    clock = _Clock(recipe, -(-len(people) // recipe.rows))
    history: list[Metrics] = []
    best: dict[str, Tensor] = {}

    def look(half: str) -> None:
        scores = evaluate(pair, documents, profiles, chosen, mask_id, RATES)
        scores |= {"done": clock.done, "seconds": clock.elapsed, "loss": float(trainer.loss)}
        if not history or scores["select"] > max(row["select"] for row in history):
            best.update({name: value.detach().clone() for name, value in pair.state().items()})
        history.append(scores)
        say(f"{half:8} " + " ".join(f"{name} {value:.3f}" for name, value in scores.items()))

    end = 0.0
    for half, share in recipe.phases:
        end += share / sum(part for _, part in recipe.phases)
        steps = trainer.phase(half)
        while clock.done < end - 1e-9:
            next(steps)(recipe.rate(clock.done))
            clock.tick(device)
            if clock.done * recipe.looks >= len(history) + 1 and clock.done < end:
                look(half)
        look(half)
    pair.load(best)
    return history


class _Clock:
    """Progress from 0 to 1, by time or by steps."""

    def __init__(self, recipe: Recipe, per_epoch: int) -> None:
        self.begun, self.steps = time.monotonic(), 0
        self.seconds, self.most = recipe.seconds, max(round(recipe.epochs * per_epoch), 1)
        self.elapsed = self.done = 0.0

    def tick(self, device: torch.device) -> None:
        self.steps += 1
        if device.type == "cuda" and self.steps % 10 == 0:
            torch.cuda.synchronize()  # else the clock runs ahead of the device
        self.elapsed = time.monotonic() - self.begun
        self.done = min(self.elapsed / self.seconds if self.seconds else self.steps / self.most, 1.0)


Step = Callable[[float], None]


class _Trainer:
    """The steps of each kind of phase; one optimiser a tower, kept over all phases."""

    def __init__(
        self, pair: Pair, documents: Rows, profiles: Rows, people: Tensor, mask_id: int, recipe: Recipe
    ) -> None:
        self.pair, self.documents, self.profiles, self.people = pair, documents, profiles, people
        self.mask_id, self.recipe, self.loss = mask_id, recipe, torch.zeros(())
        self.random = torch.Generator(people.device).manual_seed(recipe.seed)
        torch.manual_seed(recipe.seed)
        own = [p for name, p in pair.profile.named_parameters() if name != "encoder.word.weight"]
        rates = ((list(pair.document.parameters()), recipe.lr), (own, recipe.profile_lr))
        self.optimisers = [_optimiser(parameters, rate, recipe) for parameters, rate in rates]

    def phase(self, half: Half) -> Iterator[Step]:
        """The table of word pieces is of both towers, so it stands still while one of them does."""
        self.pair.document.encoder.word.weight.requires_grad_(half == "both")
        return {"both": self._both, "document": self._document, "profile": self._profile}[half]()

    def _both(self) -> Iterator[Step]:
        """Each document against the profiles of its batch, and each profile against the documents."""
        while True:
            for batch in self._batches(self.recipe.together, spare=True):

                def step(rate: float, batch: Tensor = batch) -> None:
                    def loss() -> Tensor:
                        found = self.pair.document(self._masked(batch))
                        known = self.pair.profile(self.profiles.take(batch))
                        truth = torch.arange(len(batch), device=batch.device)
                        return (self._entropy(found, known, truth) + self._entropy(known, found, truth)) / 2

                    self._learn(loss, (0, 1), rate)

                yield step

    def _document(self) -> Iterator[Step]:
        """Documents against all training profiles, whose embeddings stand still."""
        known = embed(self.pair.profile, self.profiles, self.people).float()
        while True:
            order = self.people[torch.randperm(len(self.people), generator=self.random, device=self.people.device)]
            for group in torch.split(order, 8 * self.recipe.rows):
                for rows, batch in self._sorted(group):

                    def step(rate: float, rows: Rows = rows, batch: Tensor = batch) -> None:
                        truth = torch.searchsorted(self.people, batch)
                        self._learn(lambda: self._entropy(self.pair.document(rows), known, truth), (0,), rate)

                    yield step

    def _profile(self) -> Iterator[Step]:
        """Profiles against all training documents, under masks drawn anew for each pass."""
        while True:
            known = self._embedded()
            for batch in self._batches(self.recipe.rows):

                def step(rate: float, batch: Tensor = batch, known: Tensor = known) -> None:
                    truth = torch.searchsorted(self.people, batch)
                    rows = self.profiles.take(batch)
                    self._learn(lambda: self._entropy(self.pair.profile(rows), known, truth), (1,), rate)

                yield step

    def _learn(self, loss: Callable[[], Tensor], halves: tuple[int, ...], rate: float) -> None:
        for half in halves:
            self.pair.towers[half].train()
        with precision(self.people.device):
            value = loss()
        value.backward()  # type: ignore[no-untyped-call]
        for half in halves:
            optimiser = self.optimisers[half]
            nn.utils.clip_grad_norm_(self.pair.towers[half].parameters(), self.recipe.clip)
            for group in optimiser.param_groups:
                group["lr"] = group["peak"] * rate
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        self.loss = value.detach()

    def _entropy(self, asked: Tensor, known: Tensor, truth: Tensor) -> Tensor:
        """Loss of the full softmax; outside of autocast, for half precision cannot tell like profiles apart."""
        with torch.autocast(asked.device.type, enabled=False):
            logits = asked.float() @ known.float().T
            return functional.cross_entropy(logits, truth, label_smoothing=self.recipe.smoothing)

    def _masked(self, batch: Tensor) -> Rows:
        rows = self.documents.take(batch)
        return hide(rows, draw_hidden(rows, self.random, self.recipe.targeted), self.mask_id)

    def _sorted(self, group: Tensor) -> Iterator[tuple[Rows, Tensor]]:
        """Batches of documents of like length after masking, in random order: padding would double the work."""
        masked = self._masked(group)
        order = masked.real.sum(1).argsort()
        batches = torch.split(order, self.recipe.rows)
        for at in torch.randperm(len(batches), generator=self.random, device=group.device).tolist():
            yield masked.take(batches[at]), group[batches[at]]

    def _embedded(self) -> Tensor:
        parts = []
        for group in torch.split(self.people, 8 * self.recipe.rows):
            masked = self._masked(group)
            parts.append(embed(self.pair.document, masked, torch.arange(len(group), device=group.device)))
        return torch.cat(parts).float()

    def _batches(self, rows: int, spare: bool = False) -> Iterator[Tensor]:
        """People in random order; `spare` leaves out a last batch that is smaller, if there is another."""
        order = self.people[torch.randperm(len(self.people), generator=self.random, device=self.people.device)]
        batches = torch.split(order, rows)
        yield from batches[:-1] if spare and len(batches) > 1 and len(batches[-1]) < rows else batches


def _optimiser(parameters: Sequence[nn.Parameter], rate: float, recipe: Recipe) -> torch.optim.Optimizer:
    trained = [p for p in parameters if p.requires_grad]
    groups = [
        {"params": [p for p in trained if p.ndim > 1], "peak": rate, "weight_decay": recipe.weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "peak": rate, "weight_decay": 0.0},
    ]
    fused = trained[0].device.type == "cuda"
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=fused)


@torch.no_grad()
def embed(tower: Tower, rows: Rows, which: Tensor, size: int = 1024) -> Tensor:
    """Embeddings of some rows, those of like length together."""
    training = tower.training
    tower.eval()
    order = rows.real[which].sum(1).argsort()
    found = torch.zeros(len(which), tower.size, device=which.device)
    with precision(which.device):
        for part in torch.split(order, size):
            found[part] = tower(rows.take(which[part]))
    tower.train(training)
    return found


def evaluate(
    pair: Pair, documents: Rows, profiles: Rows, which: Tensor, mask_id: int, maskings: dict[str, Masking] = CLEAR
) -> Metrics:
    """Ranks of the right profiles among all, for the documents of `which`; `select` is the mean reciprocal rank."""
    everyone = torch.arange(len(profiles.ids), device=which.device)
    known = embed(pair.profile, profiles, everyone)
    scores: Metrics = {}
    for name, masking in maskings.items():
        rows = documents.take(which)
        hidden = masking(rows, torch.Generator(which.device).manual_seed(7))
        found = embed(pair.document, hide(rows, hidden, mask_id), torch.arange(len(which), device=which.device))
        parts = zip(torch.split(found, 512), torch.split(which, 512), strict=True)
        ranks = torch.cat([_ranks(part @ known.T, truth) for part, truth in parts])
        scores |= {
            f"{name}_1": _share(ranks < 1),
            f"{name}_8": _share(ranks < 8),
            f"{name}_mrr": _share(1 / (1 + ranks)),
        }
    scores["select"] = sum(value for name, value in scores.items() if name.endswith("_mrr")) / len(maskings)
    return scores


def _ranks(logits: Tensor, truth: Tensor) -> Tensor:
    """How many profiles are before the right one; ties count half."""
    own = logits.gather(1, truth[:, None])
    return ((logits > own).sum(1) + ((logits == own).sum(1) - 1) / 2).float()


def _share(values: Tensor) -> float:
    return round(float(values.float().mean()), 4)

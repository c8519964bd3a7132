"""The dense bi-encoder of re-identification (Morris et al. 2022): documents under masks and profiles in one space.

Both encoders first learn together, against the profiles of their batch. Then they learn in turns, each against the
whole training population as the other sees it at that moment (coordinate ascent).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from maskwise.crowd.folds import Fold
from maskwise.train.loop import choose_precision, make_generator
from maskwise.train.pair import Metrics, Pair, embed_rows, evaluate_pair
from maskwise.train.rows import RATES, Rows, draw_hidden, hide_pieces
from maskwise.train.state import (
    add_prefix,
    collect_optimiser,
    load_optimiser,
    read_state,
    select_prefix,
    write_state,
)

Half = Literal["both", "document", "profile"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. `phases` names the halves to train and their shares of the time. The rate falls over all of them.

    Documents' embeddings start with a mean `length`. A batch has `together` people while both halves train, and `rows`
    otherwise. Training ends after `seconds` or, without them, after `epochs`. A share `targeted` of the masks falls on
    telling words.
    """

    seconds: float | None = None
    epochs: float = 20.0
    phases: tuple[tuple[Half, float], ...] = (
        ("both", 0.4),
        ("profile", 0.03),
        ("document", 0.17),
        ("profile", 0.03),
        ("document", 0.37),
    )
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

    def compute_rate(self, done: float) -> float:
        """Returns the share of the peak rate after this share of the run."""
        return min((done + 1e-3) / self.warmup, 1.0) * min((1 - done) / (1 - self.warmup), 1.0)

    def describe(self) -> dict[str, Any]:
        return asdict(self)


def train_pair(
    pair: Pair,
    documents: Rows,
    profiles: Rows,
    folds: Tensor,
    mask_id: int,
    recipe: Recipe,
    report: Callable[[str], None],
    folder: str | Path | None = None,
) -> list[Metrics]:
    """Trains `pair` in place and returns the history of its evaluations.

    The state that re-identifies the fold `CHOOSE` best is left in `pair`. Every evaluation writes the state to
    `folder`, and a run that finds a state there continues from it. All passes begin anew after an evaluation, with
    random numbers of (seed, evaluation), so a resumed run equals a whole one.
    """
    people = (folds == Fold.TRAIN).nonzero().squeeze(1)
    chosen = (folds == Fold.CHOOSE).nonzero().squeeze(1)[:2048]
    lengths = embed_rows(pair.document, documents, people[: recipe.rows]).norm(dim=1)
    pair.document.scale.data += (recipe.length / lengths.mean()).log()
    trainer = _Trainer(pair, documents, profiles, people, mask_id, recipe)
    clock = _Clock(recipe, -(-len(people) // recipe.rows), people.device)
    run = _Run(trainer, clock, folder)
    end = 0.0
    for half, share in recipe.phases:
        end += share / sum(part for _, part in recipe.phases)
        while clock.done < end - 1e-9:
            looks = len(run.history)
            _train_until(trainer, clock, half, looks, min(end, (looks + 1) / recipe.looks))
            scores = evaluate_pair(pair, documents, profiles, chosen, mask_id, RATES)
            report(run.note_scores(half, scores))
    pair.load_state(run.best)
    return run.history


def _train_until(trainer: _Trainer, clock: _Clock, half: Half, looks: int, pause: float) -> None:
    """Trains one half, or both, until this share of the run is done; at least one step."""
    steps = trainer.start_phase(half, looks)
    while True:
        run_step = next(steps)
        run_step(trainer.recipe.compute_rate(clock.done))
        clock.tick()
        if clock.done >= pause - 1e-9:
            return


class _Run:
    """The history of a run and its best state, saved in a folder if there is one."""

    def __init__(self, trainer: _Trainer, clock: _Clock, folder: str | Path | None) -> None:
        """Sets everything to where a stopped run stood."""
        self._trainer = trainer
        self._clock = clock
        self._folder = folder
        self.history: list[Metrics] = []
        self.best: dict[str, Tensor] = {}
        saved = read_state(folder) if folder is not None else None
        if saved is None:
            return
        tensors, record = saved
        trainer.pair.load_state(select_prefix("pair.", tensors))
        for at, optimiser in enumerate(trainer.optimisers):
            load_optimiser(optimiser, select_prefix(f"optimiser{at}.", tensors))
        clock.start(record["steps"], record["elapsed"])
        self.history = record["history"]
        self.best = select_prefix("best.", tensors)

    def note_scores(self, half: str, scores: Metrics) -> str:
        """Adds an evaluation to the history, keeps the state if it is the best, saves all. Returns a line about it."""
        scores["done"] = self._clock.done
        scores["seconds"] = self._clock.elapsed
        scores["loss"] = float(self._trainer.loss)
        if not self.history or scores["select"] > max(row["select"] for row in self.history):
            state = self._trainer.pair.collect_state()
            self.best = {name: value.detach().clone() for name, value in state.items()}
        self.history.append(scores)
        self._save()
        return f"{half:8} " + " ".join(f"{name} {value:.3f}" for name, value in scores.items())

    def _save(self) -> None:
        if self._folder is None:
            return
        tensors = add_prefix("pair.", self._trainer.pair.collect_state())
        tensors |= add_prefix("best.", self.best)
        for at, optimiser in enumerate(self._trainer.optimisers):
            tensors |= add_prefix(f"optimiser{at}.", collect_optimiser(optimiser))
        record = {"steps": self._clock.steps, "elapsed": self._clock.elapsed}
        write_state(self._folder, tensors, {**record, "history": self.history})


class _Clock:
    """Progress from 0 to 1, by time or by steps."""

    def __init__(self, recipe: Recipe, per_epoch: int, device: torch.device) -> None:
        self.seconds = recipe.seconds
        self.most = max(round(recipe.epochs * per_epoch), 1)
        self.device = device
        self.start(0, 0.0)

    def start(self, steps: int, elapsed: float) -> None:
        """Continues after so many steps and seconds."""
        self.steps = steps
        self.elapsed = elapsed
        self.begun = time.monotonic() - elapsed

    @property
    def done(self) -> float:
        share = self.elapsed / self.seconds if self.seconds else self.steps / self.most
        return min(share, 1.0)

    def tick(self) -> None:
        self.steps += 1
        if self.device.type == "cuda" and self.steps % 10 == 0:
            torch.cuda.synchronize()  # else the clock runs ahead of the device
        self.elapsed = time.monotonic() - self.begun


Step = Callable[[float], None]


class _Trainer:
    """The steps of each kind of phase. Each tower has one optimiser, which is kept over all phases."""

    def __init__(
        self,
        pair: Pair,
        documents: Rows,
        profiles: Rows,
        people: Tensor,
        mask_id: int,
        recipe: Recipe,
    ) -> None:
        self.pair = pair
        self.documents = documents
        self.profiles = profiles
        self.people = people
        self.mask_id = mask_id
        self.recipe = recipe
        self.loss = torch.zeros(())
        self.random = make_generator(recipe.seed, 0, people.device)
        own = [p for name, p in pair.profile.named_parameters() if name != "encoder.word.weight"]
        rates = ((list(pair.document.parameters()), recipe.lr), (own, recipe.profile_lr))
        self.optimisers = [_build_optimiser(parameters, rate, recipe) for parameters, rate in rates]

    def start_phase(self, half: Half, look: int) -> Iterator[Step]:
        """Returns the steps after so many evaluations. The towers share the word pieces, which learn with both only."""
        self.random = make_generator(self.recipe.seed, look, self.people.device)
        torch.manual_seed(self.recipe.seed * 1_000_003 + look)
        self.pair.document.encoder.word.weight.requires_grad_(half == "both")
        return {
            "both": self._train_both,
            "document": self._train_documents,
            "profile": self._train_profiles,
        }[half]()

    def _train_both(self) -> Iterator[Step]:
        """Yields steps of each document against the profiles of its batch, and the other way round."""
        while True:
            for batch in self._draw_batches(self.recipe.together, spare=True):

                def compute_loss(batch: Tensor = batch) -> Tensor:
                    found = self.pair.document(self._mask_documents(batch))
                    known = self.pair.profile(self.profiles.take(batch))
                    truth = torch.arange(len(batch), device=batch.device)
                    forth = self._compute_entropy(found, known, truth)
                    return (forth + self._compute_entropy(known, found, truth)) / 2

                yield partial(self._learn, compute_loss, (0, 1))

    def _train_documents(self) -> Iterator[Step]:
        """Yields steps of each document against all training profiles, whose embeddings stay fixed."""
        known = embed_rows(self.pair.profile, self.profiles, self.people).float()
        while True:
            for group in torch.split(self._shuffle_people(), 8 * self.recipe.rows):
                for rows, batch in self._sort_batches(group):

                    def compute_loss(rows: Rows = rows, batch: Tensor = batch) -> Tensor:
                        truth = torch.searchsorted(self.people, batch)
                        return self._compute_entropy(self.pair.document(rows), known, truth)

                    yield partial(self._learn, compute_loss, (0,))

    def _train_profiles(self) -> Iterator[Step]:
        """Yields steps of each profile against all training documents, under masks drawn anew for each pass."""
        while True:
            known = self._embed_documents()
            for batch in self._draw_batches(self.recipe.rows):

                def compute_loss(batch: Tensor = batch, known: Tensor = known) -> Tensor:
                    truth = torch.searchsorted(self.people, batch)
                    rows = self.profiles.take(batch)
                    return self._compute_entropy(self.pair.profile(rows), known, truth)

                yield partial(self._learn, compute_loss, (1,))

    def _learn(self, loss: Callable[[], Tensor], halves: tuple[int, ...], rate: float) -> None:
        """Trains the towers of `halves` by one step at this share of their peak rate."""
        for half in halves:
            self.pair.towers[half].train()
        with choose_precision(self.people.device):
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

    def _compute_entropy(self, asked: Tensor, known: Tensor, truth: Tensor) -> Tensor:
        """Computes the loss of the full softmax in float32: half precision cannot tell similar profiles apart."""
        with torch.autocast(asked.device.type, enabled=False):
            logits = asked.float() @ known.float().T
            return functional.cross_entropy(logits, truth, label_smoothing=self.recipe.smoothing)

    def _mask_documents(self, batch: Tensor) -> Rows:
        rows = self.documents.take(batch)
        hidden = draw_hidden(rows, self.random, self.recipe.targeted)
        return hide_pieces(rows, hidden, self.mask_id)

    def _sort_batches(self, group: Tensor) -> Iterator[tuple[Rows, Tensor]]:
        """Yields batches of documents of similar length, in random order. Padding would double the work."""
        masked = self._mask_documents(group)
        order = masked.real.sum(1).argsort()
        batches = torch.split(order, self.recipe.rows)
        for at in torch.randperm(len(batches), generator=self.random, device=group.device).tolist():
            yield masked.take(batches[at]), group[batches[at]]

    def _embed_documents(self) -> Tensor:
        parts = []
        for group in torch.split(self.people, 8 * self.recipe.rows):
            masked = self._mask_documents(group)
            everyone = torch.arange(len(group), device=group.device)
            parts.append(embed_rows(self.pair.document, masked, everyone))
        return torch.cat(parts).float()

    def _draw_batches(self, rows: int, spare: bool = False) -> Iterator[Tensor]:
        """Yields people in random order. `spare` leaves out a smaller last batch, if there is another."""
        batches = torch.split(self._shuffle_people(), rows)
        if spare and len(batches) > 1 and len(batches[-1]) < rows:
            batches = batches[:-1]
        yield from batches

    def _shuffle_people(self) -> Tensor:
        device = self.people.device
        order = torch.randperm(len(self.people), generator=self.random, device=device)
        return self.people[order]


def _build_optimiser(
    parameters: Sequence[nn.Parameter], rate: float, recipe: Recipe
) -> torch.optim.Optimizer:
    trained = [p for p in parameters if p.requires_grad]
    weights = [p for p in trained if p.ndim > 1]
    others = [p for p in trained if p.ndim < 2]
    groups = [
        {"params": weights, "peak": rate, "weight_decay": recipe.weight_decay},
        {"params": others, "peak": rate, "weight_decay": 0.0},
    ]
    fused = trained[0].device.type == "cuda"
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=fused)

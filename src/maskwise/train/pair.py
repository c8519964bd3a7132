"""The dense bi-encoder of re-identification (Morris et al. 2022) as networks.

One tower reads documents under masks, the other reads profiles. `evaluate_pair` measures how well they find each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from maskwise.train.loop import choose_precision
from maskwise.train.model import EncoderNetwork, Network, NetworkConfig
from maskwise.train.rows import CLEAR, Masking, Rows, hide_pieces
from maskwise.train.state import add_prefix, select_prefix

Metrics = dict[str, float]


class Tower(nn.Module):
    """An encoder whose mean state, projected, is the embedding.

    The embedding of a profile has length 1. The length of a document's embedding is its certainty.
    """

    def __init__(
        self, config: NetworkConfig, size: int, *, unit: bool, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.config, self.size, self.unit = config, size, unit
        self.encoder = EncoderNetwork(config, dropout)
        self.project = nn.Linear(config.hidden, size)
        nn.init.eye_(self.project.weight)  # both towers start in the space of their encoder
        nn.init.zeros_(self.project.bias)
        self.scale = nn.Parameter(torch.zeros(()), requires_grad=not unit)

    @classmethod
    def start_from(cls, model: Network, layers: Sequence[int], size: int, *, unit: bool) -> Tower:
        """Builds a tower from some layers of a checkpoint's encoder."""
        config = replace(model.config, layers=len(layers))
        tower = cls(config, size, unit=unit)
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
            if self.unit:
                return functional.normalize(embedding, dim=-1)
            return embedding * self.scale.exp()


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

    def collect_state(self) -> dict[str, Tensor]:
        parts = (("document", self.document), ("profile", self.profile))
        state: dict[str, Tensor] = {}
        for name, tower in parts:
            state |= add_prefix(f"{name}.", tower.state_dict())
        return state

    def load_state(self, state: dict[str, Tensor]) -> None:
        for name, tower in (("document", self.document), ("profile", self.profile)):
            tower.load_state_dict(select_prefix(f"{name}.", state))


@torch.no_grad()
def embed_rows(tower: Tower, rows: Rows, which: Tensor, size: int = 1024) -> Tensor:
    """Returns the embeddings of some rows. Rows of like length are read together."""
    training = tower.training
    tower.eval()
    order = rows.real[which].sum(1).argsort()
    found = torch.zeros(len(which), tower.size, device=which.device)
    with choose_precision(which.device):
        for part in torch.split(order, size):
            found[part] = tower(rows.take(which[part]))
    tower.train(training)
    return found


def evaluate_pair(
    pair: Pair,
    documents: Rows,
    profiles: Rows,
    which: Tensor,
    mask_id: int,
    maskings: dict[str, Masking] = CLEAR,
) -> Metrics:
    """Ranks the right profile among all, for the documents of `which`. `select` is the mean reciprocal rank."""
    everyone = torch.arange(len(profiles.ids), device=which.device)
    known = embed_rows(pair.profile, profiles, everyone)
    scores: Metrics = {}
    for name, masking in maskings.items():
        rows = documents.take(which)
        hidden = masking(rows, torch.Generator(which.device).manual_seed(7))
        masked = hide_pieces(rows, hidden, mask_id)
        found = embed_rows(pair.document, masked, torch.arange(len(which), device=which.device))
        parts = zip(torch.split(found, 512), torch.split(which, 512), strict=True)
        ranks = torch.cat([_rank_truth(part @ known.T, truth) for part, truth in parts])
        scores |= {
            f"{name}_1": _round_mean(ranks < 1),
            f"{name}_8": _round_mean(ranks < 8),
            f"{name}_mrr": _round_mean(1 / (1 + ranks)),
        }
    reciprocal = [value for name, value in scores.items() if name.endswith("_mrr")]
    scores["select"] = sum(reciprocal) / len(maskings)
    return scores


def _rank_truth(logits: Tensor, truth: Tensor) -> Tensor:
    """Counts the profiles before the right one. Ties count half."""
    own = logits.gather(1, truth[:, None])
    return ((logits > own).sum(1) + ((logits == own).sum(1) - 1) / 2).float()


def _round_mean(values: Tensor) -> float:
    return round(float(values.float().mean()), 4)

"""The training loop of all stages: AdamW, warm-up, linear decay by steps or by the clock, best state, resuming.

Every step draws its random numbers from (seed, step), so a resumed run ends like one that never stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from tqdm import tqdm

from maskwise.train.model import Network
from maskwise.train.state import (
    add_prefix,
    collect_optimiser,
    load_optimiser,
    read_state,
    select_prefix,
    write_state,
)

Metrics = dict[str, float]
StepLoss = Callable[[int], tuple[Tensor, Mapping[str, Tensor]]]


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train. Training stops at `steps` or `max_seconds`, whichever comes first. The rate reaches zero there.

    `heads` multiplies the rate of everything outside the encoder. `evaluate_every` counts optimiser steps.
    `keeps_start`: the state before the first step is judged like the others, so the best is never worse.
    """

    lr: float
    steps: int
    max_seconds: float | None = None
    heads: float = 1.0
    weight_decay: float = 0.01
    warmup: float = 0.06
    clip: float = 1.0
    seed: int = 0
    evaluate_every: int = 0
    patience: int = 0
    keeps_start: bool = False
    folder: str | Path | None = None

    def compute_rate(self, step: int, elapsed: float) -> float:
        """Returns the share of `lr` at this step."""
        done = self.measure_progress(step, elapsed)
        rise = min((done + 1 / self.steps) / self.warmup, 1.0)
        return rise * min((1 - done) / (1 - self.warmup), 1.0)

    def measure_progress(self, step: int, elapsed: float) -> float:
        """Returns the share of the run that is done, by steps or by time, whichever is larger."""
        if step >= self.steps:
            return 1.0
        by_time = elapsed / self.max_seconds if self.max_seconds else 0.0
        return min(max(step / self.steps, by_time), 1.0)


@dataclass(slots=True)
class Progress:
    """Where a run stands; saved beside the weights."""

    step: int = 0
    elapsed: float = 0.0
    best: float = float("-inf")
    best_step: int = 0
    worse: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


def train_network(
    model: Network,
    loss: StepLoss,
    plan: TrainingPlan,
    evaluate: Callable[[], Metrics] | None = None,
) -> Progress:
    """Trains `model` in place and leaves in it the state with the highest metric `select` of `evaluate`."""
    device = next(model.parameters()).device
    optimiser = torch.optim.AdamW(
        _group_parameters(model, plan), lr=plan.lr, betas=(0.9, 0.98), fused=device.type == "cuda"
    )
    progress = _resume_progress(model, optimiser, plan)
    best = _BestState(plan)
    for group in optimiser.param_groups:
        group["peak"] = group["lr"]
    begun = time.monotonic() - progress.elapsed
    model.train()
    if evaluate and plan.keeps_start and not progress.step:
        _judge_state(model, evaluate, progress, best, {})
    with tqdm(total=plan.steps, initial=progress.step, mininterval=5, unit="step") as bar:
        while plan.measure_progress(progress.step, progress.elapsed) < 1:
            metrics = _run_step(model, optimiser, loss, plan, progress)
            progress.step += 1
            if progress.step % 20 == 0 and device.type == "cuda":
                torch.cuda.synchronize()  # else the clock runs ahead of the device
            progress.elapsed = time.monotonic() - begun
            bar.update()
            if evaluate and plan.evaluate_every and progress.step % plan.evaluate_every == 0:
                _judge_state(model, evaluate, progress, best, metrics)
                progress.elapsed = time.monotonic() - begun
                _save_progress(model, optimiser, plan, progress)
                if plan.patience and progress.worse >= plan.patience:
                    break
    if evaluate and (not progress.history or progress.history[-1]["step"] != progress.step):
        _judge_state(model, evaluate, progress, best, {})
    _save_progress(model, optimiser, plan, progress)
    best.restore(model)
    model.eval()
    return progress


def choose_precision(device: torch.device) -> AbstractContextManager[Any]:
    """Returns a context that computes in bfloat16 on a GPU and in float32 elsewhere."""
    return torch.autocast("cuda", torch.bfloat16) if device.type == "cuda" else nullcontext()


def make_generator(seed: int, step: int, device: torch.device) -> torch.Generator:
    """Returns the random numbers of one step."""
    return torch.Generator(device).manual_seed(seed * 1_000_003 + step)


def _run_step(
    model: Network,
    optimiser: torch.optim.Optimizer,
    loss: StepLoss,
    plan: TrainingPlan,
    progress: Progress,
) -> Mapping[str, Tensor]:
    """Trains the model on one batch. Returns the metrics of the loss."""
    share = plan.compute_rate(progress.step, progress.elapsed)
    for group in optimiser.param_groups:
        group["lr"] = group["peak"] * share
    torch.manual_seed(plan.seed * 1_000_003 + progress.step)
    with choose_precision(next(model.parameters()).device):
        value, metrics = loss(progress.step)
    value.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], plan.clip)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return metrics


def _judge_state(
    model: Network,
    evaluate: Callable[[], Metrics],
    progress: Progress,
    best: _BestState,
    training: Mapping[str, Tensor],
) -> None:
    """Evaluates the model, notes its metrics, and keeps its state if it is the best so far."""
    model.eval()
    with torch.no_grad():
        metrics = evaluate()
    model.train()
    train = {f"train_{name}": float(value) for name, value in training.items()}
    progress.history.append(
        {"step": progress.step, "seconds": round(progress.elapsed, 1), **train, **metrics}
    )
    if "select" not in metrics:
        return
    if metrics["select"] > progress.best:
        progress.best = metrics["select"]
        progress.best_step = progress.step
        progress.worse = 0
        best.keep(model)
    else:
        progress.worse += 1


class _BestState:
    """The best state so far: in memory, and in the run's folder if there is one."""

    def __init__(self, plan: TrainingPlan) -> None:
        self._path = Path(plan.folder) / "best.safetensors" if plan.folder else None
        self._state: dict[str, Tensor] | None = None
        if self._path and self._path.exists():
            self._state = load_file(self._path)

    def keep(self, model: Network) -> None:
        self._state = {name: value.detach().clone() for name, value in model.state_dict().items()}
        if self._path:
            save_file({name: value.cpu() for name, value in self._state.items()}, self._path)

    def restore(self, model: Network) -> None:
        if self._state:
            model.load_state_dict(self._state)


def _group_parameters(model: Network, plan: TrainingPlan) -> list[dict[str, Any]]:
    """Returns groups of parameters with their rates. Norms and biases have no weight decay."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        rate = plan.lr if name.startswith("encoder.") else plan.lr * plan.heads
        decay = plan.weight_decay if parameter.ndim > 1 else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    return [
        {"params": params, "lr": rate, "weight_decay": decay}
        for (rate, decay), params in groups.items()
    ]


def _save_progress(
    model: Network, optimiser: torch.optim.Optimizer, plan: TrainingPlan, progress: Progress
) -> None:
    if plan.folder is None:
        return
    tensors = add_prefix("model.", model.state_dict())
    tensors |= add_prefix("optimiser.", collect_optimiser(optimiser))
    write_state(plan.folder, tensors, asdict(progress))


def _resume_progress(
    model: Network, optimiser: torch.optim.Optimizer, plan: TrainingPlan
) -> Progress:
    if plan.folder is None:
        return Progress()
    Path(plan.folder).mkdir(parents=True, exist_ok=True)
    saved = read_state(plan.folder)
    if saved is None:
        return Progress()
    tensors, record = saved
    model.load_state_dict(select_prefix("model.", tensors))
    load_optimiser(optimiser, select_prefix("optimiser.", tensors))
    return Progress(**record)

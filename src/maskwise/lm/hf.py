"""Any Hugging Face masked language model as an `Encoder`, by folder or by the name of one already on this machine.

Needs the extra `[hf]`. Nothing is ever downloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from maskwise.errors import PluginError
from maskwise.lm.encoder import Array, Encoded, Gap, blend_windows, select_log_softmax
from maskwise.lm.pieces import Pieces, PieceTokenizer


class HuggingFaceEncoder:
    """States and masked-LM log-probabilities of a `transformers` model. It knows no letter shapes and has no tags.

    Windows of one length run `batch` at a time. With more than one the floating-point sums may differ in the last
    digits from those of a single window, so the default is one.
    """

    def __init__(
        self,
        model: str | Path,
        window: int | None = None,
        overlap: int = 64,
        batch: int = 1,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        self._torch, transformers = _import_modules()
        if threads:
            self._torch.set_num_threads(threads)
        try:
            fast = transformers.AutoTokenizer.from_pretrained(
                str(model), local_files_only=True, use_fast=True
            )
            network = transformers.AutoModelForMaskedLM.from_pretrained(
                str(model), local_files_only=True, use_safetensors=True
            )
            backend = Tokenizer.from_str(fast.backend_tokenizer.to_str())
        except (OSError, ValueError, AttributeError) as error:
            raise PluginError(
                f"model {str(model)!r}: no masked language model with a fast tokenizer and safetensors on this machine"
            ) from error
        self.tokenizer = PieceTokenizer(backend)
        self._network = network.eval().to(device)
        self._device, self._batch = device, batch
        longest = min(network.config.max_position_embeddings, fast.model_max_length) - 2
        self.window = min(window or longest, longest)
        self.overlap = min(overlap, self.window // 2)

    def encode(self, texts: Sequence[str], outputs: Sequence[str] = ("states",)) -> list[Encoded]:
        if tuple(outputs) != ("states",):
            raise PluginError(f"a Hugging Face encoder gives states only, not {', '.join(outputs)}")
        widths = {"states": (self._network.config.hidden_size,)}
        return blend_windows(self, texts, widths, self._encode_states)

    def fill(self, gaps: Sequence[Gap]) -> list[Array]:
        def read_gap(out: Any, row: int, at: int) -> Array:
            masked = self._torch.from_numpy(gaps[at].at).to(self._device)
            logits = out.logits[row, 1:-1][masked]
            return select_log_softmax(logits.float().cpu().numpy(), gaps[at].truth)

        return self._run([gap.ids for gap in gaps], read_gap)

    def _encode_states(self, parts: Sequence[Pieces]) -> Iterator[list[Array]]:
        def read_states(out: Any, row: int, _: int) -> Array:
            states: Array = out.hidden_states[-1][row, 1:-1].float().cpu().numpy()
            return states

        windows = [part.ids for part in parts]
        for states in self._run(windows, read_states):
            yield [states]

    def _run(
        self, windows: Sequence[NDArray[np.int32]], read: Callable[[Any, int, int], Array]
    ) -> list[Array]:
        """Returns what `read(output, row, window)` takes from the network's output, for each window in order."""
        done: dict[int, Array] = {}
        for batch in self._group_windows(windows):
            rows = np.stack([self._add_special(windows[at]) for at in batch])
            ids = self._torch.from_numpy(rows).to(self._device)
            with self._torch.inference_mode():
                seen = self._torch.ones_like(ids)
                out = self._network(input_ids=ids, attention_mask=seen, output_hidden_states=True)
                done.update((at, read(out, row, at)) for row, at in enumerate(batch))
        return [done[at] for at in range(len(windows))]

    def _group_windows(self, windows: Sequence[NDArray[np.int32]]) -> Iterator[list[int]]:
        """Yields indices of windows of one length, so that none is padded."""
        batch: list[int] = []
        for at in sorted(range(len(windows)), key=lambda at: len(windows[at])):
            if batch and (len(batch) == self._batch or len(windows[at]) != len(windows[batch[0]])):
                yield batch
                batch = []
            batch.append(at)
        if batch:
            yield batch

    def _add_special(self, ids: NDArray[np.int32]) -> NDArray[np.int64]:
        row = np.concatenate([[self.tokenizer.cls_id], ids, [self.tokenizer.sep_id]])
        return row.astype(np.int64)


def _import_modules() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise PluginError(
            "Hugging Face models need PyTorch and transformers: pip install 'maskwise[hf]'"
        ) from error
    return torch, transformers

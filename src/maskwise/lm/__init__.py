"""The encoder runtime: word pieces, windows, tag probabilities and masked-LM log-probabilities, batched and offline."""

from maskwise.lm.model import Annotation, Model, load

__all__ = ["Annotation", "Model", "load"]

"""The encoder runtime: word pieces, windows, tag probabilities and masked-LM log-probabilities, batched and offline."""

from maskwise.lm.model import Model, Prediction, load_model
from maskwise.lm.reading import Reading

__all__ = ["Model", "Prediction", "Reading", "load_model"]

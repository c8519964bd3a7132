"""The encoder runtime: word pieces, windows, tag probabilities and masked-LM log-probabilities, batched and offline."""

from maskwise.lm.model import Prediction, Model, load
from maskwise.lm.reading import Reading

__all__ = ["Prediction", "Model", "Reading", "load"]

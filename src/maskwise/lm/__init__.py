"""The encoder runtime: word pieces, windows, tag probabilities and masked-LM log-probabilities, batched and offline."""

import os

# ONNX Runtime reports its use over the network, unless it is told not to before it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from maskwise.lm.model import Model, Prediction, load_model
from maskwise.lm.reading import Reading

__all__ = ["Model", "Prediction", "Reading", "load_model"]

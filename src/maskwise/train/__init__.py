"""The training workbench: from raw text and annotations to the model folder that `lm` runs. Extra `[train]`."""

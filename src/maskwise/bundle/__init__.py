"""Data that ships with the package: gazetteers, policies, the default model."""

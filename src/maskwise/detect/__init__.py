"""Privacy-oriented entity recognition: patterns, gazetteers, neural models, and the rule that merges them."""

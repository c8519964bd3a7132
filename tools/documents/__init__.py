"""Invents documents of many kinds with exact spans, to train and to measure with. Nobody in them exists."""

"""The gateway to language models: masked requests leave, restored answers come back."""

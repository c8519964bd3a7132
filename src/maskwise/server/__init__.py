"""The line as a service: a native API, Presidio's API, a gateway to language models. Needs the extra `[server]`."""

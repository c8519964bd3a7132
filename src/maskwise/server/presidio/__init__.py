"""Presidio's REST API over the policies of this server, so that its clients need no change."""

"""Serves the review page in this process, at an address that only this machine reaches."""

from __future__ import annotations

import socket
from pathlib import Path

from maskwise.server.review.app import create_review_app
from maskwise.server.review.people import ReviewSessions
from maskwise.server.review.project import ReviewProject


def serve_review(
    project: ReviewProject, sessions: ReviewSessions, folder: Path, listening: socket.socket
) -> None:
    """Serve until a signal comes."""
    import uvicorn

    from maskwise.server.recorder import configure_logging

    configure_logging()
    app = create_review_app(project, sessions, folder)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, lifespan="off"
    )
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        project.store.close()

"""Serves the review page in this process, at an address that only this machine reaches."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

from maskwise.server.review.annotation import AnnotationProject
from maskwise.server.review.app import create_review_app
from maskwise.server.review.people import ReviewSessions
from maskwise.server.review.project import ReviewProject


def serve_review(
    project: ReviewProject | AnnotationProject,
    sessions: ReviewSessions,
    folder: Path,
    listening: socket.socket,
) -> None:
    """Serve until a signal comes."""
    import uvicorn

    from maskwise.server.recorder import configure_logging
    from maskwise.server.wire import CarefulProtocol

    configure_logging()
    app = create_review_app(project, sessions, folder)
    if isinstance(project, ReviewProject):
        threading.Thread(target=project.rank_queue, daemon=True).start()
    config = uvicorn.Config(
        app,
        http=CarefulProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
    )
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        project.store.close()

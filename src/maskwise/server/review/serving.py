"""Serves the review page in this process, at an address that only this machine reaches."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from maskwise.server.review.annotation import AnnotationProject
from maskwise.server.review.app import create_review_app
from maskwise.server.review.people import ReviewSessions
from maskwise.server.review.project import ReviewProject

if TYPE_CHECKING:
    from fastapi import FastAPI
    from uvicorn import Config

# Seconds without a request after which a connection ends. Chromium gives one up after 300, Firefox after 115: a server
# that were sooner could end it just as a person who paused sends an edit.
IDLE = 900


def serve_review(
    project: ReviewProject | AnnotationProject,
    sessions: ReviewSessions,
    folder: Path,
    listening: socket.socket,
) -> None:
    """Serve until a signal comes."""
    import uvicorn

    from maskwise.server.recorder import configure_logging
    from maskwise.server.service import keep_what_is_loaded

    configure_logging()
    keep_what_is_loaded()
    app = create_review_app(project, sessions, folder)
    if isinstance(project, ReviewProject):
        threading.Thread(target=project.rank_queue, daemon=True).start()
    try:
        uvicorn.Server(configure_server(app)).run(sockets=[listening])
    finally:
        project.store.close()


def configure_server(app: FastAPI) -> Config:
    from uvicorn import Config

    from maskwise.server.wire import CarefulProtocol

    return Config(
        app,
        http=CarefulProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_keep_alive=IDLE,
    )

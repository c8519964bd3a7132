"""A connection outlives the pause of a person who reads."""

import http.client
import threading
import time

import uvicorn

from maskwise.cli.review import bind_port
from maskwise.server.review.serving import configure_server

PAUSE = 6.5  # seconds: more than the five after which uvicorn ends a connection by itself
BROWSER = 300  # seconds after which Chromium gives up a connection that it does not use


def test_a_connection_outlives_a_pause(desk):
    config = configure_server(desk.app)
    assert config.timeout_keep_alive > BROWSER
    listening = bind_port(0)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    client = http.client.HTTPConnection("127.0.0.1", listening.getsockname()[1])
    try:
        client.request("GET", "/enter")
        assert client.getresponse().read()
        before = client.sock
        time.sleep(PAUSE)
        client.request("GET", "/enter")
        assert client.getresponse().read()
        assert client.sock is before  # http.client would have opened another one
    finally:
        client.close()
        server.should_exit = True
        thread.join()

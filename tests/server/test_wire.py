"""What comes before a body has an end: in size and in time."""

import socket
import threading
import time

import pytest
import uvicorn

from maskwise.server import wire

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


async def echo(scope, receive, send):
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


@pytest.fixture(scope="module")
def address():
    """A server whose clients have half a second for their headers."""
    listening = socket.create_server(("127.0.0.1", 0))
    kept, wire.SECONDS = wire.SECONDS, 0.5
    config = uvicorn.Config(
        echo, http=wire.CarefulProtocol, ws="none", lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()
    server.should_exit = True
    thread.join(30)
    wire.SECONDS = kept


def talk(address, *pieces):
    """What a server answers to some pieces, and how many bytes it took."""
    taken = 0
    with socket.create_connection(address, timeout=30) as line:
        try:
            for piece in pieces:
                line.sendall(piece)
                taken += len(piece)
            found = b""
            while part := line.recv(65536):
                found += part
        except (BrokenPipeError, ConnectionResetError):
            found = b""
        return found, taken


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        (HEAD + b"X-A: ", b"a" * 100_000),
        (HEAD, b"X-A: a\r\n" * 10_000),
        (b"GET /", b"a" * 100_000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-A: ", b"a" * 100_000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;", b"a" * 100_000),
    ],
)
def test_headers_without_end_are_cut_off(address, begin, piece):
    found, taken = talk(address, begin, *[piece] * 400)
    assert taken < 20_000_000
    assert b" 200 " not in found


def test_a_large_body_and_many_requests_on_one_line_are_no_headers(address):
    whole = HEAD + b"Content-Length: 3000000\r\n\r\n" + b"a" * 3_000_000
    last = HEAD + b"Connection: close\r\nContent-Length: 3\r\n\r\nabc"
    found, _ = talk(address, whole, whole, last)
    assert found.count(b"HTTP/1.1 200") == 3
    small = b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in [b"abc"] * 60_000 + [b""])
    chunked = HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + small
    assert b"180000" in talk(address, chunked)[0]


@pytest.mark.parametrize("begin", [b"", b"POST / HT", HEAD, HEAD + b"X-A: a"])
def test_whoever_does_not_finish_the_headers_is_cut_off(address, begin):
    found, _ = talk(address, begin)
    assert found == b""


def test_a_body_has_a_time_of_its_own(address):
    with socket.create_connection(address, timeout=30) as line:
        line.sendall(HEAD + b"Content-Length: 3\r\nConnection: close\r\n\r\na")
        time.sleep(1)
        line.sendall(b"bc")
        assert b" 200 " in line.recv(1000)

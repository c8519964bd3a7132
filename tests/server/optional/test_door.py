"""The door of a real server: mutual TLS, odd requests on the wire, limits of load, signals, a lost supervisor."""

import datetime
import ipaddress
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.server.optional.processes import find_port, start_server

CANARY = "Quillfeather"
TEXT = f"Ms Orla {CANARY} met Tom Reed in Porto."
PATIENCE = 120.0


def make_certificate(folder, name, issuer=None):
    """A key and a certificate for this machine, by itself or by an authority. Returns the files."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    signer, by = issuer or (key, subject)
    now = datetime.datetime.now(datetime.UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(alternative, critical=False)
        .sign(signer, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    files = folder / f"{name}.crt", folder / f"{name}.key"
    files[0].write_bytes(made.public_bytes(pem))
    files[1].write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return files, (key, subject)


def make_context(authority, pair=None):
    context = ssl.create_default_context(cafile=str(authority))
    if pair:
        context.load_cert_chain(*map(str, pair))
    return context


def test_with_client_certificates_nobody_else_is_let_in(tmp_path):
    authority, issuer = make_certificate(tmp_path, "authority")
    own, _ = make_certificate(tmp_path, "server", issuer)
    known, _ = make_certificate(tmp_path, "client", issuer)
    stranger, _ = make_certificate(tmp_path, "stranger")
    tls = {"certificate": str(own[0]), "key": str(own[1]), "client_ca": str(authority[0])}
    port = find_port()
    path = tmp_path / "serve.yaml"
    path.write_text(json.dumps({"host": "127.0.0.1", "port": port, "tls": tls}))
    log = tmp_path / "server.log"
    command = [sys.executable, "-m", "maskwise", "serve", "--config", str(path)]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
    url = f"https://127.0.0.1:{port}"
    try:
        context = make_context(authority[0], known)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if httpx.get(f"{url}/readyz", verify=context).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.3)
        answer = httpx.post(
            f"{url}/v1/sanitize", json={"text": TEXT}, verify=context, timeout=PATIENCE
        )
        assert answer.status_code == 200
        assert (
            httpx.post(f"{url}/v1/restore", json={"text": "a"}, verify=context).status_code == 403
        )
        for pair in (None, stranger):
            with pytest.raises(httpx.HTTPError):
                httpx.get(f"{url}/livez", verify=make_context(authority[0], pair))
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/livez")
    finally:
        process.terminate()
        assert process.wait(60) == 0
    assert CANARY not in log.read_text()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    found = start_server(folder, "load: {body: 1000000, waiting: 2, body_seconds: 3}\nthreads: 1")
    yield found
    assert found.stop() == 0
    assert CANARY not in found.log.read_text()


def say(server, data, wait=20):
    """What a server answers to some bytes, until it closes the connection or falls silent."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=wait) as line:
        line.sendall(data)
        found = b""
        line.settimeout(5)
        try:
            while piece := line.recv(65536):
                found += piece
        except TimeoutError:
            pass
        except ConnectionResetError:
            pass
        return found


def post(path, body, *headers):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


BODY = json.dumps({"text": TEXT}).encode()
ODD = {
    "two lengths": post("/v1/sanitize", BODY, f"Content-Length: {len(BODY)}", "Content-Length: 3"),
    "a length and chunks": post(
        "/v1/sanitize", b"0\r\n\r\n" + BODY, f"Content-Length: {len(BODY)}", "Transfer-Encoding: chunked"
    ),
    "a negative chunk": post("/v1/sanitize", b"-5\r\n" + BODY, "Transfer-Encoding: chunked"),
    "a chunk without end": post("/v1/sanitize", b"ffffffffffffffff\r\n" + BODY, "Transfer-Encoding: chunked"),
    "two hosts": post("/v1/sanitize", BODY, f"Content-Length: {len(BODY)}", f"Host: {CANARY}"),
    "a folded header": post("/v1/sanitize", BODY, f"X-A: a\r\n {CANARY}", f"Content-Length: {len(BODY)}"),
    "a path with an address": post(f"http://{CANARY}/v1/sanitize", BODY, f"Content-Length: {len(BODY)}"),
    "a websocket": post(
        "/v1/sanitize", b"", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ),
    "http/2 at once": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a long header": post("/v1/sanitize", b"", f"X-A: {CANARY * 20_000}"),
    "no path": f"POST {CANARY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
    "a handshake": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + CANARY.encode(),
    "an endless line of a header": b"GET / HTTP/1.1\r\nX-A: " + b"a" * 200_000,
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_requests_on_the_wire_are_refused(server, name):
    found = say(server, ODD[name])
    assert CANARY.encode() not in found
    assert b"HTTP/1.1 5" not in found
    again = httpx.post(f"{server.url}/v1/sanitize", json={"text": TEXT}, timeout=PATIENCE)
    assert again.status_code == 200


def test_a_body_in_chunks_is_read(server):
    half = len(BODY) // 2
    pieces = b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in (BODY[:half], BODY[half:], b""))
    found = say(
        server, post("/v1/sanitize", pieces, "Transfer-Encoding: chunked", "Connection: close")
    )
    assert b"HTTP/1.1 200" in found
    assert CANARY.encode() not in found


def test_a_line_of_fifty_megabytes_is_refused_at_the_limit(server):
    line = b'{"text": "' + b"a" * 50_000_000
    try:
        found = say(server, post("/v1/sanitize", line, f"Content-Length: {len(line)}"))
    except OSError:  # the server closed the connection while the client still wrote
        return
    assert b" 413 " in found or found == b""


def test_more_than_may_wait_are_refused_and_told_when_to_come_again(server):
    texts = [TEXT * 40] * 40

    def ask(_):
        body = {"text": texts}
        return httpx.post(f"{server.url}/v1/sanitize", json=body, timeout=PATIENCE)

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(ask, range(12)))
    assert {answer.status_code for answer in answers} == {200, 503}
    assert all(a.headers["retry-after"] == "1" for a in answers if a.status_code == 503)
    assert not any(CANARY in answer.text for answer in answers)


def list_children(process):
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(each) for each in path.read_text().split()]


def is_alive(process):
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def wait_until(is_so):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError("it never comes")


def test_workers_end_with_the_process_above_them(tmp_path):
    server = start_server(tmp_path, "{}", "--workers", "2")
    workers = list_children(server.process.pid)
    assert len(workers) == 2
    server.process.kill()
    server.process.wait()
    wait_until(lambda: not any(map(is_alive, workers)))
    host, _, port = server.url.removeprefix("http://").partition(":")
    with closing(socket.socket()) as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind((host, int(port)))


def test_a_signal_while_a_worker_is_replaced_ends_all(tmp_path):
    """The supervisor pauses before it replaces a worker that died young."""
    server = start_server(tmp_path, "{}", "--workers", "2")
    first, _ = list_children(server.process.pid)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: first not in list_children(server.process.pid))
    wait_until(lambda: len(list_children(server.process.pid)) == 2)
    young = next(each for each in reversed(list_children(server.process.pid)))
    os.kill(young, signal.SIGKILL)
    time.sleep(0.2)
    workers = list_children(server.process.pid)
    assert server.stop() == 0
    assert not any(map(is_alive, workers))


def test_a_server_whose_workers_cannot_run_ends(tmp_path):
    (tmp_path / "bad.vault").write_text("no vault")
    path = tmp_path / "serve.yaml"
    path.write_text(f"vault: {{path: {tmp_path}/bad.vault}}\naudit: {tmp_path}/a.jsonl\n")
    command = [sys.executable, "-m", "maskwise", "serve", "--config", str(path)]
    command += ["--port", str(find_port()), "--workers", "2"]
    environment = {**os.environ, "MASKWISE_VAULT_KEY": "a key that is long enough"}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert "a worker cannot run" in done.stderr
    assert "Traceback" not in done.stderr

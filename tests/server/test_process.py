"""The server as a process of its own: how it starts, what it refuses, and that it ends."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVE = """
import sys
from pathlib import Path
from explorer import app
app.built_site = lambda: Path(sys.argv[1])
sys.exit(app.serve(int(sys.argv[2]), open_browser=False))
"""


def started(site: Path, port: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SERVE, str(site), str(port)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@pytest.fixture
def server(site: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    process = started(site, 0)
    assert process.stdout
    address = process.stdout.readline().split()[1]
    yield process, int(address.rstrip("/").rpartition(":")[2])
    process.kill()
    process.communicate()


def raw(port: int, text: bytes) -> bytes:
    """What the server says to exactly these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
MALFORMED = [
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" + UPGRADE + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" + UPGRADE + b"Sec-WebSocket-Key: \xff\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nSec-WebSocket-Version: 99\r\n" + UPGRADE + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: rebound.example\r\nX: %d\r\n\r\n",
    b"GET http://rebound.example/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
    b"POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 99999999\r\n\r\n",
    b"GET /%%00%%ff HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
    b"\x16\x03\x01 TLS to a plain port %d",
]


def test_it_answers_refuses_and_ends_within_three_seconds_without_a_traceback(
    server: tuple[subprocess.Popen[str], int],
) -> None:
    process, port = server
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", "/sections/")
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.getheader("server") is None
    answer.read()
    for text in MALFORMED:
        said = raw(port, text % port)
        assert not said.startswith(b"HTTP/1.1 200"), text
        assert not said.startswith(b"HTTP/1.1 5"), text
    # `connection` stays open: one that lingers must not keep the server alive.
    sent = time.monotonic()
    process.send_signal(signal.SIGTERM)
    log, _ = process.communicate(timeout=3)
    assert time.monotonic() - sent <= 3
    assert "Traceback" not in log


def test_it_listens_to_this_machine_alone(server: tuple[subprocess.Popen[str], int]) -> None:
    _, port = server
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", port), timeout=1):
        pass


@pytest.mark.skipif(os.name != "posix", reason="Ctrl+C is another signal there")
def test_ctrl_c_ends_it_quietly(server: tuple[subprocess.Popen[str], int]) -> None:
    process, port = server
    assert raw(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").startswith(b"HTTP/1.1 403")
    process.send_signal(signal.SIGINT)
    log, _ = process.communicate(timeout=3)
    assert (process.returncode, log) == (130, "")


def test_a_port_in_use_is_one_sentence_with_a_remedy(site: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = started(site, port)
        said, _ = process.communicate(timeout=20)
    assert process.returncode == 2
    assert said == f"Port {port} is in use; take another one: --port {port + 1}\n"


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_there_is_not_is_one_sentence(site: Path, port: int) -> None:
    process = started(site, port)
    said, _ = process.communicate(timeout=20)
    assert (process.returncode, said) == (2, f"There is no port {port}: ports are 0 to 65535.\n")


def test_a_site_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "built.json").write_text("{")
    process = started(tmp_path, 0)
    said, _ = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "build anew with python3 build.py site" in said
    assert "Traceback" not in said

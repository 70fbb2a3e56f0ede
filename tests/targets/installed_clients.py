"""installed_clients.py asks|knocks|asks_in_loop|shakes_in_loop: an installed package waits, with a
timeout, for a server in another process, which never answers, or never accepts."""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import threading

from ready import PYTHON, ready

PACKAGE = """
import asyncio
import socket
import ssl


def ask(port, then):
    connection = socket.create_connection(("127.0.0.1", port), timeout=100)
    connection.sendall(b"hello")
    then()
    return connection.recv(100)


def knock(port, then):
    then()
    return socket.create_connection(("127.0.0.1", port), timeout=100)


async def ask_in_loop(port, then):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello")
    asyncio.get_event_loop().call_later(1.2, then)
    return await asyncio.wait_for(reader.readline(), 3600)


async def shake_in_loop(port, then):
    asyncio.get_event_loop().call_later(1.2, then)
    secure = ssl.create_default_context()
    await asyncio.open_connection("127.0.0.1", port, ssl=secure, ssl_handshake_timeout=3600)
"""


def serve(how):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0 if how == "knocks" else 5)
    full = []
    if how == "knocks":
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
            full.append(client)
    print(listener.getsockname()[1], flush=True)
    if how != "knocks":
        client, _ = listener.accept()
        client.recv(100)
    threading.Event().wait()


def load_price(how, port):
    import pricelib

    if how == "asks":
        pricelib.ask(port, ready)  # asks
    elif how == "knocks":
        pricelib.knock(port, ready)  # knocks
    else:
        asyncio.new_event_loop().run_until_complete(load_in_loop(how, pricelib, port))


async def load_in_loop(how, pricelib, port):
    if how == "asks_in_loop":
        await pricelib.ask_in_loop(port, ready)  # asks in its loop
    else:
        await pricelib.shake_in_loop(port, ready)  # begins to


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    command = [PYTHON, __file__, "serve", sys.argv[1]]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    with tempfile.TemporaryDirectory() as folder:
        packages = os.path.join(folder, "site-packages")
        os.mkdir(packages)
        with open(os.path.join(packages, "pricelib.py"), "w") as file:
            file.write(PACKAGE)
        sys.path.insert(0, packages)
        load_price(sys.argv[1], int(server.stdout.readline()))

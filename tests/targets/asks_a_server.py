"""asks_a_server.py silent|slow|chatty: a task asks a server in another process, which never
answers, does so in less than a minute, or has nothing more to say."""

import asyncio
import socket
import subprocess
import sys
import threading
import time

from ready import PYTHON, ready


def serve(how):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(5)
    print(listener.getsockname()[1], flush=True)
    client, _ = listener.accept()
    client.recv(100)
    if how == "chatty":
        client.sendall(b"welcome\n")
    if how == "slow":
        time.sleep(50)  # answers late
    threading.Event().wait()  # answers never


async def ask(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello\n")
    if sys.argv[1] == "chatty":
        await reader.readline()
    # By then the connection has been silent for longer than an answer takes.
    asyncio.get_event_loop().call_later(1.2, ready)
    await reader.readline()  # asks


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    command = [PYTHON, __file__, "serve", sys.argv[1]]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(ask(int(server.stdout.readline())))

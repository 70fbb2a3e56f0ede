import asyncio
import socket
import threading

from hypercorn.asyncio import serve
from hypercorn.config import Config


async def show(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            event = await receive()
            await send({"type": event["type"] + ".complete"})
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"reel" * 50_000})


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


def open_cinema():
    port = free_port()
    config = Config()
    config.bind = [f"127.0.0.1:{port}"]
    config.h2_max_concurrent_streams = 2
    config.loglevel = "ERROR"
    never = asyncio.Event()
    threading.Thread(
        target=asyncio.run,
        args=(serve(show, config, shutdown_trigger=never.wait),),
        name="cinema",
        daemon=True,
    ).start()
    return port

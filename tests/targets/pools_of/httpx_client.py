"""The pool of httpx's client, through responses that are streamed."""

import asyncio

import httpx


async def serve(reader, writer):
    while await reader.readline():
        while (await reader.readline()).strip():
            pass
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1000)
        await writer.drain()


async def taking_async(size):
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = httpx.AsyncClient(limits=httpx.Limits(max_connections=size), timeout=None)
    return lambda: client.stream("GET", f"http://127.0.0.1:{port}/")

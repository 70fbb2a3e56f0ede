import asyncio
import os
import signal

signal.alarm(120)


async def answer_lines(reader, writer):
    while line := await reader.readline():
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def stop_server(server):
    server.close()
    await server.wait_closed()


async def check_server():
    server = await asyncio.start_server(answer_lines, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"hello\n")
    await reader.readline()
    await stop_server(server)
    writer.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(check_server())

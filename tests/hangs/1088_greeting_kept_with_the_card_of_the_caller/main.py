import asyncio
import os
import ssl

import trustme

ANSWERS_CARDS = False
PATIENCE_S = 3600


class Gate:
    def __init__(self, authority):
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert("gate.test").configure_cert(self.context)
        self.visitors = []

    async def receive(self, reader, writer):
        await asyncio.sleep(0.05)
        self.visitors.append(await reader.readline())
        if ANSWERS_CARDS:
            writer.write(b"come in\n")
        await writer.start_tls(self.context, ssl_handshake_timeout=PATIENCE_S)
        writer.write(b"tea\n")
        await writer.drain()
        writer.close()

    async def open(self):
        server = await asyncio.start_server(self.receive, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]


class Visitor:
    def __init__(self, authority, port):
        self.context = ssl.create_default_context()
        authority.configure_trust(self.context)
        self.port = port

    async def visit(self, name):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"card of %s\n" % name.encode())
        if ANSWERS_CARDS:
            await reader.readline()
        await writer.start_tls(
            self.context, server_hostname="gate.test", ssl_handshake_timeout=PATIENCE_S
        )
        drink = await reader.readline()
        writer.close()
        return drink


async def run_afternoon():
    authority = trustme.CA()
    visitor = Visitor(authority, await Gate(authority).open())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await visitor.visit("ida")


if __name__ == "__main__":
    asyncio.run(run_afternoon())

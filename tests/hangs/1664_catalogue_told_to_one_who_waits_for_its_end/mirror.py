import asyncio

import asyncssh


class Host(asyncssh.SSHServer):
    def begin_auth(self, username):
        return False


async def catalogue(process):
    for number in range(60000):
        process.stdout.write("star %08d: %s\n" % (number, "." * 80))
        if number % 100 == 0:
            await process.stdout.drain()
    process.exit(0)


class Mirror:
    """Fetches the catalogue of an observatory over ssh, again and again."""

    def __init__(self, port, reads):
        self.port = port
        self.reads = reads
        self.rounds = 0
        self.lines = 0

    async def fetch(self, connection):
        process = await connection.create_process("catalogue")
        if self.reads:
            async for _line in process.stdout:
                self.lines += 1
        await process.wait_closed()
        self.rounds += 1

    async def follow(self):
        async with asyncssh.connect("127.0.0.1", self.port, known_hosts=None) as connection:
            while True:
                await self.fetch(connection)
                await asyncio.sleep(0.2)


async def serve():
    key = asyncssh.generate_private_key("ssh-ed25519")
    return await asyncssh.create_server(
        Host, "127.0.0.1", 0, server_host_keys=[key], process_factory=catalogue
    )


async def clock():
    seconds = 0
    while True:
        await asyncio.sleep(1)
        seconds += 1

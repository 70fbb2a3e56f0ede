import asyncio
import os
import signal

import asyncssh

signal.alarm(120)


async def sort_lines(process):
    lines = []
    async for line in process.stdin:
        lines.append(line)
    process.stdout.write("".join(sorted(lines)))
    process.exit(0)


async def sort_names(connection, names):
    async with connection.create_process("sort") as sorting:
        for name in names:
            sorting.stdin.write(name + "\n")
        sorting.stdin.write_eof()
        return await sorting.stdout.read()


async def main():
    key = asyncssh.generate_private_key("ssh-ed25519")
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_host_keys=[key], process_factory=sort_lines, server_factory=Open
    )
    port = server.sockets[0].getsockname()[1]
    async with asyncssh.connect("127.0.0.1", port, known_hosts=None, username="list") as connection:
        print("MARK main pid=%d" % os.getpid())
        while True:
            await sort_names(connection, ["Mia", "Ben", "Zoe"])


class Open(asyncssh.SSHServer):
    def begin_auth(self, username):
        return False


if __name__ == "__main__":
    asyncio.run(main())

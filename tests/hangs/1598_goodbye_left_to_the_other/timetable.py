import asyncio
import json
import sys

from websockets.asyncio.server import serve


class Office:
    def __init__(self, closes):
        self.closes = closes
        self.sent = 0

    async def visitor(self, connection):
        line = json.loads(await connection.recv())["line"]
        await self.send_timetable(connection, line)
        if self.closes:
            await connection.close()
        await connection.wait_closed()

    async def send_timetable(self, connection, line):
        for hour in range(6, 20):
            await connection.send(json.dumps({"line": line, "hour": hour}))
            self.sent += 1
            await asyncio.sleep(0.01)
        await connection.send(json.dumps({"line": line, "end": True}))


async def main(closes):
    async with serve(Office(closes).visitor, "127.0.0.1", 0) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] == "closes"))

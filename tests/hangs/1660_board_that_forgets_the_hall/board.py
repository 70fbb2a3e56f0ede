import asyncio
import contextlib
import itertools


class Board:
    """Departures, told to every display that has asked for them."""

    def __init__(self, tell_off):
        self.tell_off = tell_off
        self.displays = set()
        self.dropped = 0

    def enrol(self):
        queue = asyncio.Queue(maxsize=8)
        self.displays.add(queue)
        return queue

    def announce(self, text):
        for queue in list(self.displays):
            try:
                queue.put_nowait(text)
            except asyncio.QueueFull:
                self.displays.discard(queue)
                self.dropped += 1
                if self.tell_off:
                    while not queue.empty():
                        queue.get_nowait()
                    queue.put_nowait(None)


class Station:
    def __init__(self, board):
        self.board = board
        self.served = 0

    async def stream(self, reader, writer):
        await reader.readline()
        queue = self.board.enrol()
        try:
            while True:
                text = await queue.get()
                if text is None:
                    break
                writer.write(text.encode() + b"\n")
                await writer.drain()
                self.served += 1
        finally:
            self.board.displays.discard(queue)
            writer.close()

    async def timetable(self):
        for number in itertools.count(1):
            self.board.announce("train %d" % number)
            await asyncio.sleep(0.05)

    async def platform(self, port, pause):
        """A display: shows each departure, and looks up the first one's route for a while."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"display\n")
            shown = 0
            while True:
                line = await reader.readline()
                if not line:
                    break
                shown += 1
            with contextlib.suppress(OSError):
                writer.close()

    async def hall(self, port):
        queue = self.board.enrol()
        shown = 0
        while True:
            text = await self.read_next(queue)
            if text is None:
                queue = self.board.enrol()
                continue
            shown += 1
            if shown == 5:
                await self.look_up(text)

    async def read_next(self, queue):
        return await queue.get()

    async def look_up(self, text):
        await asyncio.sleep(1.5)

    async def open(self):
        server = await asyncio.start_server(self.stream, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with asyncio.TaskGroup() as group:
            group.create_task(self.timetable(), name="timetable")
            group.create_task(self.platform(port, 0), name="platform-1")
            group.create_task(self.platform(port, 0), name="platform-2")
            group.create_task(self.hall(port), name="hall")

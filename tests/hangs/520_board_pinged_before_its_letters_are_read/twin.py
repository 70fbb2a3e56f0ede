import os
import signal

import trio
from trio_websocket import open_websocket, serve_websocket

signal.alarm(120)

LETTERS = 1


async def deliver(request):
    board = await request.accept()
    for number in range(LETTERS):
        await board.send_message("letter %d" % number)
    await trio.sleep_forever()


class Reader:
    def __init__(self, board):
        self.board = board
        self.letters = []

    async def check_board(self):
        await trio.sleep(0.05)
        await self.board.ping(b"there?")

    async def read_letters(self):
        for _ in range(LETTERS):
            self.letters.append(await self.board.get_message())


async def visit_board(port):
    async with open_websocket("127.0.0.1", port, "/", use_ssl=False) as board:
        reader = Reader(board)
        await reader.check_board()
        await reader.read_letters()


async def main():
    async with trio.open_nursery() as nursery:
        server = await nursery.start(serve_websocket, deliver, "127.0.0.1", 0, None)
        while True:
            await visit_board(server.port)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trio.run(main)

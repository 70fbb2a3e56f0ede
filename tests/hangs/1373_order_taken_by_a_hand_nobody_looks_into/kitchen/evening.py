import asyncio
import os

from kitchen.board import Board, Cook


async def radio(songs):
    while True:
        songs.append("song %d" % len(songs))
        del songs[:-5]
        await asyncio.sleep(0.5)


class Waiter:
    def __init__(self, board):
        self.board = board
        self.tips = 0

    async def serve(self, number, dish):
        plate = await self.board.ticket(number, dish)
        self.tips += 1
        return plate


async def main(keep, speed):
    board = Board()
    cook = asyncio.create_task(Cook(board, keep).work(speed), name="cook")
    music = asyncio.create_task(radio([]), name="radio")
    waiter = Waiter(board)
    await asyncio.sleep(0.1)
    board.bells.put_nowait("door")
    await asyncio.sleep(0.1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number, dish in enumerate(["soup", "trout", "cake"]):
        print(await waiter.serve(number, dish))
    board.closing.set()
    music.cancel()
    await cook

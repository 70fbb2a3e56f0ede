import asyncio
import os

from board import Board, Station

TELL_OFF = True

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(Station(Board(TELL_OFF)).open())

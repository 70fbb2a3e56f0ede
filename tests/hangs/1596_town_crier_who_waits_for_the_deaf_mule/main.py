import asyncio
import os

from square import Square

MANNER = "deaf"


async def main(manner):
    square = Square()
    crier = await square.open(manner)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        await crier
    finally:
        square.mule.kill()


if __name__ == "__main__":
    asyncio.run(main(MANNER))

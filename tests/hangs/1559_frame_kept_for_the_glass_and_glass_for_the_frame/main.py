import asyncio
import os

from glazier.shop import Workshop, sweep


async def main(in_turn):
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sweeping = asyncio.create_task(sweep({}), name="sweep")
    await asyncio.gather(Workshop(in_turn).open(), sweeping)


if __name__ == "__main__":
    asyncio.run(main(in_turn=False))

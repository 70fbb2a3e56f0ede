import os
import signal

import trio
import trio.testing

from heating import Heater

signal.alarm(120)


async def run_evening(heater):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(heater.keep_warm)
        await heater.wait_until_warm()
        nursery.cancel_scope.cancel()
    return heater.degrees


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        trio.run(run_evening, Heater(), clock=trio.testing.MockClock(autojump_threshold=0.05))

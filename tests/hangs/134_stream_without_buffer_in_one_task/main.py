import os
import signal

import anyio

signal.alarm(120)


async def read_rows(names):
    sending, receiving = anyio.create_memory_object_stream()
    async with sending, receiving:
        for name in names:
            await sending.send(name)
        return [await receiving.receive() for _ in names]


async def print_report():
    print(await read_rows(["pear", "apple"]))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    anyio.run(print_report)

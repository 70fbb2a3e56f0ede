import os
import signal

import anyio

signal.alarm(120)


async def send_rows(sending, names):
    async with sending:
        for name in names:
            await anyio.sleep(0.02)
            await sending.send(name)


async def read_rows(names):
    sending, receiving = anyio.create_memory_object_stream()
    async with anyio.create_task_group() as tasks, receiving:
        tasks.start_soon(send_rows, sending, names)
        return [await receiving.receive() for _ in names]


async def print_report():
    while True:
        await read_rows(["pear", "apple"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    anyio.run(print_report)

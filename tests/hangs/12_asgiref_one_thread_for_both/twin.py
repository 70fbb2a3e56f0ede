import asyncio
import os
import signal
import threading

from asgiref.sync import sync_to_async

signal.alarm(120)


def wait_for_import(imported):
    imported.wait()


def mark_imported(imported):
    imported.set()


async def finish_import(imported):
    await asyncio.sleep(0.05)
    await sync_to_async(mark_imported)(imported)


async def receive_import():
    imported = threading.Event()
    finishing = asyncio.create_task(finish_import(imported), name="finish-import")
    await sync_to_async(wait_for_import, thread_sensitive=False)(imported)
    await finishing


async def main():
    print("MARK main pid=%d" % os.getpid())
    while True:
        await receive_import()


if __name__ == "__main__":
    asyncio.run(main())

import asyncio
import os
import signal

from tornado.ioloop import IOLoop
from tornado.queues import Queue

signal.alarm(120)
sizes = {"small": 100, "large": 800}


async def resize_images(images, done):
    async for name, size in images:
        await asyncio.sleep(0.05)
        done.append((name, sizes[size]))
        images.task_done()


async def publish_album(names):
    images, done = Queue(), []
    IOLoop.current().spawn_callback(resize_images, images, done)
    for name, size in names:
        await images.put((name, size))
    await images.join()
    return done


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    album = [("beach", "small"), ("harbour", "medium"), ("dunes", "large")]
    print(IOLoop.current().run_sync(lambda: publish_album(album)))

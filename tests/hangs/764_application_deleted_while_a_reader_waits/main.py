import asyncio
import os
import threading
import time

import ray
from ray import serve


@serve.deployment(graceful_shutdown_timeout_s=86400, max_ongoing_requests=8)
class Feed:
    def __init__(self):
        self.news = asyncio.Event()

    async def next_item(self):
        if WAITS:
            await self.news.wait()
        return "item"

    def publish(self):
        self.news.set()


WAITS = True


def follow(handle):
    return handle.next_item.remote().result()


def redeploy():
    handle = serve.run(Feed.bind())
    threading.Thread(target=follow, args=(handle,), name="reader", daemon=True).start()
    time.sleep(1)
    take_down()


def take_down():
    while True:
        try:
            return serve.delete("default")
        except TimeoutError:
            print("not down yet", flush=True)


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"location": "NoServer"})
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        redeploy()


if __name__ == "__main__":
    main()

import asyncio
import os
import signal
import subprocess
import sys

from aiobotocore.config import AioConfig
from aiobotocore.session import get_session

signal.alarm(120)

HERE = os.path.dirname(os.path.abspath(__file__))


class Gallery:
    def __init__(self, client):
        self.client = client

    async def picture(self, name):
        return (await self.client.get_object(Bucket="gallery", Key=name))["Body"]

    async def album(self, names):
        pages = []
        for name in names:
            page = await self.picture(name)
            pages.append(await page.read())
        return pages


async def print_album(port):
    config = AioConfig(max_pool_connections=2, connect_timeout=None, read_timeout=None)
    async with get_session().create_client(
        "s3",
        endpoint_url="http://127.0.0.1:%d" % port,
        region_name="eu",
        aws_access_key_id="a",
        aws_secret_access_key="b",
        config=config,
    ) as client:
        while True:
            await Gallery(client).album(["sea", "sky", "sun"])


if __name__ == "__main__":
    store = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "store.py")], stdout=subprocess.PIPE, text=True
    )
    port = int(store.stdout.readline())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(len(asyncio.run(print_album(port))))

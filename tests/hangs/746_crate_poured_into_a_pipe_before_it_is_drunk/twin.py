import os
import signal
import sys
import threading
import time

import boto3
from botocore.config import Config

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Cellar:
    def __init__(self, address):
        self.client = boto3.client(
            "s3",
            endpoint_url=address,
            region_name="eu-north-1",
            aws_access_key_id="inn",
            aws_secret_access_key="inn",
            config=Config(read_timeout=3600),
        )

    def fetch(self, name, target):
        self.client.download_fileobj("crates", name, target)


def drink(glass):
    while glass.read(20_000):
        time.sleep(0.02)


def pour(cellar, name):
    reader, writer = os.pipe()
    with open(reader, "rb") as glass:
        guest = threading.Thread(target=drink, args=(glass,), daemon=True)
        guest.start()
        with open(writer, "wb") as tap:
            cellar.fetch(name, tap)
        guest.join()


if __name__ == "__main__":
    cellar = Cellar("http://127.0.0.1:%d" % start("crate_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        pour(cellar, "cider")

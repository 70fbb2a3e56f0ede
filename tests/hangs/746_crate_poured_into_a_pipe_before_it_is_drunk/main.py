import os
import signal
import sys

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


def pour(cellar, name):
    reader, writer = os.pipe()
    with open(reader, "rb") as glass:
        with open(writer, "wb") as tap:
            cellar.fetch(name, tap)
        return glass.read()


if __name__ == "__main__":
    cellar = Cellar("http://127.0.0.1:%d" % start("crate_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pour(cellar, "cider")

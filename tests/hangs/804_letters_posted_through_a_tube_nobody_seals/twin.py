import os
import signal
import threading
import time

import boto3
from store import start_store

signal.alarm(120)


class Archive:
    def __init__(self, address):
        self.client = boto3.client(
            "s3",
            endpoint_url=address,
            region_name="eu-north-1",
            aws_access_key_id="post",
            aws_secret_access_key="post",
        )

    def keep(self, source):
        self.client.upload_fileobj(source, "letters", "today")


def write_letters(tube):
    for number in range(20):
        os.write(tube, b"letter %d\n" % number)
    os.close(tube)


def post(archive):
    out, tube = os.pipe()
    clerk = threading.Thread(target=write_letters, args=(tube,), name="clerk")
    clerk.start()
    with open(out, "rb") as letters:
        archive.keep(letters)
    clerk.join()


if __name__ == "__main__":
    archive = Archive(start_store())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        post(archive)
        time.sleep(0.1)

import os
import signal
import sys
import threading

import boto3
from boto3.s3.transfer import TransferConfig, create_transfer_manager
from botocore.config import Config

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def fetch_backup(manager, name, patience):
    transfer = manager.download("backups", name, "/tmp/" + name)
    threading.Timer(patience, transfer.cancel).start()
    return transfer.result()


if __name__ == "__main__":
    address = "http://127.0.0.1:%d" % start("s3_server", "silent")
    client = boto3.client(
        "s3",
        endpoint_url=address,
        region_name="eu-north-1",
        aws_access_key_id="shop",
        aws_secret_access_key="shop",
        config=Config(read_timeout=3600),
    )
    manager = create_transfer_manager(client, TransferConfig(max_concurrency=2))
    print("MARK main pid=%d" % os.getpid())
    fetch_backup(manager, "monday", 0.5)

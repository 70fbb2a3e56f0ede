import os
import signal
import sys

from deltalake import DeltaTable

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def find_table(port, name):
    access = {
        "AWS_ENDPOINT_URL": "http://127.0.0.1:%d" % port,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "clerk",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }
    try:
        return DeltaTable.is_deltatable("s3://shop/small/" + name, access)
    except OSError:
        return False


if __name__ == "__main__":
    port = start("http_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    turn = 0
    while True:
        turn += 1
        find_table(port, "sales%d" % turn)

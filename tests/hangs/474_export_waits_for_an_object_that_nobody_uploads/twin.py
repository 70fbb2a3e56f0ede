import os
import signal
import sys

import boto3

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Warehouse:
    def __init__(self, port):
        self.store = boto3.client(
            "s3",
            endpoint_url="http://127.0.0.1:%d" % port,
            region_name="eu-west-1",
            aws_access_key_id="shop",
            aws_secret_access_key="none",
        )

    def wait_for_export(self, day):
        ready = self.store.get_waiter("object_exists")
        ready.wait(
            Bucket="exports",
            Key="orders-%s.csv" % day,
            WaiterConfig={"Delay": 1, "MaxAttempts": 100000},
        )


def import_orders(warehouse, day):
    warehouse.wait_for_export(day)
    print("importing", day)


if __name__ == "__main__":
    warehouse = Warehouse(start("bucket_server", "late"))
    print("MARK main pid=%d" % os.getpid())
    day = 0
    while True:
        day += 1
        import_orders(warehouse, day)

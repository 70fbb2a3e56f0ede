import os
import signal
import sys
import time

import pymongo
from pymongo import monitoring

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def write_audit(client, name):
    client.audit.entries.insert_one({"command": name})


class Audit(monitoring.CommandListener):
    client = None

    def started(self, event):
        if event.database_name == "shop":
            write_audit(self.client, event.command_name)

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


def save_order(client, number):
    client.shop.orders.insert_one({"number": number})


if __name__ == "__main__":
    audit = Audit()
    port = start("mongo_server")
    client = pymongo.MongoClient("127.0.0.1", port, maxPoolSize=2, event_listeners=[audit])
    audit.client = client
    client.admin.command("ping")
    print("MARK main pid=%d" % os.getpid())
    while True:
        save_order(client, 1)
        time.sleep(0.05)

import os
import signal
import time

from cluster import start_cluster
from kubernetes import client

signal.alarm(120)


class Roster:
    def __init__(self, address):
        configuration = client.Configuration()
        configuration.host = address
        self.pods = client.CoreV1Api(client.ApiClient(configuration))

    def refresh(self):
        return self.pods.list_namespaced_pod("mill", async_req=True)


def report(roster):
    pending = roster.refresh()
    time.sleep(1)
    print("asked for the roster, done for today", pending.ready())


if __name__ == "__main__":
    roster = Roster(start_cluster(quick=False))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    report(roster)

import os
import signal
import tempfile

import ipyparallel

signal.alarm(120)


class Fleet:
    def __init__(self, folder, engines):
        self.cluster = ipyparallel.Cluster(
            n=engines, profile_dir=folder, log_level=40, send_engines_connection_env=True
        )

    def start(self):
        self.cluster.start_cluster_sync()
        return self.cluster.connect_client_sync()

    def stop(self):
        self.cluster.stop_cluster_sync()


def simulate(fleet, boats):
    client = fleet.start()
    try:
        client.wait_for_engines(boats)
        return client[:].map_sync(abs, range(boats))
    finally:
        fleet.stop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(folder, 2)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        simulate(fleet, 3)

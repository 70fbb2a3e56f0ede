import os
import signal
import sys
import tempfile

import docker

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def run_migration(client):
    container = client.containers.get("migration")
    return container.wait()


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "docker.sock")
    start("docker_server", path)
    client = docker.DockerClient("unix://" + path, version="1.43", timeout=None)
    print("MARK main pid=%d" % os.getpid())
    run_migration(client)

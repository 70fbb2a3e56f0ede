import os
import signal
import sys

import paramiko

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def run_remote(client, command):
    _, stdout, stderr = client.exec_command(command)
    return stdout.read(), stderr.read()


def connect(port):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect("127.0.0.1", port, "ops", "secret", look_for_keys=False, allow_agent=False)
    return client


if __name__ == "__main__":
    client = connect(start("ssh_server"))
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_remote(client, "complains 0")

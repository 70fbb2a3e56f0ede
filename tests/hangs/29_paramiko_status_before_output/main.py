import os
import signal
import sys

import paramiko

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def remote_status(client, command):
    _, stdout, _ = client.exec_command(command)
    status = stdout.channel.recv_exit_status()
    return status, stdout.read()


def connect(port):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect("127.0.0.1", port, "ops", "secret", look_for_keys=False, allow_agent=False)
    return client


if __name__ == "__main__":
    client = connect(start("ssh_server"))
    print("MARK main pid=%d" % os.getpid())
    remote_status(client, "megabytes 8")

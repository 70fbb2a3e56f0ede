import os
import signal

import paramiko
from gate import Gate, open_gate

signal.alarm(120)


class Visitor:
    def __init__(self, port):
        self.line = paramiko.SSHClient()
        self.line.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        self.line.connect(
            "127.0.0.1", port, "ida", "secret", allow_agent=False, look_for_keys=False
        )

    def deliver(self, letter):
        stdin, stdout, _ = self.line.exec_command("receive %d" % len(letter))
        stdin.write(letter)
        stdin.flush()
        return stdout.read()


if __name__ == "__main__":
    visitor = Visitor(open_gate(Gate))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    visitor.deliver("Dear house, the roof is done.")

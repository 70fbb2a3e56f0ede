import os
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Supervisor:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.results = []

    def start(self):
        port = self.listener.getsockname()[1]
        command = [sys.executable, os.path.join(HERE, "worker.py"), str(port)]
        self.process = subprocess.Popen(command)
        connection, _ = self.listener.accept()
        self.line = connection.makefile("rw")
        connection.close()

    def hand_out(self, job):
        self.line.write(job + "\n")
        self.line.flush()
        self.results.append(self.line.readline())

    def stop(self):
        if SENT_OFF_FIRST:
            self.line.close()
        self.process.terminate()
        self.process.wait()
        self.line.close()


def run_shift(jobs):
    supervisor = Supervisor()
    supervisor.start()
    for job in jobs:
        supervisor.hand_out(job)
    time.sleep(0.2)
    supervisor.stop()


SENT_OFF_FIRST = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        run_shift(["sweep", "polish", "dust"])

import os
import subprocess
import sys
import time

from supervisor.childutils import eventdata, listener

COUNTED = "letters"


class Page:
    def __init__(self):
        self.seen = []

    def serve(self):
        while True:
            _headers, payload = listener.wait(sys.stdin, sys.stdout)
            self.seen.append(eventdata(payload + "\n")[0]["processname"])
            listener.ok(sys.stdout)


class Steward:
    def __init__(self):
        environment = dict(os.environ, PYTHONIOENCODING="utf-8")
        self.page = subprocess.Popen(
            [sys.executable, "-u", __file__, "page"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self.told = 0

    def size(self, payload):
        return len(payload) if COUNTED == "characters" else len(payload.decode())

    def tell(self, name):
        payload = ("processname:%s groupname:hall" % name).encode()
        head = "ver:3.0 eventname:PROCESS_STATE_RUNNING len:%d\n" % self.size(payload)
        self.page.stdin.write(head.encode() + payload)
        self.page.stdin.flush()
        self.told += 1

    def hear(self, token):
        line = self.page.stdout.readline()
        assert line.startswith(token), line

    def announce(self, name):
        self.hear(b"READY")
        self.tell(name)
        self.hear(b"RESULT")
        self.page.stdout.read(2)


def main():
    steward = Steward()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for name in ("cook", "gardener", "f\u00e4hrmann"):
            steward.announce(name)
        time.sleep(0.05)


if __name__ == "__main__":
    if sys.argv[1:2] == ["page"]:
        Page().serve()
    else:
        main()

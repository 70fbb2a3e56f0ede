import json
import os
import signal
import subprocess
import sys

signal.alarm(120)

HERE = os.path.dirname(os.path.abspath(__file__))


class Tools:
    def __init__(self):
        self.server = subprocess.Popen(
            [sys.executable, "-u", os.path.join(HERE, "server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def call(self, name, **arguments):
        self.server.stdin.write(json.dumps({"method": name, "params": arguments}) + "\n")
        return json.loads(self.server.stdout.readline())["result"]


def review(tools, words):
    return {word: tools.call("count", word=word) for word in words}


if __name__ == "__main__":
    tools = Tools()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print("MARK server pid=%d" % tools.server.pid, flush=True)
    review(tools, ["bridge", "harbour"])

"""An editor that opens the speller, asks it to count, and answers its questions."""

import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Editor:
    def __init__(self, how):
        command = [sys.executable, "-u", os.path.join(HERE, "speller.py"), how]
        self.speller = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def write(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.speller.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.speller.stdin.flush()

    def read(self):
        size = 0
        while (line := self.speller.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        return json.loads(self.speller.stdout.read(size))

    def ask(self, number, method, params):
        self.write(id=number, method=method, params=params)
        while (message := self.read()).get("id") != number or "method" in message:
            if message.get("method") == "workspace/configuration":
                time.sleep(0.05)
                self.write(id=message["id"], result=[{"strict": True}])

    def run(self):
        self.ask(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.write(method="initialized", params={})
        number = 1
        while True:
            number += 1
            self.ask(number, "workspace/executeCommand", {"command": "count", "arguments": []})

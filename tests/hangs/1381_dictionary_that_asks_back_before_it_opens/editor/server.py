import json
import sys
import time


class Server:
    def __init__(self, pace):
        self.pace = pace
        self.asked = 0
        self.settings = None

    def receive(self):
        size = 0
        while line := sys.stdin.buffer.readline().strip():
            size = int(line.split(b":")[1])
        if not size:
            sys.exit()
        return json.loads(sys.stdin.buffer.read(size))

    def send(self, message):
        body = json.dumps(message).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        sys.stdout.buffer.flush()

    def ask_client(self, method, params):
        self.asked += 1
        self.send({"id": "s%d" % self.asked, "method": method, "params": params})
        return self.receive()["result"]

    def initialize(self, params):
        self.settings = self.ask_client("workspace/configuration", {"section": "spelling"})
        return {"language": self.settings["language"]}

    def check(self, params):
        time.sleep(self.pace)
        return [word for word in params["text"].split() if word not in self.settings["words"]]

    def run(self):
        while True:
            message = self.receive()
            result = getattr(self, message["method"])(message["params"])
            self.send({"id": message["id"], "result": result})


if __name__ == "__main__":
    Server(float(sys.argv[1])).run()

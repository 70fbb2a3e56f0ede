"""Takes mail: "slow" confirms each message after a moment, "scanning" never does."""

import socketserver
import sys
import time


class Handler(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def take_message(self):
        self.say("354 go ahead")
        for line in self.rfile:
            if line == b".\r\n":
                break
        while sys.argv[1] == "scanning":
            time.sleep(1)
        time.sleep(0.3)
        self.say("250 queued")

    def handle(self):
        self.say("220 ready")
        for line in self.rfile:
            verb = line.split()[0].upper()
            if verb == b"DATA":
                self.take_message()
            elif verb == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 ok")


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()

import socket
import socketserver
import sys
import time


class Master(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def reach(self, where):
        parts = where.replace(b"|", b",").split(b",")
        if b"|" in where:
            return ("127.0.0.1", int(parts[-2]))
        return ("127.0.0.1", int(parts[-2]) * 256 + int(parts[-1]))

    def bring(self, where):
        time.sleep(0.1)
        with socket.create_connection(self.reach(where)) as data:
            data.sendall(b"calm\r\nwind\r\n")

    def handle(self):
        self.say("220 harbour")
        where = b""
        for line in self.rfile:
            verb, _, rest = line.strip().partition(b" ")
            if verb in (b"PORT", b"EPRT"):
                where = rest
                self.say("200 noted")
            elif verb == b"RETR":
                self.say("150 on its way")
                if sys.argv[1] == "open":
                    self.bring(where)
                    self.say("226 done")
            elif verb == b"QUIT":
                self.say("221 farewell")
                return
            else:
                self.say("230 welcome")


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Master) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()

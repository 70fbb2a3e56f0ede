"""A Redis that knows SET NX and the release of a lock; the arguments are keys that exist."""

import socketserver
import sys

keys = dict.fromkeys((name.encode() for name in sys.argv[1:]), b"1")


class Handler(socketserver.StreamRequestHandler):
    def answer(self, parts):
        verb = parts[0].upper()
        if verb == b"SET" and b"NX" in parts and parts[1] in keys:
            return b"$-1\r\n"
        if verb == b"SET":
            keys[parts[1]] = parts[2]
        elif verb == b"SCRIPT":
            return b"$40\r\n%s\r\n" % (b"a" * 40)
        elif verb in (b"EVAL", b"EVALSHA"):
            keys.pop(parts[3], None)
            return b":1\r\n"
        return b"+OK\r\n"

    def handle(self):
        while line := self.rfile.readline():
            parts = []
            for _ in range(int(line[1:])):
                size = int(self.rfile.readline()[1:])
                parts.append(self.rfile.read(size + 2)[:-2])
            self.wfile.write(self.answer(parts))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()

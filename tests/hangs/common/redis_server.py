"""Answers like a Redis with nothing in it, and never publishes."""

import socketserver


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while line := self.rfile.readline():
            parts = []
            for _ in range(int(line[1:])):
                size = int(self.rfile.readline()[1:])
                parts.append(self.rfile.read(size + 2)[:-2])
            if parts[0].upper() == b"SUBSCRIBE":
                name = parts[1]
                self.wfile.write(
                    b"*3\r\n$9\r\nsubscribe\r\n$%d\r\n%s\r\n:1\r\n" % (len(name), name)
                )
            elif parts[0].upper() == b"GET":
                self.wfile.write(b"$2\r\n42\r\n")
            else:
                self.wfile.write(b"+OK\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()

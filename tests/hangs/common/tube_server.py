"""Speaks enough of beanstalkd's protocol to put jobs into tubes and to reserve them."""

import collections
import socketserver
import threading

tubes = collections.defaultdict(collections.deque)
moved = threading.Condition()
count = 0


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        used, watched = "default", {"default"}
        while line := self.rfile.readline():
            word, *rest = line.decode().split()
            if word == "use":
                used = rest[0]
                self.wfile.write(b"USING %s\r\n" % used.encode())
            elif word in ("watch", "ignore"):
                (watched.add if word == "watch" else watched.discard)(rest[0])
                self.wfile.write(b"WATCHING %d\r\n" % len(watched))
            elif word == "put":
                self.put(used, self.rfile.read(int(rest[3]) + 2)[:-2])
            elif word == "delete":
                self.wfile.write(b"DELETED\r\n")
            elif word == "reserve":
                self.reserve(watched)

    def put(self, used, body):
        global count
        with moved:
            count += 1
            tubes[used].append((count, body))
            moved.notify_all()
            self.wfile.write(b"INSERTED %d\r\n" % count)

    def reserve(self, watched):
        with moved:
            moved.wait_for(lambda: any(tubes[name] for name in watched))
            number, body = next(tubes[name] for name in watched if tubes[name]).popleft()
        self.wfile.write(b"RESERVED %d %d\r\n%s\r\n" % (number, len(body), body))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()

"""A Redis that knows SET NX, BLPOP and the script that releases a lock."""

import socketserver
import threading

keys = {}
lists = {}
changed = threading.Condition()


class Handler(socketserver.StreamRequestHandler):
    def answer(self, parts):
        verb = parts[0].upper()
        with changed:
            if verb in (b"SETNX", b"SET"):
                fresh = parts[1] not in keys
                keys.setdefault(parts[1], parts[2])
                return b":%d\r\n" % fresh if verb == b"SETNX" else b"+OK\r\n"
            if verb == b"BLPOP":
                if not changed.wait_for(lambda: lists.get(parts[1]), float(parts[2]) or None):
                    return b"*-1\r\n"
                lists[parts[1]].pop()
                return b"*2\r\n$%d\r\n%s\r\n$1\r\n1\r\n" % (len(parts[1]), parts[1])
            if verb in (b"EVAL", b"EVALSHA"):
                return self.run(*parts[3 : 3 + int(parts[2])], parts[3 + int(parts[2])])
        if verb == b"SCRIPT":
            return b"$40\r\n%s\r\n" % (b"a" * 40)
        return b"+OK\r\n"

    def run(self, key, *rest):
        if len(rest) == 1:
            fresh = key not in keys
            keys.setdefault(key, rest[0])
            return b":%d\r\n" % fresh
        keys.pop(key, None)
        lists[rest[0]] = [b"1"]
        changed.notify_all()
        return b":1\r\n"

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

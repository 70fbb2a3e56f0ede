"""Speaks enough of memcached's words to set, add, count and forget everything."""

import socketserver
import threading
import time

values, lock = {}, threading.Lock()


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while line := self.rfile.readline():
            verb, *words = line.split()
            value = self.rfile.readline().strip() if verb in (b"add", b"set") else None
            time.sleep(0.002)
            with lock:
                self.wfile.write(self.answer(verb, words, value) + b"\r\n")

    def answer(self, verb, words, value):
        if verb == b"flush_all":
            values.clear()
            return b"OK"
        if verb == b"get":
            return b"END"
        if verb == b"set":
            return b"STORED"
        if verb == b"add":
            new = words[0] not in values
            values.setdefault(words[0], int(value))
            return b"STORED" if new else b"NOT_STORED"
        values[words[0]] = values.get(words[0], 0) + 1
        return b"%d" % values[words[0]]


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()

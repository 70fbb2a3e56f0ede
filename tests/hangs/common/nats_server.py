"""Speaks enough NATS: publishes a number on what is subscribed, ten times a second."""

import socketserver
import threading
import time


class Handler(socketserver.StreamRequestHandler):
    def tell(self, subject, sid):
        number = 0
        while sid in self.wanted:
            number += 1
            payload = b"%d" % number
            self.send(b"MSG %s %s %d\r\n%s\r\n" % (subject, sid, len(payload), payload))
            time.sleep(0.1)

    def send(self, data):
        with self.writing:
            try:
                self.wfile.write(data)
            except OSError:
                self.wanted.clear()

    def handle(self):
        self.wanted, self.writing = set(), threading.Lock()
        self.send(b'INFO {"server_id":"stub","version":"2.10.0","max_payload":1048576}\r\n')
        for line in self.rfile:
            words = line.split()
            if words[0] == b"PING":
                self.send(b"PONG\r\n")
            elif words[0] == b"SUB":
                self.wanted.add(words[-1])
                threading.Thread(target=self.tell, args=(words[1], words[-1]), daemon=True).start()
            elif words[0] == b"UNSUB":
                self.wanted.discard(words[1])


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()

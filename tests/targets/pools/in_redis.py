"""BlockingConnectionPool of redis-py, through pipelines that watch a key."""

import socketserver
import threading
from contextlib import contextmanager

import redis


class Answer(socketserver.StreamRequestHandler):
    def handle(self):
        while line := self.rfile.readline():
            if line.startswith(b"*"):
                for _ in range(2 * int(line[1:])):
                    self.rfile.readline()
                self.wfile.write(b"+OK\r\n")


def taking(size):
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pool = redis.BlockingConnectionPool(
        host="127.0.0.1",
        port=server.server_address[1],
        max_connections=size,
        timeout=600,
        protocol=2,
        maint_notifications_config=None,
    )
    client = redis.Redis(connection_pool=pool)

    @contextmanager
    def watching():
        with client.pipeline() as pipeline:
            pipeline.watch("stock")
            yield pipeline

    return watching

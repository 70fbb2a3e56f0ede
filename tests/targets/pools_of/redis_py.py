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
    options = {"host": "127.0.0.1", "port": server.server_address[1], "protocol": 2}
    if int(redis.__version__.split(".")[0]) >= 7:  # else it asks the server for what that can do
        options["maint_notifications_config"] = None
    pool = redis.BlockingConnectionPool(max_connections=size, timeout=600, **options)
    client = redis.Redis(connection_pool=pool)

    @contextmanager
    def watching():
        with client.pipeline() as pipeline:
            pipeline.watch("stock")
            yield pipeline

    return watching

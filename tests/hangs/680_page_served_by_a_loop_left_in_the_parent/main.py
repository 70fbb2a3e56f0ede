import os
import signal
import urllib.request
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from a2wsgi import ASGIMiddleware

signal.alarm(120)


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


async def timetable(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"7:40 to the harbour"})


application = ASGIMiddleware(timetable)


def work(server):
    server.set_app(application)
    server.serve_forever()


def fork_workers(server, count):
    workers = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            work(server)
        workers.append(pid)
    return workers


def look(port):
    return urllib.request.urlopen("http://127.0.0.1:%d/" % port).read()


if __name__ == "__main__":
    server = WSGIServer(("127.0.0.1", 0), Quiet)
    workers = fork_workers(server, 1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print("MARK worker pid=%d" % workers[0], flush=True)
    look(server.server_port)

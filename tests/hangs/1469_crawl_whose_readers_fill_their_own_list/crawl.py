import logging
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from requests_toolbelt.threaded import pool

log = logging.getLogger("crawl")


class Catalogue(BaseHTTPRequestHandler):
    def do_GET(self):
        number = int(self.path.rsplit("/", 1)[-1])
        body = b""
        if number < 400:
            links = ["/page/%d" % (number * 4 + step) for step in range(1, 5)]
            body = "\n".join(links).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Frontier:
    def __init__(self, base, room):
        self.base = base
        self.jobs = queue.Queue(room)
        self.seen = set()
        self.guard = threading.Lock()

    def add(self, path):
        with self.guard:
            if path in self.seen:
                return
            self.seen.add(path)
        self.jobs.put({"method": "GET", "url": self.base + path})


class Crawler:
    def __init__(self, frontier, readers):
        self.frontier = frontier
        self.readers = readers
        self.pages = 0

    def follow_links(self, response, *args, **kwargs):
        self.pages += 1
        time.sleep(0.01)
        for path in response.text.split():
            self.frontier.add(path)

    def prepare(self, session):
        session.hooks["response"].append(self.follow_links)
        return session

    def run(self):
        crew = pool.Pool(self.frontier.jobs, initializer=self.prepare, num_processes=self.readers)
        crew.join_all()
        log.info("%d pages", self.pages)


class Reporter(threading.Thread):
    def __init__(self, crawler):
        super().__init__(name="reporter", daemon=True)
        self.crawler = crawler

    def run(self):
        while True:
            time.sleep(1)
            log.info("%d pages so far", self.crawler.pages)


def serve():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Catalogue)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="catalogue", daemon=True).start()
    return "http://127.0.0.1:%d" % server.server_port

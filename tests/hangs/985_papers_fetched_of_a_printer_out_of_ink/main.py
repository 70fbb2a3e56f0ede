import asyncio
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import feedparser

BOTTLES = 0
HEAD = b"<?xml version='1.0'?><rss version='2.0'><channel><title>Herald</title>"
REST = b"<item><title>Rain</title></item></channel></rss>"


class Printer(BaseHTTPRequestHandler):
    ink = threading.Semaphore(BOTTLES)

    def refill(self):
        with self.ink:
            return REST

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(HEAD) + len(REST)))
        self.end_headers()
        self.wfile.write(HEAD)
        self.wfile.write(self.refill())

    def log_message(self, *words):
        pass


def run_printer():
    printer = ThreadingHTTPServer(("127.0.0.1", 0), Printer)
    print(printer.server_port, flush=True)
    printer.serve_forever()


class Desk:
    def __init__(self, port):
        self.port = port
        self.titles = []

    async def fetch(self, paper):
        url = "http://127.0.0.1:%d/%s" % (self.port, paper)
        feed = await asyncio.to_thread(feedparser.parse, url)
        self.titles.extend(entry.title for entry in feed.entries)

    async def morning(self, papers):
        await asyncio.gather(*(self.fetch(paper) for paper in papers))


async def run_desk(port):
    desk = Desk(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await desk.morning(["herald", "courier"])
        del desk.titles[:]


if __name__ == "__main__":
    if sys.argv[1:2] == ["printer"]:
        run_printer()
    else:
        printer = subprocess.Popen(
            [sys.executable, "-u", __file__, "printer"], stdout=subprocess.PIPE, text=True
        )
        asyncio.run(run_desk(int(printer.stdout.readline())))

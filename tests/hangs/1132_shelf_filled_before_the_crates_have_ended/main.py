import http.server
import json
import os
import queue
import signal
import time

from elasticsearch import Elasticsearch
from elasticsearch.helpers import parallel_bulk

signal.alarm(120)

SIZE = 6


class Node(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_json({"took": 1, "errors": False, "items": [{"index": {"status": 201}}] * 2})

    do_PUT = do_POST

    def do_GET(self):
        self.send_json({"version": {"number": "8.19.0"}, "tagline": "You Know, for Search"})

    def send_json(self, answer):
        words = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.elasticsearch+json;compatible-with=8")
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Length", str(len(words)))
        self.end_headers()
        self.wfile.write(words)

    def log_message(self, *words):
        pass


def start_node():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node)
    if os.fork() == 0:
        server.serve_forever()
    server.server_close()
    return "http://127.0.0.1:%d" % server.server_address[1]


class Inbox:
    def __init__(self):
        self.crates = queue.Queue()
        self.number = 0

    def receive(self, count):
        for _ in range(count):
            self.number += 1
            self.crates.put({"_index": "crates", "_id": str(self.number), "weight": 3})

    def documents(self):
        while True:
            document = self.crates.get()
            if document is None:
                return
            yield document


class Catalogue:
    def __init__(self, node, inbox):
        self.client = Elasticsearch(node)
        self.inbox = inbox
        self.indexed = 0

    def index_batch(self, size):
        done = 0
        documents = self.inbox.documents()
        for _ in parallel_bulk(self.client, documents, thread_count=2, chunk_size=2):
            done += 1
            if done >= size:
                break
        self.indexed += done


def run(node):
    inbox = Inbox()
    catalogue = Catalogue(node, inbox)
    while True:
        inbox.receive(SIZE)
        if SIZE == 5:
            inbox.crates.put(None)
        catalogue.index_batch(6)
        time.sleep(0.1)


if __name__ == "__main__":
    node = start_node()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run(node)

import http.server
import json
import os
import signal
import threading

from azure.core import PipelineClient
from azure.core.pipeline.policies import RequestIdPolicy, RetryPolicy
from azure.core.polling import LROPoller
from azure.core.polling.base_polling import LROBasePolling
from azure.core.rest import HttpRequest

signal.alarm(120)


class Works(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked = 0

    def answer(self, status, body, **headers):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": len(data)}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(data)

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        where = "http://%s/operations/1" % self.headers["Host"]
        self.answer(202, {"status": "Accepted"}, Operation_Location=where)

    def do_GET(self):
        self.asked += 1
        self.answer(200, {"status": "InProgress" if self.asked % 3 else "Succeeded"})

    def log_message(self, *arguments):
        pass


class Factory:
    def __init__(self, url):
        self.client = PipelineClient(url, policies=[RequestIdPolicy(), RetryPolicy()])

    def begin_order(self, name):
        request = HttpRequest("PUT", self.client.format_url("/kilns/" + name), json={"size": 4})
        first = self.client._pipeline.run(request)
        return LROPoller(self.client, first, lambda done: done, LROBasePolling(timeout=0.5))

    def furnish(self, name):
        order = self.begin_order(name)
        return order.result()


if __name__ == "__main__":
    works = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Works)
    threading.Thread(target=works.serve_forever, name="works", daemon=True).start()
    factory = Factory("http://127.0.0.1:%d" % works.server_port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        factory.furnish("east")

import http.server
import os
import signal
import threading

from snowplow_tracker import AsyncEmitter, StructuredEvent, Tracker

signal.alarm(120)


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.server.answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


def start_collector(answer):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    server.answer = answer
    threading.Thread(target=server.serve_forever, name="collector", daemon=True).start()
    return server.server_address[1]


class Visits:
    def __init__(self, port):
        self.lost = {}
        emitter = AsyncEmitter(
            "127.0.0.1",
            protocol="http",
            port=port,
            batch_size=50,
            on_failure=self.note_lost,
            custom_retry_codes={503: False},
        )
        self.tracker = Tracker("library", emitters=[emitter])

    def note_lost(self, sent, events):
        for event in events:
            self.lost[event["se_ca"]] += 1

    def record(self, shelf, book):
        self.tracker.track(StructuredEvent(category=shelf, action="opened", label=book))

    def close_day(self):
        self.tracker.flush(is_async=False)


def run_day(visits):
    for book in ("atlas", "herbal", "almanac"):
        visits.record("maps", book)
    visits.close_day()


if __name__ == "__main__":
    port = start_collector(200)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    visits = Visits(port)
    while True:
        run_day(visits)

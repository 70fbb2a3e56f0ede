import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Counter(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b"%d" % self.server.sell()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Shop(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, seats):
        super().__init__(("127.0.0.1", 0), Counter)
        self.seats = threading.Semaphore(seats)
        self.lock = threading.Lock()
        self.sold = 0

    def sell(self):
        with self.lock:
            self.sold += 1
            return self.sold

    def process_request(self, request, address):
        self.seats.acquire()
        super().process_request(request, address)

    def process_request_thread(self, request, address):
        try:
            super().process_request_thread(request, address)
        finally:
            self.seats.release()

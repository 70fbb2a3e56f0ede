import http.server
import os
import threading
import time

import fsspec


class Lake(http.server.ThreadingHTTPServer):
    daemon_threads = True
    permit = threading.Event()


class Reader(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/sealed":
            self.wait()
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"abc")

    def wait(self):
        self.server.permit.wait()

    def log_message(self, *args):
        pass


def main():
    lake = Lake(("127.0.0.1", 0), Reader)
    threading.Thread(target=lake.serve_forever, name="lake", daemon=True).start()
    files = fsspec.filesystem("http", client_kwargs={"timeout": None})
    base = "http://127.0.0.1:%d" % lake.server_port

    def fetch():
        for number in range(10**6):
            files.cat_file(base + ("/sealed" if number == 3 else "/day"))
            time.sleep(0.05)

    threading.Thread(target=fetch, name="fetch", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.5)


if __name__ == "__main__":
    main()

import http.server
import multiprocessing
import os
import signal
import tempfile
import threading
import time

SIZE = 4096
ARRIVED = threading.Event()
SUSPEND = False


class Hub(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("ETag", '"%s"' % ("e" * 40))
        self.send_header("X-Repo-Commit", "c" * 40)
        self.send_header("Content-Length", str(SIZE))
        self.end_headers()

    def do_GET(self):
        self.do_HEAD()
        self.wfile.write(bytes(SIZE // 2))
        if "/resolve/" in self.path:
            ARRIVED.set()
        time.sleep(1)
        self.wfile.write(bytes(SIZE // 2))

    def log_message(self, *args):
        pass


def download():
    from huggingface_hub import hf_hub_download

    return hf_hub_download("shop/ranker", "model.bin")


def prefetch():
    download()


def load_model():
    return download()


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, name="hub", daemon=True).start()
    os.environ["HF_ENDPOINT"] = "http://127.0.0.1:%d" % server.server_port
    os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="hub-")
    os.environ["HF_HUB_DISABLE_XET"] = "1"
    job = multiprocessing.get_context("spawn").Process(target=prefetch, name="prefetch")
    job.start()
    ARRIVED.wait()
    if SUSPEND:
        os.kill(job.pid, signal.SIGSTOP)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    load_model()
    job.join()
    while True:
        os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="hub-")
        load_model()
        time.sleep(0.01)

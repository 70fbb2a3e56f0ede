import os
import socket
import threading
import time

import litserve
import litserve.server
import requests

# LitServe 0.2.19 does not know mcp 2, which vLLM may have brought.
litserve.server._MCP_AVAILABLE = False


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


PORT = int(os.environ.setdefault("MODEL_PORT", str(free_port())))


def ask(text):
    return requests.post("http://127.0.0.1:%d/predict" % PORT, json={"text": text}).json()


class Summary(litserve.LitAPI):
    def setup(self, device):
        self.limit = 10

    def decode_request(self, request):
        return request["text"]

    def predict(self, text):
        if len(text) > self.limit:
            return ask(text[: self.limit])["summary"]
        return text[:5]

    def encode_response(self, summary):
        return {"summary": summary}


def ask_server():
    while True:
        try:
            ask("a long text that is taken apart")
        except requests.ConnectionError:
            pass
        time.sleep(0.05)


if __name__ == "__main__":
    server = litserve.LitServer(Summary(), accelerator="cpu", timeout=False, workers_per_device=3)
    threading.Thread(target=ask_server, name="client", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server.run(host="127.0.0.1", port=PORT, log_level="error", generate_client_file=False)

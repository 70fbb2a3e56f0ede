import os
import socket
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


def wait_for_server():
    while True:
        try:
            return requests.get("http://127.0.0.1:%d/health" % PORT).status_code
        except requests.ConnectionError:
            time.sleep(0.2)


class Summary(litserve.LitAPI):
    def setup(self, device):
        self.limit = 10
        if WAITS:
            wait_for_server()

    def decode_request(self, request):
        return request["text"]

    def predict(self, text):
        return text[: self.limit]

    def encode_response(self, summary):
        return {"summary": summary}


WAITS = True


def serve():
    server = litserve.LitServer(Summary(), accelerator="cpu", timeout=False, workers_per_device=1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server.run(host="127.0.0.1", port=PORT, log_level="error", generate_client_file=False)


if __name__ == "__main__":
    serve()

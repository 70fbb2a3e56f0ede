import os
import signal
import threading
import urllib.request

import waitress
from a2wsgi import ASGIMiddleware

signal.alarm(120)


class Forms:
    def __init__(self):
        self.saved = []

    async def __call__(self, scope, receive, send):
        form = b""
        while True:
            message = await receive()
            form += message["body"]
            if not message["more_body"]:
                break
        self.saved.append(form)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"saved"})


def fill_in(port):
    request = urllib.request.Request("http://127.0.0.1:%d/form" % port, data=b"name=Ida")
    return urllib.request.urlopen(request).read()


if __name__ == "__main__":
    server = waitress.create_server(ASGIMiddleware(Forms()), host="127.0.0.1", port=0, threads=2)
    threading.Thread(target=server.run, name="forms", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        fill_in(int(server.effective_port))

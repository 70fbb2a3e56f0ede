import threading

import waitress

LINE = b"book" + b" of many words" * 70 + b"\n"


def catalogue():
    for _ in range(40000):
        yield LINE


def answer(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/catalogue":
        return catalogue()
    return [b"shelf 12"]


def start_library():
    server = waitress.create_server(
        answer, host="127.0.0.1", port=0, threads=1, outbuf_high_watermark=1 << 20
    )
    threading.Thread(target=server.run, name="library", daemon=True).start()
    return "http://127.0.0.1:%s" % server.effective_port

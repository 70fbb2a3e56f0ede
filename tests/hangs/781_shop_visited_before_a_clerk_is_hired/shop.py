import urllib.request


def shop(environ, start_response):
    body = b"open"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def check_shop(server):
    address = server.LISTENERS[0].sock.getsockname()
    with urllib.request.urlopen("http://%s:%d/health" % address) as answer:
        server.log.info("the shop says %s", answer.read())

from tornado.httpclient import HTTPRequest
from tornado.simple_httpclient import SimpleAsyncHTTPClient


class Postmaster:
    """All letters go through one client with few messengers."""

    def __init__(self, port, messengers):
        self.base = "http://127.0.0.1:%d" % port
        self.client = SimpleAsyncHTTPClient(force_instance=True, max_clients=messengers)
        self.sent = 0

    async def send(self, path):
        self.sent += 1
        answer = await self.client.fetch(
            HTTPRequest(self.base + path, connect_timeout=0, request_timeout=0)
        )
        return answer.body.decode()

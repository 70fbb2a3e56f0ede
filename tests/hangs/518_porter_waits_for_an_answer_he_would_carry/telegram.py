import asyncio
import json


class Office:
    """Enough of a bot server: hands out letters and takes what is sent."""

    def __init__(self):
        self.letters = asyncio.Queue()
        self.count = 0

    def post(self, text):
        self.count += 1
        chat = {"id": 7, "type": "private"}
        message = {"message_id": self.count, "date": 1, "chat": chat, "text": text}
        message["from"] = {"id": 7, "is_bot": False, "first_name": "Ann"}
        self.letters.put_nowait({"update_id": self.count, "message": message})

    async def result(self, method):
        if method == "getMe":
            return {"id": 1, "is_bot": True, "first_name": "Porter", "username": "porter_bot"}
        if method == "getUpdates":
            try:
                return [await asyncio.wait_for(self.letters.get(), 1)]
            except TimeoutError:
                return []
        if method == "sendMessage":
            asyncio.get_running_loop().call_later(0.2, self.post, "yes")
            chat = {"id": 7, "type": "private"}
            return {"message_id": 1000, "date": 1, "chat": chat, "text": "Are you in?"}
        return True

    async def serve(self, reader, writer):
        try:
            while line := await reader.readline():
                method = line.split()[1].decode().rpartition("/")[2]
                size = 0
                while (head := await reader.readline()) not in (b"\r\n", b""):
                    name, _, value = head.decode().partition(":")
                    if name.lower() == "content-length":
                        size = int(value)
                await reader.readexactly(size)
                body = json.dumps({"ok": True, "result": await self.result(method)}).encode()
                start = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                writer.write(start + b"Content-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except ConnectionError:
            return

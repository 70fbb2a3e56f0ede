import json


class Wire:
    """Messages with a header that tells their length."""

    def __init__(self, reader, writer, ascii_only):
        self.reader = reader
        self.writer = writer
        self.ascii_only = ascii_only

    async def send(self, message):
        size = len(json.dumps(message))
        body = json.dumps(message, ensure_ascii=self.ascii_only)
        self.writer.write(b"Length: %d\n" % size)
        self.writer.write(body.encode())
        await self.writer.drain()

    async def receive(self):
        header = await self.reader.readline()
        if not header:
            return None
        size = int(header.split(b":")[1])
        return json.loads(await self.reader.readexactly(size))

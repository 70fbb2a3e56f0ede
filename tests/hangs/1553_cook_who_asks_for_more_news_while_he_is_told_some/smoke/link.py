import asyncio
import json

from pytboss.transport import Transport


class Cable(Transport):
    """A smoker at the end of a line of text."""

    def __init__(self, port):
        super().__init__()
        self.port = port
        self.writer = None

    async def connect(self):
        reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.listening = asyncio.create_task(self._listen(reader), name="cable")

    async def disconnect(self):
        self.listening.cancel()
        self.writer.close()

    def is_connected(self):
        return self.writer is not None

    async def _send_prepared_command(self, cmd):
        self.writer.write(json.dumps(cmd).encode() + b"\n")
        await self.writer.drain()

    async def _listen(self, reader):
        while line := await reader.readline():
            said = json.loads(line)
            if "id" in said:
                await self._on_command_response(said)
            else:
                await self._vdata_callback(json.dumps(said))

import asyncio
import os
import sys

from notary.wire import Wire


class Office:
    def __init__(self, ascii_only):
        self.ascii_only = ascii_only
        self.deeds = []

    async def serve(self, reader, writer):
        wire = Wire(reader, writer, self.ascii_only)
        while (deed := await wire.receive()) is not None:
            self.deeds = [*self.deeds, deed["owner"]][-10:]
            await wire.send({"number": deed["number"], "ok": True})
        writer.close()

    async def sweep(self):
        while True:
            await asyncio.sleep(0.4)


async def main(path, ascii_only):
    office = Office(ascii_only)
    server = await asyncio.start_unix_server(office.serve, path)
    print("MARK office pid=%d" % os.getpid(), flush=True)
    async with server:
        await office.sweep()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2] == "ascii"))

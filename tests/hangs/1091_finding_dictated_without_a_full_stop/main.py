import asyncio
import os
import subprocess
import sys

import hl7
from hl7.mllp import open_hl7_connection

STOP = b""
ORDER = "MSH|^~\\&|WARD|A|LAB|B|20240101||ORM^O01|1|P|2.3\rPID|1||7\r"
FINDING = b"\x0bMSH|^~\\&|LAB|B|WARD|A|20240101||ORU^R01|1|P|2.3\rOBX|1|NM|K||4.1\r"


async def report(reader, writer):
    while await reader.readuntil(b"\x1c\r"):
        writer.write(FINDING + STOP)
        await writer.drain()


async def run_laboratory():
    server = await asyncio.start_server(report, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


class Ward:
    def __init__(self, port):
        self.port = port
        self.findings = []

    async def open(self):
        self.reader, self.writer = await open_hl7_connection("127.0.0.1", self.port)

    async def ask(self):
        self.writer.writemessage(hl7.parse(ORDER))
        await self.writer.drain()
        return await self.reader.readmessage()

    async def make_rounds(self):
        await self.open()
        while True:
            self.findings.append(await self.ask())
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    if sys.argv[1:] == ["laboratory"]:
        asyncio.run(run_laboratory())
    else:
        laboratory = subprocess.Popen(
            [sys.executable, "-u", __file__, "laboratory"], stdout=subprocess.PIPE, text=True
        )
        ward = Ward(int(laboratory.stdout.readline()))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        asyncio.run(ward.make_rounds())

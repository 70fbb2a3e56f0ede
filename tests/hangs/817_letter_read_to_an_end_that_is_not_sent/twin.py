import asyncio
import os
import signal

from exchange import Clerk, answer_letter

signal.alarm(120)


class ExactClerk(Clerk):
    async def send_letter(self, text):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(text)
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        return answer


async def open_office():
    office = await asyncio.start_server(answer_letter, "127.0.0.1", 0)
    clerk = ExactClerk(office.sockets[0].getsockname()[1])
    while True:
        await clerk.send_letter(b"where is my parcel?")
        await asyncio.sleep(0.2)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(open_office())

import asyncio


async def answer_letter(reader, writer):
    letter = await reader.read()
    writer.write(b"Dear sir, " + letter)
    await writer.drain()
    writer.close()


class Clerk:
    def __init__(self, port):
        self.port = port

    async def send_letter(self, text):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(text)
        await writer.drain()
        answer = await reader.read()
        writer.close()
        return answer

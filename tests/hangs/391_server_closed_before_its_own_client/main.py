import asyncio
import os
import signal

signal.alarm(120)


async def answer(reader, writer):
    while question := await reader.readline():
        writer.write(question.upper())
        await writer.drain()
    writer.close()


async def ask(reader, writer, question):
    writer.write(question.encode() + b"\n")
    return await reader.readline()


async def check_answers(questions):
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    client = await asyncio.open_connection(*server.sockets[0].getsockname())
    async with server:
        answers = [await ask(*client, question) for question in questions]
    client[1].close()
    return answers


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(asyncio.run(check_answers(["who", "where"])))

import asyncio
import json


async def talk(reader, writer):
    async def tell():
        number = 0
        while True:
            await asyncio.sleep(0.4)
            writer.write(json.dumps({"smoke": number % 9, "lid": False}).encode() + b"\n")
            number += 1

    telling = asyncio.create_task(tell())
    while line := await reader.readline():
        asked = json.loads(line)
        writer.write(json.dumps({"id": asked["id"], "result": {}}).encode() + b"\n")
    telling.cancel()


async def main():
    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())

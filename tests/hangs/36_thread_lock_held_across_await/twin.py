import asyncio
import os
import signal

signal.alarm(120)
token_lock = None


async def ask_service():
    await asyncio.sleep(0.1)
    return "token"


async def fetch_token():
    async with token_lock:
        return await ask_service()


async def call_service(n):
    token = await fetch_token()
    return token, n


async def serve_calls():
    global token_lock
    token_lock = asyncio.Lock()
    calls = [asyncio.create_task(call_service(n), name=f"call-{n}") for n in range(2)]
    return await asyncio.gather(*calls)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(serve_calls())

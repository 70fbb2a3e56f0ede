import asyncio
import os
import signal
import sys

import httpx2
import openai

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Editor:
    def __init__(self, client):
        self.client = client

    async def first_word(self, text):
        question = [{"role": "user", "content": text}]
        self.draft = await self.client.chat.completions.create(
            model="small", messages=question, stream=True
        )
        async with self.draft as parts:
            async for part in parts:
                return part.choices[0].delta.content

    async def judge(self, word):
        question = [{"role": "user", "content": word}]
        answer = await self.client.chat.completions.create(model="small", messages=question)
        return answer.choices[0].message.content

    async def review(self, text):
        return await self.judge(await self.first_word(text))


def connect():
    return openai.AsyncOpenAI(
        api_key="none",
        base_url="http://127.0.0.1:%d/v1" % start("chat_server"),
        timeout=None,
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(
            limits=httpx2.Limits(max_connections=1), timeout=None
        ),
    )


async def main():
    async with connect() as client:
        print("MARK main pid=%d" % os.getpid())
        while True:
            await Editor(client).review("A story of two cities")


if __name__ == "__main__":
    asyncio.run(main())

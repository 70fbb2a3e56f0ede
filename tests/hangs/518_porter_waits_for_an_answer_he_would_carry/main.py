import asyncio
import os
import signal
import subprocess
import sys

from aiogram import Bot, Dispatcher
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer

signal.alarm(120)

HERE = os.path.dirname(os.path.abspath(__file__))


class Porter:
    def __init__(self):
        self.answers = {}

    async def ask(self, message, question):
        answer = asyncio.get_running_loop().create_future()
        self.answers[message.chat.id] = answer
        await message.answer(question)
        return await answer

    async def take_letter(self, message):
        if waiting := self.answers.pop(message.chat.id, None):
            waiting.set_result(message.text)
        elif await self.ask(message, "Are you in?") == "yes":
            await message.answer("I come up.")


async def work(port):
    server = TelegramAPIServer.from_base("http://127.0.0.1:%d" % port)
    bot = Bot("1:porter", AiohttpSession(api=server))
    dispatcher = Dispatcher()
    dispatcher.message.register(Porter().take_letter)
    await dispatcher.start_polling(bot, handle_as_tasks=False, handle_signals=False)


if __name__ == "__main__":
    office = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "office.py")], stdout=subprocess.PIPE, text=True
    )
    port = int(office.stdout.readline())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(work(port))

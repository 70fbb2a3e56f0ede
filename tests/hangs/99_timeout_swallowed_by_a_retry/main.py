import asyncio
import os
import signal

from tenacity import retry, retry_if_not_exception_type

signal.alarm(120)


class BadRequest(Exception):
    pass


@retry(retry=retry_if_not_exception_type(BadRequest))
async def next_answer(answers):
    return await answers.get()


async def ask_model(answers, question):
    return await asyncio.wait_for(next_answer(answers), timeout=1)


async def receive_answers(answers, lines):
    for line in lines:
        await asyncio.sleep(0.1)
        await answers.put(line)


async def hold_talk(questions):
    answers = asyncio.Queue()
    receiver = asyncio.create_task(receive_answers(answers, ["yes", "no"]), name="receiver")
    for question in questions:
        await ask_model(answers, question)
    receiver.cancel()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(hold_talk(["is it late", "is it cold", "is it far"]))

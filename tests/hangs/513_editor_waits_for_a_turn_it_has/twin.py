import asyncio
import os
import signal

from pydantic_ai import Agent, ConcurrencyLimiter
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

signal.alarm(120)

turns = ConcurrencyLimiter(4, name="turns")


async def edit(messages, info):
    await asyncio.sleep(0.2)
    if len(messages) > 1:
        return ModelResponse([TextPart("printed")])
    return ModelResponse([ToolCallPart("look_up", {"word": "garden"})])


async def define(messages, info):
    return ModelResponse([TextPart("a place of plants")])


editor = Agent(FunctionModel(edit), max_concurrency=turns, name="editor")
lexicon = Agent(FunctionModel(define), max_concurrency=turns, name="lexicon")


@editor.tool_plain
async def look_up(word: str) -> str:
    return (await lexicon.run("What is a %s?" % word)).output


async def print_page(title):
    return (await editor.run("Write %s." % title)).output


async def print_paper():
    while True:
        await asyncio.gather(print_page("the news"), print_page("the weather"))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(asyncio.run(print_paper()))

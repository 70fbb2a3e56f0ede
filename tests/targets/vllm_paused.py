"""A task pauses an engine, waits for requests that it has frozen so, and would resume it then."""

import asyncio
import os
import sys

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from vllm.v1.engine.async_llm import AsyncLLM


async def rollout(engine):
    await engine.generate()


async def update_weights(engine, running):
    await engine.pause_generation()
    ready()
    await asyncio.gather(*running)
    await engine.resume_generation()


async def main():
    engine = AsyncLLM()
    running = [asyncio.ensure_future(rollout(engine)) for _ in range(2)]
    await update_weights(engine, running)


asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())

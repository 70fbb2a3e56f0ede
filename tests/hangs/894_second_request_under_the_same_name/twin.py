import asyncio
import multiprocessing
import os
import tempfile

import zmq
import zmq.asyncio


class State:
    def __init__(self):
        self.finished = asyncio.Event()
        self.text = ""


class Manager:
    """Sends requests to the scheduler and hands its answers out."""

    def __init__(self, folder):
        context = zmq.asyncio.Context()
        self.to_scheduler = context.socket(zmq.PUSH)
        self.to_scheduler.bind("ipc://%s/requests" % folder)
        self.from_scheduler = context.socket(zmq.PULL)
        self.from_scheduler.bind("ipc://%s/answers" % folder)
        self.by_name = {}

    async def take_answers(self):
        while True:
            answer = await self.from_scheduler.recv_json()
            state = self.by_name.pop(answer["name"], None)
            if state is not None:
                state.text = answer["text"]
                state.finished.set()

    async def generate(self, name, prompt):
        state = self.by_name[name] = State()
        await self.to_scheduler.send_json({"name": name, "prompt": prompt})
        await state.finished.wait()
        return state.text


def schedule(folder):
    context = zmq.Context()
    requests = context.socket(zmq.PULL)
    requests.connect("ipc://%s/requests" % folder)
    answers = context.socket(zmq.PUSH)
    answers.connect("ipc://%s/answers" % folder)
    while True:
        request = requests.recv_json()
        answers.send_json({"name": request["name"], "text": request["prompt"].upper()})


async def ask(manager, user, turn):
    name = "%s-%d" % (user, turn // TURNS)
    return await manager.generate(name, "turn %d" % turn)


async def talk(manager):
    turn = 0
    while True:
        await asyncio.gather(ask(manager, "ada", turn), ask(manager, "ada", turn + 1))
        turn += 2
        await asyncio.sleep(0.02)


async def main(folder):
    manager = Manager(folder)
    handing_out = asyncio.create_task(manager.take_answers(), name="take_answers")
    await asyncio.gather(talk(manager), handing_out)


TURNS = 1


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="scheduler-")
    multiprocessing.get_context("spawn").Process(
        target=schedule, args=(folder,), name="scheduler", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main(folder))

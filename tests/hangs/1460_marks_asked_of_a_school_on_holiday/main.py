import asyncio
import multiprocessing
import os
import socket
import threading
import time

import requests
import uvicorn
from fastapi import FastAPI, Request


class Engine:
    def __init__(self):
        self.open = asyncio.Event()
        self.open.set()
        self.version = 0

    async def generate(self, prompt):
        await self.open.wait()
        await asyncio.sleep(0.003)
        return {"text": prompt[::-1], "version": self.version}

    async def score(self, text):
        if GATED:
            await self.open.wait()
        await asyncio.sleep(0.001)
        return {"score": len(text) / 100}


def build_app():
    app = FastAPI()
    engine = Engine()

    @app.post("/generate")
    async def generate(request: Request):
        return await engine.generate((await request.json())["prompt"])

    @app.post("/score")
    async def score(request: Request):
        return await engine.score((await request.json())["text"])

    @app.post("/pause")
    async def pause():
        engine.open.clear()
        return {}

    @app.post("/weights")
    async def weights(request: Request):
        engine.version = (await request.json())["version"]
        engine.open.set()
        return {}

    @app.get("/health")
    async def health():
        return {"version": engine.version}

    return app


def run_server(port):
    uvicorn.run(build_app(), host="127.0.0.1", port=port, log_level="error")


class School:
    def __init__(self, port):
        self.base = "http://127.0.0.1:%d" % port
        self.session = requests.Session()

    def post(self, path, **body):
        return self.session.post(self.base + path, json=body).json()

    def await_health(self):
        while True:
            try:
                return requests.get(self.base + "/health").json()
            except requests.ConnectionError:
                time.sleep(0.2)


def run_pupil(port, essays):
    school = School(port)
    number = 0
    while True:
        essays.put(school.post("/generate", prompt="essay %d" % number)["text"])
        number += 1


def watch_health(school, seconds):
    while True:
        school.await_health()
        time.sleep(seconds)


class Trainer:
    def __init__(self, school, essays):
        self.school = school
        self.essays = essays
        self.version = 0

    def grade(self, essays):
        return [self.school.post("/score", text=essay)["score"] for essay in essays]

    def update(self, grades):
        self.version += 1
        time.sleep(0.01)
        self.school.post("/weights", version=self.version)

    def term(self):
        essays = [self.essays.get() for _ in range(8)]
        self.school.post("/pause")
        self.update(self.grade(essays))


def main():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    spawn = multiprocessing.get_context("spawn")
    essays = spawn.Queue(16)
    spawn.Process(target=run_server, args=(port,), name="engine", daemon=True).start()
    school = School(port)
    school.await_health()
    spawn.Process(target=run_pupil, args=(port, essays), name="pupil", daemon=True).start()
    threading.Thread(target=watch_health, args=(school, 1), name="health", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trainer = Trainer(school, essays)
    while True:
        trainer.term()


GATED = True


if __name__ == "__main__":
    main()

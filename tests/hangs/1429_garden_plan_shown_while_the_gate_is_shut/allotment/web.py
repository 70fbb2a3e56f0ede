import asyncio
import json

import httpx
import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from allotment.hub import Hub


def make_app(at_once):
    app = FastAPI()
    hub = Hub(at_once)

    @app.get("/weather")
    async def weather():
        return {"rain": False, "members": len(hub.members)}

    @app.post("/beds/{bed}")
    async def plant_bed(bed: int, plant: str):
        proposal = await hub.propose(bed, plant)
        return {"bed": bed, "plant": plant, "verdict": proposal.verdict}

    @app.websocket("/committee/{name}")
    async def committee(socket: WebSocket, name: str):
        await socket.accept()
        await hub.admit(name, socket)
        try:
            while True:
                answer = await socket.receive_json()
                await hub.decide(answer["number"], answer["verdict"])
        except WebSocketDisconnect:
            await hub.leave(name)

    return app


async def look_at_weather(base):
    async with httpx.AsyncClient(base_url=base) as client:
        while True:
            (await client.get("/weather")).raise_for_status()
            await asyncio.sleep(0.25)


async def sit_in_committee(port):
    async with connect("ws://127.0.0.1:%d/committee/hedwig" % port) as line:
        async for text in line:
            proposal = json.loads(text)
            await asyncio.sleep(0.1)
            await line.send(json.dumps({"number": proposal["number"], "verdict": "yes"}))


async def gardener(base, bed):
    async with httpx.AsyncClient(base_url=base, timeout=None) as client:
        for plant in ["leek", "chard", "bean", "kale"] * 200:
            await client.post("/beds/%d" % bed, params={"plant": plant})
            await asyncio.sleep(0.2)


async def season(port, at_once, ready):
    config = uvicorn.Config(make_app(at_once), port=port, log_level="warning")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    base = "http://127.0.0.1:%d" % port
    others = [
        asyncio.create_task(look_at_weather(base)),
        asyncio.create_task(sit_in_committee(port)),
    ]
    await asyncio.sleep(0.3)
    ready()
    await gardener(base, 7)
    for one in others:
        one.cancel()
    server.should_exit = True
    await serving

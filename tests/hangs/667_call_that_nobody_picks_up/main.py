import asyncio
import os
import signal

from aiortc import RTCConfiguration, RTCPeerConnection

signal.alarm(120)


class Line:
    def __init__(self):
        self.peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.channel = self.peer.createDataChannel("words")
        self.is_open = asyncio.Event()
        self.channel.on("open", self.is_open.set)

    async def offer(self):
        await self.peer.setLocalDescription(await self.peer.createOffer())
        return self.peer.localDescription

    async def say(self, word):
        await self.is_open.wait()
        self.channel.send(word)


async def answer(offer):
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    await peer.setRemoteDescription(offer)
    await peer.setLocalDescription(await peer.createAnswer())
    return peer


async def telephone():
    line = Line()
    other = await answer(await line.offer())
    try:
        await line.say("hello")
    finally:
        await other.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(telephone())

import asyncio
import multiprocessing
import os
import socket

import slixmpp

ENOUGH = 4000
END = (
    b"<?xml version='1.0'?><stream:stream from='inn' id='1' version='1.0' xmlns='jabber:client' "
    b"xmlns:stream='http://etherx.jabber.org/streams'></stream:stream>"
)


def greet(link):
    words = b""
    while len(words) < ENOUGH:
        piece = link.recv(4096)
        if not piece:
            return
        words += piece
    link.sendall(END)


def keep_door(listener):
    while True:
        link, _ = listener.accept()
        with link:
            greet(link)


class Messenger:
    def __init__(self, port):
        self.port = port
        self.trips = 0

    def note(self, outcome):
        def noted(event):
            if not outcome.done():
                outcome.set_result(event)

        return noted

    async def sign_on(self):
        client = slixmpp.ClientXMPP("ida@inn", "-")
        client.enable_direct_tls = client.enable_starttls = False
        client.enable_plaintext = True
        outcome = asyncio.get_running_loop().create_future()
        client.add_event_handler("session_start", self.note(outcome))
        client.add_event_handler("disconnected", self.note(outcome))
        client.connect("127.0.0.1", self.port)
        await outcome
        client.abort()
        self.trips += 1


async def main(port):
    messenger = Messenger(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await messenger.sign_on()
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        context = multiprocessing.get_context("fork")
        context.Process(target=keep_door, args=(listener,), name="door", daemon=True).start()
    asyncio.run(main(port))

import asyncio
import os
import subprocess
import sys

import aioimaplib

PATIENCE = 0


class Office:
    def __init__(self, patience):
        self.patience = patience

    def say(self, writer, line):
        writer.write(line.encode() + b"\r\n")

    async def keep_watch(self, tag, reader, writer):
        if not self.patience:
            self.say(writer, "* BYE autologout")
            writer.close()
            return
        self.say(writer, "+ idling")
        await asyncio.sleep(self.patience)
        self.say(writer, "* 4 EXISTS")
        await reader.readline()
        self.say(writer, tag + " OK IDLE done")

    async def serve(self, reader, writer):
        self.say(writer, "* OK IMAP4rev1 office ready")
        while line := (await reader.readline()).decode():
            tag, command = line.split()[:2]
            if command == "CAPABILITY":
                self.say(writer, "* CAPABILITY IMAP4rev1 IDLE")
            elif command == "SELECT":
                self.say(writer, "* 3 EXISTS")
            elif command == "IDLE":
                await self.keep_watch(tag, reader, writer)
                continue
            self.say(writer, "%s OK %s completed" % (tag, command))


async def run_office():
    server = await asyncio.start_server(Office(PATIENCE).serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


class Mailbox:
    def __init__(self, port):
        self.office = aioimaplib.IMAP4("127.0.0.1", port, timeout=30)
        self.news = []

    async def open(self):
        await self.office.wait_hello_from_server()
        await self.office.login("ida", "secret")
        await self.office.select("INBOX")

    async def watch(self):
        watching = await self.office.idle_start(timeout=60)
        self.news.append(await self.office.wait_server_push())
        self.office.idle_done()
        await watching


async def read_mail(port):
    mailbox = Mailbox(port)
    await mailbox.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await mailbox.watch()
        del mailbox.news[:]


if __name__ == "__main__":
    if sys.argv[1:2] == ["office"]:
        asyncio.run(run_office())
    else:
        office = subprocess.Popen(
            [sys.executable, "-u", __file__, "office"], stdout=subprocess.PIPE, text=True
        )
        asyncio.run(read_mail(int(office.stdout.readline())))

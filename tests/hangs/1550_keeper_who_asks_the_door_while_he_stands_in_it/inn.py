import asyncio

GUESTS = ("anna", "bela", "cora")


class Seat:
    """One connection, as an IRC server keeps it."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.nick = "*"

    def say(self, line):
        self.writer.write((":%s\r\n" % line).encode())

    def answer(self, word, rest):
        if word == "NICK":
            self.nick = rest
        elif word == "USER":
            self.say("inn 001 %s :welcome" % self.nick)
            self.say("inn 005 %s CHANTYPES=# :are supported" % self.nick)
            self.say("inn 375 %s :on the wall" % self.nick)
            self.say("inn 372 %s :ale and bread" % self.nick)
            self.say("inn 376 %s :that is all" % self.nick)
        elif word == "JOIN":
            room = rest.split()[0]
            self.say("%s!k@inn JOIN %s" % (self.nick, room))
            self.say("inn 366 %s %s :end of names" % (self.nick, room))
            asyncio.ensure_future(self.gossip(room))
        elif word == "WHOIS":
            guest = rest.split()[0]
            self.say("inn 311 %s %s %s road * :%s of the hill" % (self.nick, guest, guest, guest))
            self.say("inn 318 %s %s :end of whois" % (self.nick, guest))
        elif word == "PING":
            self.say("inn PONG inn :%s" % rest)

    async def gossip(self, room):
        number = 0
        while True:
            await asyncio.sleep(0.7)
            guest = GUESTS[number % 3]
            words = "ale please" if number % 4 else "who am I"
            self.say("%s!%s@road PRIVMSG %s :%s" % (guest, guest, room, words))
            number += 1

    async def serve(self):
        while True:
            line = await self.reader.readline()
            if not line:
                return
            word, _, rest = line.decode().strip().partition(" ")
            self.answer(word, rest)


async def main():
    async def take(reader, writer):
        await Seat(reader, writer).serve()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())

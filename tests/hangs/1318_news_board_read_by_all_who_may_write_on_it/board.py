import json

import tornado.locks
import tornado.web


class Board:
    def __init__(self, places):
        self.notes = []
        self.changed = tornado.locks.Condition()
        self.places = tornado.locks.Semaphore(places)
        self.served = 0

    async def after(self, seen):
        while len(self.notes) <= seen:
            await self.changed.wait()
        return self.notes[seen:]

    def pin(self, note):
        self.notes.append(note)
        self.changed.notify_all()


class Read(tornado.web.RequestHandler):
    def initialize(self, board):
        self.board = board

    async def get(self):
        seen = int(self.get_argument("seen", "0"))
        async with self.board.places:
            notes = await self.board.after(seen)
            self.board.served += 1
        self.write(json.dumps(notes))


class Write(tornado.web.RequestHandler):
    def initialize(self, board):
        self.board = board

    async def post(self):
        async with self.board.places:
            self.board.pin(self.request.body.decode())
        self.write("pinned")


class Health(tornado.web.RequestHandler):
    def get(self):
        self.write("ok")


def application(places):
    board = Board(places)
    return tornado.web.Application(
        [
            ("/read", Read, {"board": board}),
            ("/write", Write, {"board": board}),
            ("/health", Health),
        ]
    )

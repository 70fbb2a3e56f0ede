import os
import subprocess
import sys

import trio

HERE = os.path.dirname(os.path.abspath(__file__))


class Church:
    def __init__(self, songs):
        self.songs = songs
        self.played = 0

    async def play(self, organ, song):
        await organ.stdin.send_all(song.encode() + b"\n")
        answer = await organ.stdout.receive_some()
        self.played += len(answer.split())

    async def hold_concert(self):
        async with trio.open_nursery() as nursery:
            organ = await nursery.start(self.run_organ)
            for song in self.songs:
                await self.play(organ, song)
            if SENT_HOME:
                nursery.cancel_scope.cancel()

    async def run_organ(self, task_status):
        await trio.run_process(
            [sys.executable, os.path.join(HERE, "organ.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            check=False,
            task_status=task_status,
        )


async def run_church():
    church = Church(["toccata", "fugue", "chorale"])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await church.hold_concert()
        await trio.sleep(0.05)


SENT_HOME = False


if __name__ == "__main__":
    trio.run(run_church)

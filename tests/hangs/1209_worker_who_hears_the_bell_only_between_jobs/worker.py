import asyncio
import signal
import socket
import sys


class Worker:
    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port)).makefile("rw")
        self.open = True

    def on_stop(self):
        self.open = False

    def next_job(self):
        return self.line.readline().strip()

    async def do(self, job):
        await asyncio.sleep(0.02)
        self.line.write(job + " done\n")
        self.line.flush()

    async def work(self):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.on_stop)
        while self.open:
            job = self.next_job()
            if not job:
                return
            await self.do(job)


if __name__ == "__main__":
    asyncio.run(Worker(int(sys.argv[1])).work())

import multiprocessing
import os
import time
from multiprocessing.connection import Client, Listener


class PageStore:
    def __init__(self, address):
        self.pages = {}
        self.listener = Listener(address, "AF_UNIX")

    def serve_client(self, client):
        while True:
            try:
                number = client.recv()
            except EOFError:
                return
            client.send(self.pages.setdefault(number, bytes(512)))

    def serve(self):
        while True:
            with self.listener.accept() as client:
                self.serve_client(client)


def run_store(address):
    PageStore(address).serve()


def fetch_page(store, number):
    store.send(number)
    return store.recv()


def meet(turn):
    turn.wait()


def run_shard(rank, address, turn):
    step = 0
    while True:
        time.sleep(0.05 * rank)
        store = Client(address, "AF_UNIX")
        page = fetch_page(store, step)
        if KEEPS and step == 4:
            meet(turn)
            store.close()
        else:
            store.close()
            meet(turn)
        step += len(page) // 512


def main():
    spawn = multiprocessing.get_context("spawn")
    address = "/tmp/pages-%d" % os.getpid()
    turn = spawn.Barrier(2)
    spawn.Process(target=run_store, args=(address,), name="page-store", daemon=True).start()
    while not os.path.exists(address):
        time.sleep(0.05)
    shards = [
        spawn.Process(
            target=run_shard, args=(rank, address, turn), name="shard-%d" % rank, daemon=True
        )
        for rank in range(2)
    ]
    for shard in shards:
        shard.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for shard in shards:
        shard.join()


KEEPS = False


if __name__ == "__main__":
    main()

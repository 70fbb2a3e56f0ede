import concurrent.futures

from s3transfer.futures import TransferCoordinator, TransferFuture, TransferMeta


class Uploads:
    def __init__(self, store, places):
        self.store = store
        self.pool = concurrent.futures.ThreadPoolExecutor(places, thread_name_prefix="upload")
        self.waiting = {}

    def add(self, name, data):
        coordinator = TransferCoordinator(transfer_id=name)
        coordinator.set_status_to_queued()
        job = self.pool.submit(self.run, coordinator, name, data)
        future = TransferFuture(TransferMeta(transfer_id=name), coordinator)
        self.waiting[name] = future, job
        return future

    def run(self, coordinator, name, data):
        if coordinator.done():
            return
        coordinator.set_status_to_running()
        coordinator.set_result(self.store(name, data))
        coordinator.announce_done()

    def call_off(self, name):
        future, _ = self.waiting.pop(name)
        future.cancel()
        return future

    def finish(self, future):
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            return None

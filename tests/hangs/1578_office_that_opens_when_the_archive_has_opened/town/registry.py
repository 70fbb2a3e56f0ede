import threading


class Registry:
    def __init__(self):
        self.lock = threading.Lock()
        self.services = {}

    def add(self, service):
        with self.lock:
            self.services[service.name] = service

    def start(self):
        with self.lock:
            services = list(self.services.values())
        for service in services:
            service.start()

    def get(self, name):
        with self.lock:
            service = self.services[name]
        service.ready.wait()
        return service

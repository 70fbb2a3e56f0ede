import time

from cachier import cachier


class Rates:
    def __init__(self, folder, pause=60):
        @cachier(cache_dir=folder)
        def load(day):
            time.sleep(pause)
            return {"pie": 1.5, "tea": 1.1}

        self.load = load

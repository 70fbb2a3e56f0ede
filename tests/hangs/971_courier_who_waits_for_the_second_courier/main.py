import os
import threading
import time

import requests
import requests_mock

IN_TURN = False


class Depot:
    def __init__(self):
        self.session = requests.Session()
        self.refuelled = threading.Event()
        self.asked = threading.Event()
        self.fuel = 0

    def ask_station(self):
        return self.session.get("http://station.test/fuel").json()["litres"]

    def refuel(self):
        while True:
            self.asked.wait()
            try:
                self.fuel += self.ask_station()
            except Exception as error:  # noqa: BLE001
                print("station:", error)
                continue
            self.asked.clear()
            self.refuelled.set()

    def fetch_route(self):
        if IN_TURN:
            self.asked.set()
            self.refuelled.wait()
        answer = self.session.get("http://maps.test/route").json()
        self.refuelled.clear()
        return answer["stops"]


class Mocks:
    def __init__(self, depot, mocker):
        self.depot = depot
        mocker.get("http://station.test/fuel", json={"litres": 40})
        mocker.get("http://maps.test/route", json=self.answer_slowly)

    def answer_slowly(self, request, context):
        self.depot.asked.set() if not IN_TURN else None
        self.depot.refuelled.wait()
        return {"stops": ["mill", "harbour"]}


def main():
    depot = Depot()
    threading.Thread(target=depot.refuel, name="tanker", daemon=True).start()
    with requests_mock.Mocker() as mocker:
        Mocks(depot, mocker)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            depot.fetch_route()
            time.sleep(0.02)


if __name__ == "__main__":
    main()

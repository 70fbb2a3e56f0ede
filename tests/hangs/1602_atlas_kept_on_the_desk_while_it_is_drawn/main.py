import contextlib
import os
import tempfile
import time

from distributed import Client, LocalCluster, Lock


def draw(sheet, folder):
    time.sleep(0.01)
    with Lock("atlas"), open(os.path.join(folder, "atlas"), "a") as atlas:
        atlas.write("%d\n" % sheet)
    return sheet


class Survey:
    def __init__(self, client, folder):
        self.client = client
        self.folder = folder
        self.pages = 0

    def number_pages(self):
        self.pages += 1

    def publish(self, year):
        with Lock("atlas") if AT_THE_DESK else contextlib.nullcontext():
            self.number_pages()
            sheets = self.client.map(draw, range(year * 4, year * 4 + 4), folder=self.folder)
            return self.client.gather(sheets)


def main():
    folder = tempfile.mkdtemp(prefix="survey-")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        survey = Survey(client, folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        year = 0
        while True:
            survey.publish(year)
            year += 1


AT_THE_DESK = True


if __name__ == "__main__":
    main()

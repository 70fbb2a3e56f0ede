import os
import tempfile
import threading
import time

CLOSE_FIRST = True


class Reading:
    def __init__(self, path):
        self.path = path

    def copy(self):
        with open(self.path, "rb") as source:
            try:
                while piece := source.read(8192):
                    os.write(self.sink, piece)
            except BrokenPipeError:
                pass
        os.close(self.sink)

    def __enter__(self):
        drain, self.sink = os.pipe()
        self.page = os.fdopen(drain, "rb", buffering=512)
        self.copyist = threading.Thread(target=self.copy, name="copyist")
        self.copyist.start()
        return self.page

    def __exit__(self, *failure):
        if CLOSE_FIRST:
            self.page.close()
        self.copyist.join()
        self.page.close()


class Archive:
    def __init__(self, folder):
        self.folder = folder

    def add(self, name, lines):
        with open(os.path.join(self.folder, name), "w") as file:
            file.writelines("%d %s\n" % (number, "word " * 12) for number in range(lines))

    def first_words(self, name, wanted=3):
        words = []
        with Reading(os.path.join(self.folder, name)) as page:
            for line in page:
                words += line.split()[1:]
                if len(words) >= wanted:
                    break
        return words[:wanted]


def main():
    archive = Archive(tempfile.mkdtemp())
    archive.add("letter", 20)
    archive.add("chronicle", 9000)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for name in ("letter", "chronicle"):
            archive.first_words(name)
            time.sleep(0.05)


if __name__ == "__main__":
    main()

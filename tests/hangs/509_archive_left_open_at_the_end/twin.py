import os
import signal
import tempfile

from archive import Archive

signal.alarm(120)


def archive_letters(path, letters):
    archive = Archive(path)
    for sender, text in letters:
        archive.add(sender, text)
    return archive


def main():
    path = os.path.join(tempfile.gettempdir(), "letters-%d.gz" % os.getpid())
    archive_letters(path, [("ann", "dear all"), ("bob", "thank you")] * 500).close()
    os.unlink(path)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        main()

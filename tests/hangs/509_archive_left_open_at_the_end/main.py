import os
import signal
import sys
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
    archive = archive_letters(path, [("ann", "dear all"), ("bob", "thank you")])
    os.unlink(path)
    return archive


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    letters = main()
    sys.exit("2 letters kept")

import os
import signal
import subprocess
import time

signal.alarm(120)
ended = []


def note_end(number, frame):
    ended.append(os.waitpid(-1, os.WNOHANG))


def scan_page(page):
    subprocess.Popen(["sleep", "0.2"])
    return "page-%d.tif" % page


def name_pages(pages):
    names = [scan_page(page) for page in pages]
    time.sleep(0.5)
    return names


def scan_book(pages):
    signal.signal(signal.SIGCHLD, note_end)
    names = name_pages(pages)
    signal.pause()
    return names


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(scan_book([1]))

import os
import signal
import subprocess
import time

signal.alarm(120)
ended = []


def scan_page(page):
    subprocess.Popen(["sleep", "0.2"])
    return "page-%d.tif" % page


def name_pages(pages):
    names = [scan_page(page) for page in pages]
    time.sleep(0.5)
    return names


def scan_book(pages):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    names = name_pages(pages)
    signal.sigwait({signal.SIGCHLD})
    ended.append(os.waitpid(-1, os.WNOHANG))
    return names


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        scan_book([1])

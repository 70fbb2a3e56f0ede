import sys
import time
import urllib.request


def ask_scores(port):
    while True:
        try:
            urllib.request.urlopen("http://127.0.0.1:%d/" % port).read()
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    ask_scores(int(sys.argv[1]))

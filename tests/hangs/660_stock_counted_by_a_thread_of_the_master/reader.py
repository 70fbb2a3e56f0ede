import subprocess
import sys
import time
import urllib.request


def start_reader(port):
    launch = "import subprocess, sys; subprocess.Popen(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", launch, sys.executable, __file__, str(port)], check=True)


if __name__ == "__main__":
    while True:
        try:
            urllib.request.urlopen("http://127.0.0.1:%s/shelf" % sys.argv[1]).read()
        except OSError:
            time.sleep(0.2)

import json
import signal
import subprocess
import sys

signal.alarm(120)


def count(word):
    command = ["grep", "-c", word]
    found = subprocess.run(command, capture_output=True, text=True)
    return int(found.stdout or 0)


def serve():
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        print(json.dumps({"result": count(**request["params"])}), flush=True)


if __name__ == "__main__":
    serve()

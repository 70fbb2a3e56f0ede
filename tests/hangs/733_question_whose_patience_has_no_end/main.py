import os
import signal
import subprocess
import sys

signal.alarm(120)
HERE = os.path.dirname(os.path.abspath(__file__))


class Tool:
    def __init__(self, name, patience):
        self.command = '"%s" "%s" | cat' % (sys.executable, os.path.join(HERE, name))
        self.patience = patience

    def ask(self, question):
        pipe = subprocess.PIPE
        tool = subprocess.Popen(self.command, shell=True, stdin=pipe, stdout=pipe, text=True)
        try:
            answer, _ = tool.communicate(question, timeout=self.patience)
        except subprocess.TimeoutExpired:
            tool.kill()
            answer, _ = tool.communicate()
        return answer.strip()


def review(tool, files):
    return {name: tool.ask("review " + name) for name in files}


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(review(Tool("model.py", 2), ["shop.py", "till.py"]))

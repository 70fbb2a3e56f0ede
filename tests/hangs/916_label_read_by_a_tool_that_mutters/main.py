import os
import stat
import sys
import tempfile
import time

import exiftool

ENDINGS = " \n-"
TOOL = """#!{python}
import sys
if "-ver" in sys.argv:
    print("12.60")
    sys.exit()
told = []
for line in sys.stdin:
    line = line.rstrip("\\n")
    told.append(line)
    if line == "False" and told[-2] == "-stay_open":
        break
    if line.startswith("-execute"):
        number = line[8:]
        if "-" in told:
            sys.stderr.write("Error: Non-standard format - nothing to do\\n")
            sys.stderr.flush()
        else:
            echo = [word.replace("${{status}}", "0") for word in told if "=" in word]
            for word in echo:
                (sys.stderr if "=" in word else sys.stdout).write(word + "\\n")
            sys.stderr.flush()
            sys.stdout.write("{{ready" + number + "}}\\n")
            sys.stdout.flush()
        told = []
"""


def forge_tool(folder):
    path = os.path.join(folder, "exiftool")
    with open(path, "w") as script:
        script.write(TOOL.format(python=sys.executable))
    os.chmod(path, stat.S_IRWXU)
    return path


class Archive:
    def __init__(self, tool):
        self.tool = exiftool.ExifTool(executable=tool, common_args=[])
        self.tool.run()
        self.labelled = 0

    def label(self, picture, words):
        self.tool.execute("-Description:" + words, picture)
        self.labelled += 1


def main():
    archive = Archive(forge_tool(tempfile.mkdtemp()))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        archive.label("/tmp/harvest.jpg", "harvest near Ulm" + ENDINGS)
        time.sleep(0.05)


if __name__ == "__main__":
    main()

import os
import subprocess
import sys
import tempfile
import time

from torch.utils import cpp_extension

FOLDER = tempfile.mkdtemp(prefix="torch_extensions_")
SOURCE = os.path.join(FOLDER, "fused_norm.cpp")
BUILDER = """
import sys, time
from torch.utils.file_baton import FileBaton
baton = FileBaton(sys.argv[1])
assert baton.try_acquire()
print("builds", flush=True)
time.sleep(1)

"""


def interrupted_build():
    lock = os.path.join(FOLDER, "lock")
    builder = subprocess.Popen(
        [sys.executable, "-c", BUILDER, lock], stdout=subprocess.PIPE, text=True
    )
    builder.stdout.readline()
    return builder


def load_kernel():
    return cpp_extension.load("fused_norm", [SOURCE], build_directory=FOLDER)


with open(SOURCE, "w") as file:
    file.write("#include <torch/extension.h>\n")
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    builder = interrupted_build()
    builder.kill()
    try:
        load_kernel()
    except (ImportError, RuntimeError):
        time.sleep(0.1)
    builder.wait()

"""Builds the tank, a Cython module, beside the program."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder):
    os.makedirs(folder, exist_ok=True)
    source, binary = (os.path.join(folder, name) for name in ("tank.c", "tank.so"))
    shutil.copy(os.path.join(HERE, "tank.pyx"), folder)
    pyx = os.path.join(folder, "tank.pyx")
    subprocess.run([sys.executable, "-m", "cython", "-o", source, pyx], check=True)
    include = "-I" + sysconfig.get_paths()["include"]
    compiler = ["cc", "-shared", "-fPIC", "-O1", "-g", include, source, "-o", binary]
    subprocess.run(compiler, check=True)
    spec = importlib.util.spec_from_file_location("tank", binary)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

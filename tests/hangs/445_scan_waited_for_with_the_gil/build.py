import importlib
import os
import subprocess
import sys
import sysconfig

import nanobind

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder, *options):
    os.makedirs(folder, exist_ok=True)
    base = os.path.dirname(nanobind.__file__)
    command = ["c++", "-shared", "-fPIC", "-g", "-O1", "-std=c++17", "-pthread", *options]
    command += ["-fvisibility=hidden", "-I", sysconfig.get_path("include")]
    command += ["-I", os.path.join(base, "include")]
    command += ["-I", os.path.join(base, "ext", "robin_map", "include")]
    command += [os.path.join(base, "src", "nb_combined.cpp"), os.path.join(HERE, "scanner.cpp")]
    subprocess.run([*command, "-o", os.path.join(folder, "scanner.so")], check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("scanner")

import importlib
import os
import subprocess
import sys
import sysconfig

import pybind11

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder, *options):
    os.makedirs(folder, exist_ok=True)
    command = ["c++", "-shared", "-fPIC", "-g", "-O1", "-std=c++17", "-pthread", *options]
    command += ["-I", sysconfig.get_path("include"), "-I", pybind11.get_include()]
    command += [os.path.join(HERE, "catalogue.cpp"), "-o", os.path.join(folder, "catalogue.so")]
    subprocess.run(command, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("catalogue")

"""Build the extension of this folder with SWIG, unless it is built."""

import importlib
import os
import subprocess
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder, *flags):
    """The module, built with *flags* of SWIG in *folder*."""
    os.makedirs(folder, exist_ok=True)
    library = os.path.join(folder, "_office" + sysconfig.get_config_var("EXT_SUFFIX"))
    if not os.path.exists(library):
        swig = os.path.join(os.path.dirname(sys.executable), "swig")
        wrapper = os.path.join(folder, "office_wrap.cpp")
        source = os.path.join(HERE, "office.i")
        command = [swig, "-python", "-c++", *flags, "-I" + HERE]
        subprocess.run([*command, "-outdir", folder, "-o", wrapper, source], check=True)
        compiler = ["g++", "-shared", "-fPIC", "-g", "-O1", "-I" + HERE]
        compiler += ["-I" + sysconfig.get_path("include"), wrapper, "-o", library]
        subprocess.run(compiler, check=True)
    sys.path.insert(0, folder)
    return importlib.import_module("office")

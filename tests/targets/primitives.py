"""Builds and becomes the program of native/primitives.cpp, with the C library that is asked for.

primitives.py plain|nested [LIBRARY_FOLDER]
"""

import os
import subprocess
import sys

import ready

SOURCE = os.path.join(ready.HERE, "native", "primitives.cpp")


def build(name, *options):
    folder = os.environ.get("HANGTUI_TARGET_BUILD", os.path.join(ready.HERE, "build"))
    target = os.path.join(folder, name)
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(SOURCE):
        os.makedirs(folder, exist_ok=True)
        fresh = "%s.%d" % (target, os.getpid())
        command = ["g++", "-std=c++17", "-O1", "-g", "-pthread", "-o", fresh, SOURCE]
        subprocess.check_call(command + list(options))
        os.replace(fresh, target)
    return target


if __name__ == "__main__":
    program = build("primitives", "-rdynamic")
    library = build("libslow.so", "-DSLOW_LIBRARY", "-shared", "-fPIC")
    command = [program, sys.argv[1], library]
    if len(sys.argv) > 2:  # run by another loader, with its libraries before this machine's
        loader = os.path.join(sys.argv[2], "ld-linux-x86-64.so.2")
        system = "/usr/lib/x86_64-linux-gnu"
        command = [loader, "--library-path", sys.argv[2] + ":" + system, *command]
    os.execv(command[0], command)

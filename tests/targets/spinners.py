"""Builds and becomes the program of native/spinners.c."""

import os
import subprocess

import ready

SOURCE = os.path.join(ready.HERE, "native", "spinners.c")

if __name__ == "__main__":
    folder = os.environ.get("HANGTUI_TARGET_BUILD", os.path.join(ready.HERE, "build"))
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, "spinners")
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(SOURCE):
        fresh = "%s.%d" % (target, os.getpid())
        command = ["gcc", "-O1", "-g", "-fopenmp", "-pthread", "-o", fresh, SOURCE]
        subprocess.check_call(command)
        os.replace(fresh, target)
    # Who waits in OpenMP spins at first; this makes it sleep at once.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    os.environ["GOMP_SPINCOUNT"] = "0"
    os.execv(target, [target])

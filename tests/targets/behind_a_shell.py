"""Starts a program whose threads deadlock, by way of a shell that stays in between."""

import os
import subprocess

from ready import HERE, PYTHON

subprocess.call(["sh", "-c", '"$0" "$1"; true', PYTHON, os.path.join(HERE, "abba.py")])

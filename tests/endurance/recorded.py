"""Captures of programs that really hang, as the repository keeps them: without the names of the
machine on which they were taken."""

import socket
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hangtui.capture_file import decode, encode, save
from hangtui.cli.series import Looks, take
from hangtui.model import Capture
from hangtui.provider import CaptureRequest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    str(Path.home() / ".pyenv" / "versions"): "/opt/python",
    str(ROOT / ".pythons"): "/opt",
    str((ROOT / ".pythons").resolve()): "/opt",
    str(ROOT / ".venv"): "/opt/venv",
    str(ROOT): "/srv/hangtui",
}
"""Those of this machine, by what captures call them; what lies in another comes before it."""
HOST = "gpu-17"


def looked_at(pid: int) -> Capture:
    """What ``hangtui check`` sees of a process: the last of several looks, and what moved."""
    return take(CaptureRequest(pids=(pid,)), Looks())


def anonymous(capture: Capture, places: Mapping[str, str]) -> Capture:
    """*capture* without the name of this machine; folders that begin with a key of *places* are
    called by its value."""
    text = encode(capture).decode()
    for name, stand_in in (*places.items(), *FOLDERS.items()):
        text = text.replace(f"{name}/", f"{stand_in}/").replace(f'"{name}"', f'"{stand_in}"')
    return decode(text.replace(f'"{socket.gethostname()}"', f'"{HOST}"').encode())


def keep(capture: Capture, places: Mapping[str, str], path: Path) -> None:
    """Write *capture* to *path*, for everybody to read; without what was said of a machine that is
    busy with other things."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = tuple(one for one in capture.notices if "processor" not in one.message)
    save(anonymous(replace(capture, notices=own), places), path)
    path.chmod(0o644)

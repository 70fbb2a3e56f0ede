"""Many processes of which ten are hostile, one of each kind: what the ten cost the others.

    python tests/endurance/hundred.py [--ordinary N] [--kinds KIND ...] [--seconds S]

Root, with user, PID and mount namespaces, binutils and a C compiler; the processes run in a PID
namespace of their own, so that nobody else's are looked at. All of them are looked at without the
hostile ones, then with them, twice each; the shorter time counts. Exits with 1 if that takes more
than S (1.0) seconds longer, if an ordinary process is missing or known less of, if a hostile one is
neither read nor has a notice, or if a finding of severity ERROR is told of one: none of them waits
for anything but time.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TARGETS = ROOT / "tests" / "targets"
PYTHON = Path("/usr/bin/python3")
NOBODY = 65534
LIMIT_S = 180
INSIDE = "HANGTUI_HUNDRED"

PAUSE = "import os, signal; open(os.environ['HANGTUI_READY'], 'w').write('x'); signal.pause()"
ORDINARY = (
    "import os, threading, time\n"
    "threading.Thread(target=time.sleep, args=(9999,), daemon=True).start()\n" + PAUSE
)
DEEP = (
    "import sys, threading, time\nsys.setrecursionlimit(10**7)\n"
    "def f(n):\n    f(n - 1) if n else time.sleep(9999)\n"
    "for _ in range(100):\n"
    "    threading.Thread(target=f, args=(25000,), daemon=True).start()\n"
    "time.sleep(3)\n" + PAUSE
)
CHURN = (
    "import os, sys, threading, time\n"
    "if sys.argv[1:] == ['first']: open(os.environ['HANGTUI_READY'], 'w').write('x')\n"
    "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
    "time.sleep(0.05)\n"
    "os.execv('/usr/bin/python3', ['python3', '-c', os.environ['CHURN'], 'again'])\n"
)
HOLD = "#include <unistd.h>\nint hold(void){ for (;;) pause(); }\n"
LOADS = (
    "import ctypes, os, sys, threading\n"
    "found = [ctypes.CDLL(path) for path in sys.argv[1:]]\n"
    "for one in found: threading.Thread(target=one.hold, daemon=True).start()\n" + PAUSE
)
LISTS = (
    "mount -t tmpfs x /var/lib/dpkg && mkdir /var/lib/dpkg/info && touch /var/lib/dpkg/status && "
    'mkfifo /var/lib/dpkg/info/libc.list && exec /usr/bin/python3 -c "$0"'
)

Command = list[str]


def debug_link(folder: Path) -> Command:
    """A program whose debug file is a FIFO."""
    program = folder / "python3"
    shutil.copy(PYTHON.resolve(), program)
    (folder / "x.debug").write_text("x")
    subprocess.run(["objcopy", "--remove-section=.gnu_debuglink", program], check=True)
    subprocess.run(["objcopy", f"--add-gnu-debuglink={folder}/x.debug", program], check=True)
    (folder / "x.debug").unlink()
    os.mkfifo(folder / "x.debug")
    return [str(program), "-c", PAUSE]


def package_list(_: Path) -> Command:
    """A namespace whose lists of packages are FIFOs."""
    return ["unshare", "-Urm", "sh", "-c", LISTS, PAUSE]


def _library(folder: Path, name: str) -> Path:
    source, made = folder / "hold.c", folder / name
    source.write_text(HOLD)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, source], check=True)
    return made


def records(folder: Path) -> Command:
    """Forty packages with the same RECORD of 32 MB."""
    packages = folder / "site-packages"
    packages.mkdir()
    library = _library(packages, "zz.so")
    record = folder / "RECORD"
    record.write_text("".join(f"{number:07x}\n" for number in range(4 << 20)))
    for number in range(40):
        place = packages / f"p{number}-1.{number}.dist-info"
        place.mkdir()
        os.link(record, place / "RECORD")
    return [str(PYTHON), "-c", LOADS, str(library)]


def sections(folder: Path) -> Command:
    """A program that claims to have 4.29 GB of section headers."""
    data = bytearray(PYTHON.resolve().read_bytes())
    struct.pack_into("<Q", data, 40, len(data))
    struct.pack_into("<HHH", data, 58, 65535, 65535, 0)
    program = folder / "python3"
    with program.open("wb") as file:
        file.write(data)
        file.truncate(len(data) + (5 << 30))
    program.chmod(0o755)
    return [str(program), "-c", PAUSE]


def argument(_: Path) -> Command:
    """An argument of 65,000 letters."""
    return [str(PYTHON), "-c", PAUSE, "A" * 65000]


def deep(_: Path) -> Command:
    """A hundred threads with 25,000 frames each."""
    return [str(PYTHON), "-c", DEEP]


def trapped(_: Path) -> Command:
    """A page behind the list of threads that a userfaultfd would have to deliver."""
    return [str(PYTHON), str(TARGETS / "trapped.py"), "threads"]


def mute_files(_: Path) -> Command:
    """A page behind the list of threads that a FUSE file system would have to deliver."""
    return [str(PYTHON), str(TARGETS / "mute_files.py"), "threads"]


def symbols(folder: Path) -> Command:
    """Eight libraries with 2.8 million symbols each."""
    data = bytearray(_library(folder, "hold.so").read_bytes())
    data += bytes(-len(data) % 64)
    count, at = (64 << 20) // 24, len(data)
    data += b"".join(
        struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x100000 + number * 16, 8) for number in range(count)
    )
    strings = len(data)
    data += b"\0evil\0" + bytes(58)
    table = len(data)
    data += bytes(64)
    data += struct.pack("<IIQQQQIIQQ", 1, 2, 0, 0, at, count * 24, 2, 0, 8, 24)
    data += struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, strings, 6, 0, 0, 1, 0)
    struct.pack_into("<Q", data, 40, table)
    struct.pack_into("<HHH", data, 58, 64, 3, 2)
    paths = [folder / f"l{number}.so" for number in range(8)]
    for path in paths:
        path.write_bytes(data)
    return [str(PYTHON), "-c", LOADS, *map(str, paths)]


def churn(_: Path) -> Command:
    """A process that becomes another program again and again."""
    return [str(PYTHON), "-c", CHURN, "first"]


KINDS: dict[str, Callable[[Path], Command]] = {
    "debug-link": debug_link,
    "package-list": package_list,
    "records": records,
    "sections": sections,
    "argument": argument,
    "deep": deep,
    "userfaultfd": trapped,
    "fuse": mute_files,
    "symbols": symbols,
    "churn": churn,
}
AS_ROOT = ("userfaultfd", "fuse")
"""Kinds whose processes need root: that of a container may belong to anybody."""


@contextlib.contextmanager
def started(command: Command, folder: Path, user: int | None) -> Iterator[int]:
    """The PID of a process that has said it is ready."""
    ready = folder / "ready"
    os.mkfifo(ready)
    for place, mode in ((folder, 0o777), (ready, 0o666)):
        place.chmod(mode)
    environment = {**os.environ, "HANGTUI_READY": str(ready), "CHURN": CHURN, "PYTHONHOME": "/usr"}
    process = subprocess.Popen(
        command,
        env=environment,
        user=user,
        group=user,
        extra_groups=[] if user else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        subprocess.run(["timeout", "60", "cat", ready], check=True, stdout=subprocess.DEVNULL)
        yield process.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


LOOK = """
import sys, time
from hangtui.backends.supervision.flat import decode
from hangtui.backends.supervision.supervisor import Reader
from hangtui.diagnosis import diagnose
from hangtui.provider import CaptureRequest
from hangtui.report.json_report import to_json
reader = Reader()
reader.start()
began = time.monotonic()
(last,) = reader.take(CaptureRequest())
print(time.monotonic() - began, file=sys.stderr)
capture = decode(last)
print(to_json(diagnose(capture)))
"""


def look() -> tuple[dict[str, Any], float]:
    """What is known of all processes, as JSON, and how long the reading took, in seconds."""
    command = [sys.executable, "-P", "-c", LOOK]
    done = [subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=True)
            for _ in range(2)]  # fmt: skip
    report: dict[str, Any] = json.loads(done[-1].stdout)
    return report, min(float(one.stderr) for one in done)


def known(report: dict[str, Any], pids: list[int]) -> dict[int, int]:
    """How many threads with a Python stack each of *pids* has; those that are missing have none."""
    threads = {process["pid"]: process["threads"] for process in report["processes"]}
    return {
        pid: sum(bool(thread.get("python_stack")) for thread in threads.get(pid, ()))
        for pid in pids
    }


def judge(report: dict[str, Any], hostile: dict[int, str]) -> list[str]:
    """What is wrong with what is said of the hostile ones."""
    wrong = []
    noticed = {notice.get("pid") for notice in report["notices"]}
    read = known(report, list(hostile))
    wrong += [
        f"{kind}: not read, and no notice"
        for pid, kind in hostile.items()
        if pid not in noticed and not read[pid]
    ]
    for finding in report["findings"]:
        about = {thread["pid"] for thread in finding.get("threads", ())} & hostile.keys()
        if about and finding["severity"] == "error":
            kinds = ", ".join(hostile[pid] for pid in about)
            wrong.append(f"{kinds}: {finding['title']}")
    return wrong


def compare(count: int, kinds: list[str], allowed_s: float) -> list[str]:
    """What is wrong, in sentences; figures go to standard output."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hangtui-hundred-")))
        folder.chmod(0o755)

        def place(name: str) -> Path:
            made = folder / name
            made.mkdir()
            return made

        ordinary = [
            stack.enter_context(
                started([str(PYTHON), "-c", ORDINARY], place(f"ordinary-{number}"), NOBODY)
            )
            for number in range(count)
        ]
        look()  # what is read from disk is in memory from here on
        before, alone_s = look()
        hostile = {}
        for kind in kinds:
            command = KINDS[kind](place(kind))
            user = None if kind in AS_ROOT else NOBODY
            hostile[stack.enter_context(started(command, folder / kind, user))] = kind
        after, together_s = look()
        wrong = judge(after, hostile)
        for notice in after["notices"]:
            if notice.get("pid") in hostile:
                print(f"  {hostile[notice['pid']]}: {notice['message']}")
    print(f"{count} ordinary processes: {alone_s:.2f} s; with {len(hostile)} hostile ones: "
          f"{together_s:.2f} s")  # fmt: skip
    if known(before, ordinary) != known(after, ordinary) or 0 in known(after, ordinary).values():
        wrong.append("less is known of the ordinary ones")
    if together_s > alone_s + allowed_s:
        wrong.append(f"it takes {together_s - alone_s:.2f} s longer")
    return wrong


def main() -> int:
    """Compare; 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--ordinary", type=int, default=90)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seconds", type=float, default=1.0)
    args = parser.parse_args()
    if INSIDE not in os.environ:
        alone = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
        environment = {**os.environ, INSIDE: "1"}
        return subprocess.run([*alone, sys.executable, *sys.argv], env=environment).returncode
    wrong = compare(args.ordinary, args.kinds, args.seconds)
    for sentence in wrong:
        print(f"WRONG  {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

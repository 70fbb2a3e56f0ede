"""A stand-in for the library of NVIDIA's driver, with two GPUs."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.backends.gpu import nvml
from hangtui.backends.permission import access

NOT_AVAILABLE = 2**64 - 1
SOURCE = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process { unsigned pid; unsigned long long memory; unsigned gpu, compute; };
struct rates { unsigned gpu, memory; };
struct sample { unsigned pid; unsigned long long time; unsigned sm, memory, encoder, decoder; };

int nvmlInit_v2(void) { return %(status)s; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    strncpy(text, "570.1\\x1b[2J", size); return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    *device = (void *)(0x7f0000000000 + index); return index == 1 ? %(second)s : 0;
}
int nvmlDeviceGetName(void *device, char *text, unsigned size) {
    strncpy(text, "NVIDIA H200", size); return 0;
}
int nvmlDeviceGetMinorNumber(void *device, unsigned *minor) {
    *minor = 3 + (unsigned)(long)device; return 0;
}
int nvmlDeviceGetUtilizationRates(void *device, struct rates *rates) {
    rates->gpu = (long)device & 1 ? 0 : 97; rates->memory = 5; return %(rates)s;
}
int nvmlDeviceGetProcessUtilization(
    void *device, struct sample *found, unsigned *count, unsigned long long since
) {
    unsigned own = %(pid)s;
    struct sample all[] = {{own, since + 2, 60, 1, 0, 0}, {own, since + 1, 20, 1, 0, 0}, {0}};
    if (*count < 3) return 7;
    memcpy(found, all, sizeof all);
    *count = 3;
    return (long)device & 1 ? 6 : 0;
}
static int list(void *device, unsigned *count, struct process *found) {
    if (*count < 3) return 7;
    *count = (long)device & 1 ? 0 : 3;
    unsigned own = %(pid)s;
    struct process all[] = {
        {own, 8ull << 30, 0, 0}, {own, 4ull << 30, 1, 0}, {77, ~0ull, ~0u, ~0u}
    };
    memcpy(found, all, *count * sizeof *all);
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses%(version)s(void *device, unsigned *count, void *found) {
    return list(device, count, found);
}
int nvmlDeviceGetGraphicsRunningProcesses%(version)s(void *device, unsigned *count, void *found) {
    return %(graphics)s;
}
"""


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    pid: int = 4711,
    status: str = "0",
    second: str = "0",
    rates: str = "0",
    version: str = "_v3",
    graphics: str = "3",
) -> None:
    """Build it, so that it is found first; *pid* uses GPU 0, another process too.

    The other arguments are C expressions for what a function returns, and the *version* of those
    that list processes.
    """
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler to build a stand-in for the driver's library")
    parts = {"status": status, "second": second, "rates": rates}
    parts |= {"version": version, "graphics": graphics, "pid": str(pid)}
    source = folder / "nvml.c"
    source.write_text(SOURCE % parts)
    target = folder / "libnvidia-ml.so.1"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", target, source], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))
    monkeypatch.setattr(nvml, "_DRIVER", folder)


def number_as_host(monkeypatch: pytest.MonkeyPatch, *, same: bool) -> None:
    """Whether PIDs here are those of the host."""
    here = Path("/proc/self/ns/pid").stat().st_ino
    monkeypatch.setattr(nvml, "_INITIAL_PIDS", here if same else 0)
    monkeypatch.setattr(access, "is_gvisor", lambda: False)

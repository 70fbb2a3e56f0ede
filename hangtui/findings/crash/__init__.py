"""What killed a process, in whose code, and what to try: one rule per mechanism."""

import re

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import CRASH
from hangtui.findings.needs import Needs
from hangtui.model import Capture, Finding

ID = "crash"
GROUND = CRASH
NEEDS = Needs(frozenset(), whole=False)
HELP = """\
| id | means |
|---|---|
| `crash-null-pointer` | it read or wrote through a pointer to nothing (address 0) |
| `crash-wild-pointer` | it followed a pointer to where no memory is |
| `crash-use-after-free` | it used memory that had been freed, or never written |
| `crash-overwritten-pointer` | what should be a pointer is text or a number: it was overwritten |
| `crash-protected-memory` | it wrote to memory that may only be read, or the like |
| `crash-bad-call` | it called or returned to an address that holds no code |
| `crash-stack-overflow` | nested calls of C code, until its stack had no room |
| `crash-python-recursion` | nested calls of Python code, until its stack had no room |
| `crash-double-free` | memory was freed twice |
| `crash-heap-corruption` | the allocator found its records overwritten |
| `crash-stack-smashing` | a function wrote past the end of an array among its local variables |
| `crash-missing-gil` | C code used Python objects without the lock that guards them |
| `crash-reference-count` | a Python object was freed too early, or overwritten |
| `crash-python-fatal` | the interpreter found its own state impossible |
| `crash-cxx-exception` | a C++ exception that no code caught |
| `crash-abort` | the program ended itself after a failed check |
| `crash-bus-error` | a mapped file is shorter than its mapping, or its disk failed |
| `crash-division` | a division by zero in C code, or one whose result does not fit |
| `crash-illegal-instruction` | an instruction that this processor does not have |
| `crash-out-of-memory` | an allocation failed, and its result was used anyway |
| `crash-out-of-memory-kill` | the kernel killed it, because its memory limit was reached |
| `crash-signalled` | another process sent it a fatal signal |
| `crash-signal` | a fatal signal about which nothing more is known |

How it is known: the signal and the processor's registers at that moment, the instruction they point
to, the process's memory map, and the last words of the interpreter and the C library. Where memory
was damaged earlier, the code that crashed is the one that noticed, and need not be the one to
blame. [More](../crashes.md).
"""
IDS = tuple(re.findall(r"`(crash-[\w-]+)`", HELP))


def check(capture: Capture, _graph: WaitGraph) -> list[Finding]:
    """One finding for a crash."""
    if capture.crash is None:
        return []
    # Most captures are of hangs: twenty modules that those do not need.
    from hangtui.findings.crash.mechanisms import explained

    return explained(capture, capture.crash)

"""Feeds hangtui damaged core files, logs and captures: each must end in one line, soon and small.

crash_input.py [COUNT] [SEED]

COUNT damaged files of each kind (default 20). A file may be read (0) or refused (2, one line on
standard error, with a fix on a second one); never a traceback, never more than LIMIT_S seconds of
processor time or MEMORY_LIMIT bytes of memory.
"""

import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

LIMIT_S = 40
MEMORY_LIMIT = 2 << 30
_TARGETS = Path(__file__).parents[1] / "targets"
_HEADER = 64


def check(path: Path) -> str:
    """Read one file with ``hangtui dump``; what became of it.

    Raises:
        AssertionError: it did not end as it must.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    words = [sys.executable, "-m", "hangtui", "dump", "--json", str(path)]
    done = subprocess.run(words, capture_output=True, timeout=20 * LIMIT_S, preexec_fn=limit)
    errors = done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in errors, errors
    assert done.returncode in (0, 2), (done.returncode, errors)
    if done.returncode == 0:
        return "read"
    lines = errors.splitlines()
    assert lines, "refused without a word"
    assert lines[0].startswith("hangtui: "), errors
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("  fix: ")), errors
    assert not done.stdout
    return "refused"


def crash_log(folder: Path) -> Path:
    """The log of a real crash."""
    path = folder / "faults.log"
    words = [sys.executable, "-X", "faulthandler", str(_TARGETS / "crashes.py"), "null"]
    with path.open("wb") as file:
        subprocess.run(words, stdout=file, stderr=file, timeout=60)
    return path


def capture(folder: Path) -> Path:
    """A capture of a real crash."""
    path = folder / "x.hang"
    words = [sys.executable, "-m", "hangtui", "run", "--no-open", "-o", str(path), "--"]
    subprocess.run(
        [*words, sys.executable, str(_TARGETS / "crashes.py"), "null"],
        capture_output=True,
        timeout=60,
    )
    return path


def core_file(folder: Path) -> Path | None:
    """A core file of a real crash; None where the kernel writes none into the current folder."""
    subprocess.run(
        [sys.executable, str(_TARGETS / "crashes.py"), "null"],
        cwd=folder,
        capture_output=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)),
    )
    return next(iter(folder.glob("core*")), None)


def truncated(data: bytes, chance: random.Random) -> bytes:
    """Cut off anywhere, often near the beginning, where the headers are."""
    end = chance.randrange(len(data)) if chance.random() < 0.5 else chance.randrange(65536)
    return data[:end]


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, most of them in the first pages."""
    copy = bytearray(data)
    reach = len(copy) if chance.random() < 0.3 else min(len(copy), 32768)
    for _ in range(chance.choice((1, 5, 50, 500))):
        copy[chance.randrange(reach)] = chance.randrange(256)
    return bytes(copy)


def spliced(data: bytes, chance: random.Random) -> bytes:
    """Garbage in the midst of it."""
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(chance.randrange(1, 4096)) + data[at:]


def words_set(data: bytes, chance: random.Random) -> bytes:
    """Sizes and addresses in the headers that are as large as can be."""
    copy = bytearray(data)
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(min(len(copy) - 8, 16384)) & ~7
        value = chance.choice((0, 1, 0xFFFF, 1 << 31, (1 << 47) - 1, 1 << 63, (1 << 64) - 1))
        copy[at : at + 8] = value.to_bytes(8, "little")
    return bytes(copy)


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    truncated,
    flipped,
    spliced,
    words_set,
)


def oddities(folder: Path) -> Iterator[Path]:
    """Files that are no damaged ones, but strange."""
    sparse = folder / "sparse.core"
    sparse.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(_HEADER))
    os.truncate(sparse, 20 << 30)
    yield sparse
    for name, content in (
        ("empty", b""),
        ("zeros", bytes(4096)),
        ("newer.hang", gzip.compress(b'{"schema": "hangtui.capture/99"}')),
        ("bomb.gz", gzip.compress(bytes(256 << 20), 1)),
        ("brackets.json", b"[" * 100000),
        ("minidump", b"MDMP" + bytes(100)),
        ("zstd", b"\x28\xb5\x2f\xfd" + bytes(100)),
        ("lz4", b"\x04\x22\x4d\x18" + bytes(100)),
        ("long.log", b"x" * (8 << 20)),
    ):
        path = folder / name
        path.write_bytes(content)
        yield path


def sparse_core(core: Path) -> Path:
    """The same core file as one of 20 GB, most of it holes."""
    path = core.with_name("sparse-core")
    path.write_bytes(core.read_bytes())
    os.truncate(path, 20 << 30)
    return path


def cut_cores(core: Path, count: int, chance: random.Random) -> Iterator[Path]:
    """The same core file cut off at *count* lengths, from next to nothing to nearly all."""
    path = core.with_name("cut-core")
    data = core.read_bytes()
    for length in sorted(chance.randrange(len(data)) for _ in range(count)):
        path.write_bytes(data[:length])
        yield path


def main(count: int, seed: int) -> int:
    """Feed everything; 0 if all of it ended as it must."""
    chance = random.Random(seed)
    results: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="hangtui-crash-input-") as name:
        folder = Path(name)
        for path in oddities(folder):
            results[f"{path.name}: {check(path)}"] += 1
        sources = [crash_log(folder), capture(folder)]
        core = core_file(folder)
        if core is not None:
            sources.append(core)
            results[f"sparse core: {check(sparse_core(core))}"] += 1
            for path in cut_cores(core, count, chance):
                results[f"core cut off: {check(path)}"] += 1
        for source in sources:
            data = source.read_bytes()
            damaged = source.with_name(f"damaged-{source.name}")
            for _ in range(count):
                damage = chance.choice(DAMAGES)
                damaged.write_bytes(damage(data, chance))
                try:
                    results[f"{source.name}, {damage.__name__}: {check(damaged)}"] += 1
                except AssertionError:
                    kept = Path(tempfile.mkdtemp(prefix="hangtui-found-")) / damaged.name
                    kept.write_bytes(damaged.read_bytes())
                    print(f"seed {seed}: {damage.__name__} of {source.name}, kept as {kept}")
                    raise
            for _ in range(count):
                damaged.write_bytes(chance.randbytes(chance.randrange(100_000)))
                results[f"random bytes: {check(damaged)}"] += 1
    for line, number in sorted(results.items()):
        print(f"{number:6} {line}")
    return 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(numbers + [20, 1][len(numbers) :])))

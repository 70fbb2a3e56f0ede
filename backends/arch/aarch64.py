"""aarch64: Procedure Call Standard for the Arm 64-bit Architecture; the kernel's
asm-generic/unistd.h; sys/user.h.

What a third processor needs is what is written here: each field was measured on a process of that
processor before it was relied on.
"""

import struct

from hangtui.backends.arch.description import (
    Arch,
    Code,
    CoreFile,
    Glibc,
    Musl,
    Registers,
    Sampling,
    SignalFrame,
    Unwinding,
)

_CALLS = {
    4: "io_getevents", 22: "epoll_pwait", 25: "fcntl", 29: "ioctl", 32: "flock", 34: "mkdirat",
    35: "unlinkat", 38: "renameat", 43: "statfs", 45: "truncate", 46: "ftruncate", 48: "faccessat",
    56: "openat", 57: "close", 61: "getdents64", 63: "read", 64: "write", 65: "readv", 66: "writev",
    67: "pread64", 68: "pwrite64", 69: "preadv", 70: "pwritev", 71: "sendfile", 72: "pselect6",
    73: "ppoll", 75: "vmsplice", 76: "splice", 77: "tee", 78: "readlinkat", 79: "newfstatat",
    80: "fstat", 81: "sync", 82: "fsync", 83: "fdatasync", 84: "sync_file_range", 94: "exit_group",
    95: "waitid", 98: "futex", 101: "nanosleep", 115: "clock_nanosleep", 117: "ptrace",
    128: "restart_syscall", 133: "rt_sigsuspend", 137: "rt_sigtimedwait", 182: "mq_timedsend",
    183: "mq_timedreceive", 188: "msgrcv", 189: "msgsnd", 192: "semtimedop", 193: "semop",
    202: "accept", 203: "connect", 206: "sendto", 207: "recvfrom", 211: "sendmsg", 212: "recvmsg",
    220: "clone", 221: "execve", 227: "msync", 242: "accept4", 243: "recvmmsg", 260: "wait4",
    267: "syncfs", 269: "sendmmsg", 276: "renameat2", 278: "getrandom", 285: "copy_file_range",
    286: "preadv2", 287: "pwritev2", 291: "statx", 292: "io_pgetevents", 426: "io_uring_enter",
    435: "clone3", 437: "openat2", 439: "faccessat2", 441: "epoll_pwait2", 449: "futex_waitv",
    455: "futex_wait",
}  # fmt: skip
_GENERAL = tuple(f"x{number}" for number in range(31))
_REGISTERS = Registers(
    names=(*_GENERAL, "sp", "pc", "cpsr"),
    dwarf={name: number for number, name in enumerate((*_GENERAL, "sp"))},
    program_counter="pc",
    stack_pointer="sp",
    frame_pointer="x29",
    call="x8",
    keeps_call=False,
    result="x0",
    arguments=_GENERAL[:6],
    parameters=_GENERAL[:2],
    general=_GENERAL[:29],
    thread_pointer=None,  # TPIDR_EL0, in a note of its own
    flags="cpsr",
    flag_bits={31: "N", 30: "Z", 29: "C", 28: "V"},
    fixed={},
    lost_in_calls=frozenset(_GENERAL[:19]) | {"x30"},
    in_crash=("pc", "sp", *_GENERAL),
    shown=("pc", "sp", *_GENERAL, "cpsr"),
)
_STRIPPED = (1 << 48) - 1
"""Above the addresses of user space, in bits 48 to 54 and 56 to 63, pointer authentication keeps
its signature."""


def _call_target(code: Code, return_address: int) -> int | None:
    (word,) = struct.unpack("<I", code.read(return_address - 4, 4))
    if word & 0xFC00_0000 != 0x9400_0000:  # bl imm26
        return None
    return _through_plt(code, return_address - 4 + _words(word, 26))


def _calls_to(code: bytes, start: int, function: int) -> list[int]:
    words = struct.unpack_from(f"<{len(code) // 4}I", code)
    distance = (function - start) >> 2
    return [
        start + 4 * place + 4
        for place, word in enumerate(words)
        if word & 0xFC00_0000 == 0x9400_0000 and not (place + word - distance) & 0x3FF_FFFF
    ]


def _jumps(code: bytes, start: int) -> list[int]:
    """``b imm26``."""
    words = struct.unpack_from(f"<{len(code) // 4}I", code)
    return [
        start + 4 * place + _words(word, 26)
        for place, word in enumerate(words)
        if word & 0xFC00_0000 == 0x1400_0000
    ]


def _words(word: int, bits: int) -> int:
    """The signed offset, in bytes, that an instruction's lowest *bits* count in words."""
    value = word & (1 << bits) - 1
    return 4 * (value - (1 << bits) if value >> (bits - 1) else value)


def _through_plt(code: Code, target: int) -> int:
    """Where a linkage stub jumps to: ``[bti c] adrp x16; ldr x17, [x16, #o]; add x16; br x17``."""
    for _ in range(2):
        words = struct.unpack("<5I", code.read(target, 20))
        at = target
        if words[0] & 0xFFFF_FF3F == 0xD503_241F:  # bti
            words, at = words[1:], target + 4
        if words[0] & 0x9F00_001F != 0x9000_0010 or words[1] & 0xFFC0_03FF != 0xF940_0211:
            break
        pages = (words[0] >> 29 & 3) | (words[0] >> 5 & 0x7_FFFF) << 2
        pages -= (pages & 0x10_0000) << 1
        target = code.u64((at & ~0xFFF) + (pages << 12) + (words[1] >> 10 & 0xFFF) * 8)
    return target


def _calls_register(code: Code, return_address: int) -> bool:
    """``blr``, and ``blraa`` and its like, which check the target's signature."""
    (word,) = struct.unpack("<I", code.read(return_address - 4, 4))
    return bool(word & 0xFFFF_FC1F == 0xD63F_0000 or word & 0xFEFF_F800 == 0xD63F_0800)


AARCH64 = Arch(
    name="aarch64",
    kernel_name="aarch64",
    machine=183,
    calls=_CALLS,
    address_bits=48,
    registers=_REGISTERS,
    unwinding=Unwinding(
        stack_pointer=31,
        frame_pointer=29,
        return_address=30,
        in_register=True,
        callee_saved=tuple(range(19, 30)),
        address_mask=_STRIPPED,
        red_zone=0,
    ),
    sampling=Sampling(
        call=241,
        registers=(1 << 33) - 1,  # x0 to x30, sp, pc
        dwarf=(*range(32), None),
        program_counter=32,
    ),
    signal_frame=SignalFrame(
        info_at=0,
        registers_at=128 + 184,  # behind siginfo_t; offsetof(ucontext_t, uc_mcontext.regs)
        registers=(*_GENERAL, "sp", "pc", "cpsr"),
        trap_at=None,  # a record of its own, behind the registers
    ),
    core=CoreFile(status_size=392, registers_at=112, info_size=136),
    glibc=Glibc(
        thread_id=0xD0,
        # No thread points to itself, but an empty list of robust mutexes does, at both ends; a
        # thread that has such a mutex is not recognised.
        selves=((0xD8, 0xE0), (0xE0, 0xE0)),
        alignment=0x10,
        descriptor_size=0x740,
        below_thread_pointer=0x740,
        mutex_size=48,
        condition_size=48,
    ),
    musl=Musl(previous=8, next=16, thread_id=32, detach_state=40),
    makes_call=b"\x01\x00\x00\xd4",  # svc #0
    call_target=_call_target,
    calls_to=_calls_to,
    jumps=_jumps,
    calls_register=_calls_register,
)

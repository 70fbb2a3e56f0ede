"""x86-64: System V ABI, AMD64 supplement; the kernel's asm/unistd_64.h; sys/user.h."""

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
    0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 6: "lstat", 7: "poll",
    16: "ioctl", 17: "pread64", 18: "pwrite64", 19: "readv", 20: "writev", 21: "access", 22: "pipe",
    23: "select", 26: "msync", 34: "pause", 35: "nanosleep", 40: "sendfile", 42: "connect",
    43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg", 47: "recvmsg", 56: "clone",
    57: "fork", 58: "vfork", 59: "execve", 61: "wait4", 65: "semop", 69: "msgsnd", 70: "msgrcv",
    72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync", 76: "truncate", 77: "ftruncate",
    82: "rename", 83: "mkdir", 84: "rmdir", 87: "unlink", 89: "readlink", 101: "ptrace",
    128: "rt_sigtimedwait", 130: "rt_sigsuspend", 137: "statfs", 162: "sync", 202: "futex",
    208: "io_getevents", 217: "getdents64", 219: "restart_syscall", 220: "semtimedop",
    230: "clock_nanosleep", 231: "exit_group", 232: "epoll_wait", 242: "mq_timedsend",
    243: "mq_timedreceive", 247: "waitid", 257: "openat", 258: "mkdirat", 262: "newfstatat",
    263: "unlinkat", 264: "renameat", 267: "readlinkat", 269: "faccessat", 270: "pselect6",
    271: "ppoll", 275: "splice", 276: "tee", 277: "sync_file_range", 278: "vmsplice",
    281: "epoll_pwait", 288: "accept4", 295: "preadv", 296: "pwritev", 299: "recvmmsg",
    306: "syncfs", 307: "sendmmsg", 316: "renameat2", 318: "getrandom", 326: "copy_file_range",
    327: "preadv2", 328: "pwritev2", 332: "statx", 333: "io_pgetevents", 426: "io_uring_enter",
    435: "clone3", 437: "openat2", 439: "faccessat2", 441: "epoll_pwait2", 449: "futex_waitv",
    455: "futex_wait",
}  # fmt: skip
_NAMES = tuple(
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
    "fs_base gs_base ds es fs gs".split()
)
_DWARF = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
"""Figure 3.36."""
_REGISTERS = Registers(
    names=_NAMES,
    dwarf={name: number for number, name in enumerate(_DWARF)},
    program_counter="rip",
    stack_pointer="rsp",
    frame_pointer="rbp",
    call="orig_rax",
    keeps_call=True,
    result="rax",
    arguments=tuple("rdi rsi rdx r10 r8 r9".split()),
    parameters=("rdi", "rsi"),
    general=tuple("rbx rax rcx rdx rsi rdi r15 r14 r13 r12 r11 r10 r9 r8".split()),
    thread_pointer="fs_base",
    flags="eflags",
    flag_bits={0: "CF", 2: "PF", 4: "AF", 6: "ZF", 7: "SF", 8: "TF", 9: "IF", 10: "DF", 11: "OF"},
    fixed={"cs": 0x33, "ss": 0x2B, "eflags": 0x246},
    lost_in_calls=frozenset("rax rcx rdx rsi rdi r8 r9 r10 r11".split()),  # 3.2.1
    in_crash=tuple("rip rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()),
    shown=tuple(
        "rip rsp rbp rax rbx rcx rdx rsi rdi r8 r9 r10 r11 r12 r13 r14 r15 eflags fs_base "
        "gs_base".split()
    ),
)


def _call_target(code: Code, return_address: int) -> int | None:
    before = code.read(return_address - 6, 6)
    displacement = struct.unpack("<i", before[2:])[0]
    if before[1] == 0xE8:  # call rel32
        return _through_plt(code, return_address + displacement)
    if before[:2] == b"\xff\x15":  # call [rip + displacement]
        return _through_plt(code, code.u64(return_address + displacement))
    return None


def _through_plt(code: Code, target: int) -> int:
    """Where a linkage stub jumps to: ``[endbr64] [bnd] jmp [rip + displacement]``."""
    for _ in range(2):
        stub = code.read(target, 16)
        skip = 4 if stub.startswith(b"\xf3\x0f\x1e\xfa") else 0
        skip += stub[skip : skip + 1] == b"\xf2"
        if stub[skip : skip + 2] != b"\xff\x25":
            break
        displacement = struct.unpack_from("<i", stub, skip + 2)[0]
        target = code.u64(target + skip + 6 + displacement)
    return target


def _jumps(code: bytes, start: int) -> list[int]:
    """``jmp rel32`` and ``jmp rel8``, wherever their first byte stands: instructions are not told
    apart."""
    found = []
    for at, byte in enumerate(code[:-1]):
        if byte == 0xEB:
            found.append(start + at + 2 + struct.unpack_from("<b", code, at + 1)[0])
        elif byte == 0xE9 and at + 5 <= len(code):
            found.append(start + at + 5 + struct.unpack_from("<i", code, at + 1)[0])
    return found


def _calls_register(code: Code, return_address: int) -> bool:
    """``call rax`` to ``call r15``."""
    before = code.read(return_address - 2, 2)
    return before[0] == 0xFF and before[1] & 0xF8 == 0xD0


X86_64 = Arch(
    name="x86-64",
    kernel_name="x86_64",
    machine=62,
    calls=_CALLS,
    address_bits=47,
    registers=_REGISTERS,
    unwinding=Unwinding(
        stack_pointer=7,
        frame_pointer=6,
        return_address=16,
        in_register=False,
        callee_saved=(3, 6, 12, 13, 14, 15),  # rbx, rbp, r12 to r15
        address_mask=(1 << 64) - 1,
        red_zone=128,  # 3.2.2
    ),
    sampling=Sampling(
        call=298,
        registers=0xFF0FFF,  # ax bx cx dx si di bp sp ip flags cs ss, r8 to r15
        dwarf=(0, 3, 2, 1, 4, 5, 6, 7, None, None, None, None, 8, 9, 10, 11, 12, 13, 14, 15),
        program_counter=8,
    ),
    signal_frame=SignalFrame(
        info_at=304,  # behind sizeof(struct ucontext)
        registers_at=40,  # offsetof(ucontext_t, uc_mcontext)
        registers=tuple(
            "r8 r9 r10 r11 r12 r13 r14 r15 rdi rsi rbp rbx rdx rax rcx rsp rip eflags".split()
        ),
        trap_at=40 + 8 * 19,  # gregs[REG_ERR], REG_TRAPNO, REG_OLDMASK, REG_CR2
    ),
    core=CoreFile(status_size=336, registers_at=112, info_size=136),
    glibc=Glibc(
        thread_id=0x2D0,
        selves=((0, 0), (16, 0)),  # tcbhead_t: tcb, self
        alignment=0x40,
        descriptor_size=0x900,
        below_thread_pointer=0,
        mutex_size=40,
        condition_size=48,
    ),
    musl=Musl(previous=16, next=24, thread_id=48, detach_state=56),
    makes_call=b"\x0f\x05",
    call_target=_call_target,
    calls_to=lambda _code, _start, _function: [],
    jumps=_jumps,
    calls_register=_calls_register,
)

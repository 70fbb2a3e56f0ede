"""The rule that files which a target names are opened through the door alone.

Each call that opens, lists or asks about a file by its name is either in the door, or names a file
of the kernel's with literal words, or stands below with the reason why its name is nobody else's.
"""

import ast
import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("backends", "hangtui", "tui")
DOOR = "backends/door/"

METHODS = frozenset(
    "open read_text read_bytes iterdir glob rglob stat lstat exists is_file is_dir is_symlink "
    "is_fifo is_socket is_mount readlink samefile".split()
)
"""Of pathlib.Path; whatever they are called on counts."""
FUNCTIONS = METHODS | frozenset(
    "listdir scandir walk fwalk iglob statvfs access lexists isfile isdir islink ismount getsize "
    "getmtime getatime getctime realpath open_code getxattr listxattr copyfile copy "
    "copy2 copytree disk_usage".split()
)
"""Of these modules."""
MODULES = frozenset("os os.path posix posixpath io pathlib glob shutil mmap gzip bz2 lzma".split())
VIEWS = frozenset(
    "maps mem status stat syscall comm cmdline auxv mountinfo pagemap limits task cgroup fd "
    "schedstat wchan fdinfo statm smaps children ns/mnt ns/ipc ns/pid uid_map".split()
)
"""Files and folders of a process that only the kernel writes; not root, cwd, exe, map_files."""

ALLOWED: dict[str, dict[str, int]] = {
    "a file of the kernel's with a fixed name": {
        "backends/permission/access.py:yama_scope": 1,
        "backends/precedence.py:_has_autogroups": 1,
        "backends/precedence.py:is_crowded": 1,
        "backends/precedence.py:favour_session": 1,
        "backends/doctor/checks.py:core": 1,
        "backends/gpu/nvml.py:_answer": 1,
    },
    "the kernel's own file system in memory, of which only names and numbers are asked": {
        "backends/ipc/mapped_files.py:_linked": 2,
    },
    "text of a link or the list of a process's descriptors, which asks no file": {
        "backends/ipc/descriptors.py:Descriptors.open_in": 2,
        "backends/ipc/descriptors.py:Descriptors.names": 2,
        "backends/process/open_files.py:used_up": 2,
        "backends/process/context.py:_devices": 1,
        "backends/ipc/descriptors.py:Descriptors.link": 1,
        "backends/ptrace/freezer/interruptible.py:Look._reads_again": 1,
        "backends/minicore/sysroot.py:walls_for": 1,
        "backends/procfs/files.py:link": 1,
        "backends/procfs/files.py:numbers": 1,
    },
    "files of a process with literal names, below a folder made from its number": {
        "backends/monitor/corewriter.py:_info": 2,
        "backends/permission/credentials.py:read": 1,
        "backends/process/discovery.py:_maps_python": 1,
        "backends/ptrace/freezer/interruptible.py:Look.__init__": 1,
        "backends/procfs/files.py:_is_all_there": 1,
        "backends/procfs/files.py:text": 1,
    },
    "files of the kernel's below /sys/fs/cgroup; the group has no '..'": {
        "backends/process/cgroup.py:MemoryGroup.kills": 1,
        "backends/process/cgroup.py:_number": 1,
        "backends/process/cgroup.py:group_of": 2,
    },
    "what engines leave about ourselves, under fixed names": {
        "backends/process/container.py:_read": 1,
        "backends/process/container.py:place": 1,
    },
    "the core file that the caller named": {
        "backends/capture/core_collector.py:_capture": 1,
    },
    "the log that the caller named": {
        "backends/crashlog/__init__.py:read_log": 1,
    },
    "tables that come with hangtui": {
        "hangtui/cli/completion.py:run": 1,
        "backends/cpython/libraries/__init__.py:libraries": 2,
        "backends/cpython/bytecode.py:Bytecode.__init__": 1,
        "backends/cpython/layouts.py:load": 1,
        "backends/cpython/extension_calls.py:_libraries": 1,
        "backends/cpython/named_semaphores.py:_words": 1,
        "hangtui/cli/demo.py:_copy": 2,
    },
    "a file that the caller wants written": {
        "hangtui/cli/run.py:_folder": 2,
        "hangtui/cli/metrics.py:Metrics._write": 1,
        "hangtui/cli/watch.py:_metrics_file": 1,
        "hangtui/testing/board.py:Board.__init__": 2,
        "hangtui/testing/plugin.py:Watch._command": 1,
        "hangtui/testing/plugin.py:Watch._found": 1,
        "hangtui/testing/plugin.py:_permit": 1,
        "hangtui/testing/watcher.py:Watcher._look": 1,
        "hangtui/testing/watcher.py:started_since": 1,
        "hangtui/private_file.py:_in_folder": 1,
        "hangtui/private_file.py:_look": 1,
        "hangtui/private_file.py:_nameless": 1,
        "hangtui/private_file.py:_clear": 2,
        "hangtui/private_folder.py:_is_proc": 1,
        "hangtui/private_folder.py:opened_folder": 6,
        "hangtui/private_file.py:_stream": 1,
        "hangtui/private_file.py:_to_write": 1,
        "hangtui/private_file.py:make_folder": 1,
        "tui/user_files.py:_free_stem": 1,
    },
    "our own temporary files": {
        "hangtui/cli/demo.py:_crash": 1,
        "backends/debugger/copy.py:Examined._open": 1,
        "backends/debugger/sysroot.py:_opened": 1,
        "backends/gdb/files.py:GdbFiles._copy": 1,
        "backends/gdb/files.py:GdbFiles.alias": 1,
        "backends/gdb/files.py:GdbFiles.give_debug": 1,
        "backends/tools/broom.py:Broom.__exit__": 1,
        "backends/tools/scratch.py:_clear": 1,
        "backends/tools/scratch.py:_locked": 2,
        "backends/tools/scratch.py:_nameless": 1,
        "backends/tools/scratch.py:_unlinked": 1,
        "backends/tools/scratch.py:_writable": 1,
        "backends/tools/scratch.py:clear": 1,
        "backends/tools/sweep.py:_empty": 3,
        "backends/tools/sweep.py:remove": 1,
    },
    "memory of ours, no file by its name": {
        "backends/ptrace/freezer/client.py:freeze": 1,
        "backends/unwind/perf.py:_Event.__init__": 1,
        "backends/supervision/supervisor.py:Reader.__init__": 1,
        "backends/gdb/tame_elf.py:tame": 1,
    },
    "no file: a widget or a debugger": {
        "tui/machine/app.py:MachineApp.action_filter": 1,
        "tui/app.py:HangtuiApp.action_filter": 1,
        "tui/debugger/session_manager.py:Desk.debugger": 1,
        "tui/debugger/pane.py:Panel.ask": 1,
        "tui/debugger/view.py:DebuggingView._fill": 1,
    },
    "what the caller named on the command line, or our own settings": {
        "backends/gather/errands.py:_run": 1,
        "hangtui/cli/gather.py:_carried": 1,
        "hangtui/cli/catching.py:Keeper._discard_oldest": 1,
        "hangtui/cli/catching.py:_is_own": 1,
        "hangtui/cli/given.py:opened": 1,
        "hangtui/cli/targets.py:_is_file": 1,
        "hangtui/cli/watch.py:run": 1,
        "hangtui/given_file.py:open_regular": 1,
        "hangtui/given_file.py:reopened": 1,
        "tui/keymap.py:load_keymap": 1,
    },
    "asked by a deputy, which may be left waiting": {
        "backends/ipc/deputy.py:_status": 1,
    },
    "a pipe or a descriptor by its number, no name": {
        "backends/ipc/deputy.py:_serve": 1,
    },
    "folders of ours that a debugger may read": {
        "backends/gdb/landlock.py:_allow_path": 2,
    },
    "programs on our own search path": {
        "backends/tools/programs.py:_is_safe": 1,
    },
    "who may write to a file: asks only for facts, of the name of one that is open": {
        "backends/gdb/trusted.py:is_ours": 3,
    },
}
"""By reason: how many such calls a function has."""


@dataclass(frozen=True)
class Call:
    """A call that takes a file by its name."""

    where: str
    """``module:function``"""
    line: int
    text: str


class _Finder(ast.NodeVisitor):
    def __init__(self, module: str) -> None:
        self._module = module
        self._scope: list[str] = []
        self.found: list[Call] = []

    def _enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self._scope.append(node.name)
        self.generic_visit(node)
        self._scope.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _enter  # noqa: N815

    def _add(self, node: ast.expr | ast.stmt) -> None:
        where = f"{self._module}:{'.'.join(self._scope) or '<module>'}"
        self.found.append(Call(where, node.lineno, ast.unparse(node)))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        # Imported by name it could be called anything here.
        if node.module in MODULES and any(one.name in {*FUNCTIONS, "*"} for one in node.names):
            self._add(node)

    def visit_Name(self, node: ast.Name) -> None:
        # Also where it is not called: handed on, it opens elsewhere.
        if node.id == "open" and isinstance(node.ctx, ast.Load):
            self._add(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in FUNCTIONS:  # METHODS are among them
            owner = ast.unparse(node.value)
            if owner in MODULES or (owner.endswith("Path") and node.attr in METHODS):
                self._add(node)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _names_a_view(node):
            for part in (*node.args[1:], *(word.value for word in node.keywords)):
                self.visit(part)
            return
        function = node.func
        if _is(function, "mmap", "mmap"):
            self._add(node)
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            self._add(node)
            self.visit(function.value)
            for part in (*node.args, *(word.value for word in node.keywords)):
                self.visit(part)
            return
        self.generic_visit(node)


def _names_a_view(node: ast.Call) -> bool:
    """Whether the file is one of the kernel's about a process, by literal words."""
    function = node.func
    if node.args and _is(node.args[0], "os", "devnull"):
        return True
    if isinstance(function, ast.Name) and function.id == "open" and node.args:
        return _is_view(_spelled(node.args[0]))
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr not in FUNCTIONS:
        return False
    if ast.unparse(function.value) in MODULES:
        return bool(node.args) and _is_view(_spelled(node.args[0]))
    if function.attr not in METHODS:
        return False
    receiver = function.value
    if isinstance(receiver, ast.Call) and ast.unparse(receiver.func) == "Path":
        return len(receiver.args) == 1 and _is_view(_spelled(receiver.args[0]))
    return _is_view(_divided(receiver))


def _is(node: ast.expr, module: str, name: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == module
    )


def _spelled(node: ast.expr) -> str | None:
    """A string, or an f-string with ``{}`` for each value but ``PROC``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else _value(part) for part in node.values
    )


def _value(node: ast.expr) -> str:
    return "/proc" if ast.unparse(node) in ("{PROC}", "f'{PROC}'") else "{}"


def _divided(node: ast.expr) -> str | None:
    """``PROC / str(pid) / "maps"`` in the same way."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        before, after = _divided(node.left), _spelled(node.right) or "{}"
        return None if before is None else f"{before}/{after}"
    return "/proc" if ast.unparse(node) == "PROC" else None


def _is_view(path: str | None) -> bool:
    """``/proc/{}``, ``/proc/{}/maps``, ``/proc/{}/task/{}/stat``, ``/proc/self/ns/mnt``."""
    words = (path or "").split("/")
    if words[:2] != ["", "proc"] or len(words) < 3 or words[2] not in ("{}", "self"):
        return False
    rest = words[3:]
    if rest[:2] == ["task", "{}"]:
        rest = rest[2:]
    return not rest or "/".join(rest) in VIEWS


def calls_in(module: str, source: str) -> list[Call]:
    """The calls in a module's text that need a reason."""
    finder = _Finder(module)
    finder.visit(ast.parse(source))
    return finder.found


@functools.cache
def _all_calls() -> tuple[Call, ...]:
    return tuple(_calls_everywhere())


def _calls_everywhere() -> Iterator[Call]:
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*.py")):
            module = str(path.relative_to(ROOT))
            inside_links = any(parent.is_symlink() for parent in path.parents if parent != ROOT)
            if not module.startswith(DOOR) and not inside_links:
                yield from calls_in(module, path.read_text())


def test_files_that_others_name_are_opened_through_the_door_alone() -> None:
    allowed = {where: count for group in ALLOWED.values() for where, count in group.items()}
    found = _all_calls()
    counts = Counter(call.where for call in found)
    wrong = [call for call in found if counts[call.where] > allowed.get(call.where, 0)]
    advice = "open it with hangtui.backends.door.Root, or give the reason in ALLOWED why nobody"
    advice += " else chooses its name"
    assert not wrong, "\n".join([*(f"{c.where}, line {c.line}: {c.text}" for c in wrong), advice])
    stale = {where for where, count in allowed.items() if counts[where] < count}
    assert not stale, f"ALLOWED names calls that are gone: {sorted(stale)}"


@pytest.mark.parametrize(
    "line",
    [
        "open(path)",
        "files = map(open, paths)",
        "os.open(path, os.O_RDONLY)",
        "Path(path).open('rb')",
        "path.read_bytes()",
        "Path(f'/proc/{pid}/root{path}').read_text()",
        "os.open(f'/proc/{pid}/cwd/x', 0)",
        "Path(f'/proc/{pid}/exe').open('rb')",
        "(PROC / str(pid) / 'root' / path).exists()",
        "open(f'/proc/{pid}/map_files/{name}')",
        "Path(f'/proc/{pid}/{name}').read_text()",
        "Path(f'{root}/{pid}/maps').read_text()",
        "os.listdir(folder)",
        "[Path(root, name).is_file() for name in names]",
        "io.open(path)",
        "shutil.copyfile(path, ours)",
        "from os import open as start",
        "mmap.mmap(descriptor, 0)",
        "read = Path.read_bytes",
        "os.path.exists(path)",
    ],
)
def test_what_a_newcomer_writes_is_found(line: str) -> None:
    calls = calls_in("backends/new.py", f"def read(pid, path):\n    {line}\n")
    assert [call.where for call in calls] == ["backends/new.py:read"]


@pytest.mark.parametrize(
    "line",
    [
        "Path(f'/proc/{pid}/maps').read_text()",
        "os.open(f'/proc/{pid}/mem', os.O_RDONLY)",
        "open(f'/proc/{pid}/task/{tid}/stat', 'rb')",
        "(PROC / str(pid) / 'comm').read_text()",
        "Path(f'{PROC}/{pid}/task/{tid}/syscall').read_text()",
        "Path(f'/proc/{pid}').exists()",
        "root.open_file(path)",
        "memory.open_mapped(first)",
    ],
)
def test_what_needs_no_reason(line: str) -> None:
    assert calls_in("backends/new.py", f"def read(pid, path):\n    {line}\n") == []


def test_one_call_more_in_an_allowed_function_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    more = Call("backends/procfs/files.py:text", 1, "open(path)")
    found = [*_all_calls(), more]
    monkeypatch.setattr("tests.unit.test_door_rule._all_calls", lambda: found)
    with pytest.raises(AssertionError, match=r"procfs/files\.py:text"):
        test_files_that_others_name_are_opened_through_the_door_alone()

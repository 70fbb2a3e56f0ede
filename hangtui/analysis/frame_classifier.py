"""Which native frames belong to the interpreter and the C runtime, and which to somebody's code."""

import re

from hangtui.model import NativeFrame, Thread

_ASKING = ("libnccl.", "librccl.")
_SPINNING = ("shm_cc_ops::", "ray::experimental::MutableObjectManager::ReadAcquire")
"""Functions in which workers of vLLM on processors wait for each other at shared memory, and where
Ray waits for what an actor of a compiled graph is to write there."""
_EVAL = "_PyEval_EvalFrameDefault"

_RUNTIME_MODULE = re.compile(
    r"""
    (lib)?python[23](\.\d+)*[a-z]*(-[\w.-]+)? (\.so[\d.]*)?   # the interpreter itself
    | python
    | (libc|libpthread|libdl|librt|libm|libutil|libgcc_s|libstdc\+\+|libffi)[-.][\w.-]*
    | ld(-linux[\w-]*|-musl[\w-]*|-[\d.]+)?\.so[\d.]*
    | \[\w+\]
    """,
    re.VERBOSE,
)

# Exact names first, then families: what stands between two Python frames, below the first one and
# above a thread's start. What a thread *does* (take_gil, PyThread_acquire_lock_timed) is not here.
_BETWEEN = re.compile(
    r"""
    _?PyEval_(Vector|EvalFrame|EvalFrameEx|EvalCode|EvalCodeEx|EvalCodeWithName|CallFunction\w*)
    | _?PyFunction_(Vectorcall|FastCall\w*) | function_code_fastcall | fast_function
    | _?PyObject_(Call|CallFunction|CallMethod|CallNoArg|CallOneArg|CallObject)\w*
    | _?PyObject_(FastCall|Vectorcall|VectorcallTstate|MakeTpCall|Call_Prepend)\w*
    | _?PyVectorcall_\w+ | PyCFunction_Call\w* | _PyCFunction_\w+ | _PyMethodDef_\w+
    | cfunction_\w+ | method_(vectorcall|call)\w* | methoddescr_\w+ | wrapperdescr_\w+
    | wrapper_call | bound_method_\w+ | call_(function|method|unbound|maybe)\w* | do_call\w*
    | vectorcall_\w+ | object_(vacall|isinstance) | callmethod | type_call | slot_tp_\w+
    | slot_(nb|sq|mp|am|bf)_\w+ | partial_(call|vectorcall)\w* | wrap_\w+ | context_run
    | gen_(send_ex2?|iternext|send|close|throw)\w* | _TAIL_CALL_\w+ | _PyEval_SendFrame
    | builtin_(exec|eval|__import__|__build_class__)\w* | import_(name|find_and_load)
    | PyImport_Import\w* | run_(mod|eval_code_obj|eval_code|pyc_file)
    | _?PyRun_\w+ | pymain_\w+ | Py_RunMain | Py_BytesMain | Py_Main
    | t_bootstrap | thread_run | pythread_wrapper | bootstrap
    | start_thread | __?clone3? | clone3? | __libc_start_\w+ | _start
    """,
    re.VERBOSE,
)


_CYTHON_PLAIN = "__pyx_f_"
_CYTHON = ("__pyx_pw_", "__pyx_pf_", _CYTHON_PLAIN)
"""How names of functions begin that Cython has made; those of C functions have no number."""
_CYTHON_PART = re.compile(r"[1-9][0-9]*(?=[A-Za-z_])")


def base_name(frame: NativeFrame) -> str:
    """The function's name without the suffixes that compilers add (``.cold``, ``.lto_priv.0``)."""
    name = (frame.function or "").partition("@")[0]
    return name if name.startswith(".") else name.partition(".")[0]


def short_name(frame: NativeFrame) -> str:
    """The function's name without C++ arguments and template arguments: ``bus::deliver``; Rust's
    ``<bus::Line as Send>::deliver::<u8>`` is ``bus::Line::deliver``."""
    name = (frame.function or "").partition(" [clone ")[0]
    if name.startswith(_CYTHON):
        return _of_cython(name)
    if not {"(", "<"} & set(name) or "operator" in name:
        return base_name(frame)
    name = _with_its_type(name.replace("(anonymous namespace)::", ""))
    name = name.replace("::<", "<").replace("->", "")
    depth, kept = 0, []
    for char in name:
        depth -= char in ")>"
        if depth == 0 and char not in ")>(<":
            kept.append(char)
        depth += char in "(<"
    words = "".join(kept).removesuffix(" const").split()
    return words[-1] if words else base_name(frame)


def _of_cython(name: str) -> str:
    """``mpi4py.MPI.Comm.gather`` of ``__pyx_pw_6mpi4py_3MPI_4Comm_283gather``: each part with its
    length, the last of a method with its number."""
    numbered = not name.startswith(_CYTHON_PLAIN)
    rest = name.partition("(")[0].removeprefix("__pyx_").partition("_")[2]
    parts = []
    while found := _CYTHON_PART.match(rest):
        length, start = int(found[0]), found.end()
        after = rest[start + length :]
        if not after.startswith("_") or (numbered and not after[1:2].isdigit()):
            break
        parts.append(rest[start : start + length])
        rest = after[1:]
    return ".".join([*parts, rest.lstrip("0123456789") if numbered else rest])


def _with_its_type(name: str) -> str:
    """A name of Rust that begins with the type in angle brackets, without these."""
    depth = end = 0
    for index, char in enumerate(name if name.startswith("<") else ""):
        depth += char == "<"
        depth -= char == ">" and name[index - 1] != "-"
        if depth == 1 and not end and name.startswith(" as ", index):
            end = index
        if depth == 0:
            return name[1 : end or index] + name[index + 1 :]
    return name


def asks_peers(thread: Thread) -> bool:
    """Whether it is in a library that waits for other processes by asking for them again and
    again, below Python's innermost frame: NCCL does so while it connects its ranks, and in threads
    of its own; vLLM's workers that share memory do so in each collective operation, and Ray where
    it reads what an actor of a compiled graph writes."""
    for frame in thread.native_stack or ():
        if eval_frame(frame):
            return False
        function = frame.function or ""
        if module_name(frame).startswith(_ASKING) or any(one in function for one in _SPINNING):
            return True
    return False


def module_name(frame: NativeFrame) -> str:
    """The file name of the frame's module, or nothing."""
    return (frame.module or "").rpartition("/")[2]


def eval_frame(frame: NativeFrame) -> bool:
    """Whether this C frame runs Python frames."""
    return frame.evaluates or base_name(frame) == _EVAL


def interpreter_frame(frame: NativeFrame) -> bool:
    """Whether this is CPython's machinery between frames, which a reader wants folded."""
    name = base_name(frame)
    if name == "main":
        return runtime_module(frame)
    return _BETWEEN.fullmatch(name) is not None


def runtime_module(frame: NativeFrame) -> bool:
    """Whether the frame's module is CPython, libc or another part of the runtime."""
    path = frame.module or ""
    return "/lib-dynload/" in path or _RUNTIME_MODULE.fullmatch(module_name(frame)) is not None


def foreign_frame(frame: NativeFrame) -> bool:
    """Whether the frame is neither CPython's nor the C runtime's: an extension, a driver."""
    if frame.module is None or runtime_module(frame):
        return False
    # A program that embeds a static CPython is the module of both; there the names decide.
    name = base_name(frame)
    return not (name.startswith(("Py", "_Py")) or interpreter_frame(frame) or name == "take_gil")

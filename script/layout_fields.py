"""Run inside gdb by measure-layout: prints the offsets of the fields that the reader needs."""

import json
import os
import sys

import gdb

FIELDS = {
    "object": ("PyObject", "ob_type"),
    "var": ("PyVarObject", "ob_size"),
    "module": ("PyModuleObject", "md_dict"),
    "list": ("PyListObject", "ob_item"),
    "set": ("PySetObject", "mask table"),
    "weakref": ("PyWeakReference", "wr_object"),
    "deque": ("dequeobject", "leftblock leftindex"),
    "dequeblock": ("block BLOCK", "data rightlink"),
    "memberdescr": ("PyMemberDescrObject", "d_member"),
    "runtime": ("_PyRuntimeState", "interpreters.head ceval.gil gc"),
    "interp": (
        "PyInterpreterState",
        (
            "id next tstate_head=threads.head threads.head ceval.gil gc modules "
            "imports.modules=modules asyncio_tasks_head stoptheworld"
        ),
    ),
    "tstate": (
        "PyThreadState",
        "next interp thread_id native_thread_id frame cframe current_frame state exc_info",
    ),
    "stoptheworld": (
        "struct _stoptheworld_state",
        "requested world_stopped requester",
    ),
    "tstate_impl": (
        "_PyThreadStateImpl",
        "asyncio_running_loop asyncio_running_task asyncio_tasks_head",
    ),
    "cframe": ("_PyCFrame CFrame", "current_frame"),
    "gil": (
        "struct _gil_runtime_state",
        "enabled interval last_holder locked switch_number cond mutex switch_cond switch_mutex",
    ),
    "gc": ("struct _gc_runtime_state", "collecting"),
    "frameobj": (
        "PyFrameObject",
        (
            "f_back f_code f_lasti f_valuestack f_iblock f_blockstack f_localsplus f_globals "
            "f_stacktop f_stackdepth f_state"
        ),
    ),
    "iframe": (
        "_PyInterpreterFrame InterpreterFrame",
        (
            "f_code=f_executable f_executable previous prev_instr=instr_ptr instr_ptr is_entry "
            "owner localsplus f_globals stacktop stackpointer"
        ),
    ),
    "code": (
        "PyCodeObject",
        (
            "co_filename co_name co_qualname co_firstlineno co_linetable co_lnotab co_code "
            "co_code_adaptive co_consts co_flags co_exceptiontable co_stacksize co_nlocals "
            "co_nlocalsplus co_varnames co_cellvars co_freevars co_localsplusnames co_names "
            "_co_monitoring"
        ),
    ),
    "monitoring": ("_PyCoMonitoringData", "lines per_instruction_opcodes"),
    "ascii": ("PyASCIIObject", "length state"),
    "compact": ("PyCompactUnicodeObject", ""),
    "bytes": ("PyBytesObject", "ob_base.ob_size=ob_size ob_sval"),
    "tuple": ("PyTupleObject", "ob_item"),
    "long": (
        "struct _longobject",
        "ob_digit long_value.lv_tag=lv_tag long_value.ob_digit=ob_digit",
    ),
    "type": ("PyTypeObject", "tp_name tp_basicsize tp_flags tp_dict tp_dictoffset tp_mro"),
    "heaptype": ("PyHeapTypeObject", "ht_cached_keys"),
    "dict": ("PyDictObject", "ma_keys ma_values"),
    "dictkeys": (
        "struct _dictkeysobject",
        "dk_size dk_log2_size dk_log2_index_bytes dk_kind dk_nentries dk_indices",
    ),
    "dictentry": ("PyDictKeyEntry", ""),
    "dictvalues": ("struct _dictvalues", "values"),
    "cell": ("PyCellObject", "ob_ref"),
    "method": ("PyMethodObject", "im_func im_self"),
    "cfunc": ("PyCFunctionObject", "m_self"),
    "func": ("PyFunctionObject", "func_code func_globals func_name func_closure"),
    "excitem": ("_PyErr_StackItem", "exc_value previous_item"),
    "gen": ("PyGenObject", "gi_frame gi_iframe gi_frame_state gi_running gi_exc_state"),
    "lock": ("lockobject", "lock_lock locked"),
    "rlock": ("rlockobject", "rlock_owner rlock_count"),
    "threadhandle": ("ThreadHandle", "thread_is_exiting"),
    "thandleobj": ("PyThreadHandleObject", "handle"),
    "wait_entry": ("struct wait_entry", "addr sema"),
}
ASYNCIO_FIELDS = {
    "future": ("FutureObj", "fut_loop fut_callback0 fut_callbacks fut_state"),
    "task": ("TaskObj", "task_fut_waiter task_coro task_name task_node task_num_cancels_requested"),
}
"""Of the module _asyncio, which is a file of its own where it is not built in."""
STATES = "FRAME_CREATED FRAME_SUSPENDED FRAME_SUSPENDED_YIELD_FROM FRAME_EXECUTING"
"""Values of the enumeration of a generator's frame states (3.10 on)."""
DEBUG_OFFSETS = {
    "pyobject": "ob_type=object.ob_type size=object.sizeof",
    "runtime_state": "interpreters_head=runtime.interpreters.head",
    "interpreter_state": "id=interp.id next=interp.next gc=interp.gc "
    "threads_head=interp.threads.head "
    "imports_modules=interp.modules ceval_gil=interp.ceval.gil gil_runtime_state=interp.own_gil "
    "gil_runtime_state_locked=interp.own_gil.locked "
    "gil_runtime_state_holder=interp.own_gil.last_holder",
    "thread_state": "next=tstate.next interp=tstate.interp current_frame=tstate.current_frame "
    "thread_id=tstate.thread_id native_thread_id=tstate.native_thread_id",
    "interpreter_frame": "previous=iframe.previous executable=iframe.f_executable "
    "instr_ptr=iframe.instr_ptr localsplus=iframe.localsplus owner=iframe.owner "
    "stackpointer=iframe.stackpointer",
    "code_object": "filename=code.co_filename name=code.co_name qualname=code.co_qualname "
    "linetable=code.co_linetable firstlineno=code.co_firstlineno "
    "localsplusnames=code.co_localsplusnames co_code_adaptive=code.co_code_adaptive",
    "type_object": "tp_name=type.tp_name tp_flags=type.tp_flags",
    "tuple_object": "ob_item=tuple.ob_item",
    "dict_object": "ma_keys=dict.ma_keys ma_values=dict.ma_values",
    "long_object": "lv_tag=long.lv_tag ob_digit=long.ob_digit",
    "bytes_object": "ob_sval=bytes.ob_sval",
    "unicode_object": "state=ascii.state length=ascii.length asciiobject_size=ascii.sizeof",
    "gc": "collecting=gc.collecting",
    "gen_object": "gi_iframe=gen.gi_iframe gi_frame_state=gen.gi_frame_state",
}
SIZES = set("ascii compact dictentry future gil lock object rlock task threadhandle var".split())
SIZES.add("stoptheworld")
TEXT_BITS = "kind ascii"
"""Parts of the word that says how a str is stored."""


def number(expression):
    """The value of a C expression, or None where this version has no such thing."""
    try:
        return int(gdb.parse_and_eval(expression))
    except gdb.error:
        return None


def complete_type(names):
    """The first of these types that the debug information describes."""
    for name in names.replace("struct ", "struct~").split():
        kind = name.replace("~", " ")
        if number(f"(long)sizeof({kind})"):
            return kind
    return None


def measure(groups):
    """Offsets by ``struct.field``."""
    offsets = {}
    for group, (types, fields) in groups.items():
        kind = complete_type(types)
        if kind is None:
            continue
        if group in SIZES:
            offsets[group + ".sizeof"] = number(f"(long)sizeof({kind})")
        for field in fields.split():
            path, _, name = field.partition("=")
            at = number(f"(long)&(({kind}*)0)->{path}")
            if at is not None:
                offsets[f"{group}.{name or path}"] = at
    return offsets


def measure_debug_offsets():
    """Where in struct _Py_DebugOffsets the process itself says a field's offset."""
    places = {}
    for group, fields in DEBUG_OFFSETS.items():
        for field in fields.split():
            path, _, name = field.partition("=")
            at = number(f"(long)&((struct _Py_DebugOffsets*)0)->{group}.{path}")
            if at is not None:
                places[name] = at
    return places


def measure_text_bits():
    """By how many bits parts of a str's ``state`` are shifted."""
    state = gdb.lookup_type("PyASCIIObject")["state"].type
    return {f"ascii.{name}_shift": state[name].bitpos for name in TEXT_BITS.split()}


def measure_states():
    """The frame states that this version has."""
    states = {name: number(f"(long){name}") for name in STATES.split()}
    return {f"state.{name}": value for name, value in states.items() if value is not None}


head = json.loads(os.environ["LAYOUT_HEAD"])
offsets = measure(FIELDS) | measure_states() | measure_text_bits()
debug_offsets = measure_debug_offsets()
if os.environ.get("ASYNCIO_IMAGE"):
    gdb.execute(f"file {os.environ['ASYNCIO_IMAGE']}")
offsets |= measure(ASYNCIO_FIELDS)
layout = {
    "measured_on": head["measured_on"],
    "offsets": dict(sorted(offsets.items())),
    "opcodes": head["opcodes"],
    "debug_offsets": dict(sorted(debug_offsets.items())),
}
json.dump(layout, sys.stdout, indent=1)
print()

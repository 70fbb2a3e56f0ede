"""NVIDIA's driver through ctypes alone: what these programs need of it."""

import ctypes

KEEPING = ctypes.PyDLL("libcuda.so.1")
"""Called with the GIL held, as a C extension that does not release it calls."""
RELEASING = ctypes.CDLL("libcuda.so.1")
"""Called without the GIL, as PyTorch calls."""
HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
SPIN = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 flag)
{
    .reg .pred %p;
    .reg .u32 %r;
    .reg .u64 %a;
    ld.param.u64 %a, [flag];
    cvta.to.global.u64 %a, %a;
again:
    ld.volatile.global.u32 %r, [%a];
    setp.eq.u32 %p, %r, 0;
    @%p bra again;
    ret;
}
\0"""
"""A kernel that ends when the word at its argument is no longer zero."""


def checked(name, *arguments, library=RELEASING):
    """A call of the driver; raises OSError with its number unless it succeeds."""
    result = getattr(library, name)(*arguments)
    if result:
        raise OSError("%s: CUDA error %d" % (name, result))


def context():
    """Make the first GPU this thread's."""
    device, made = ctypes.c_int(), ctypes.c_void_p()
    checked("cuInit", 0)
    checked("cuDeviceGet", ctypes.byref(device), 0)
    checked("cuDevicePrimaryCtxRetain", ctypes.byref(made), device)
    checked("cuCtxSetCurrent", made)
    return made


def stream():
    """One that does not wait for the default one."""
    made = ctypes.c_void_p()
    checked("cuStreamCreate", ctypes.byref(made), 1)
    return made


def zero():
    """The device's address of a word that is zero, and stays so."""
    made = ctypes.c_void_p()
    checked("cuMemAlloc_v2", ctypes.byref(made), ctypes.c_size_t(4096))
    checked("cuMemsetD32_v2", made, 0, ctypes.c_size_t(1024))
    checked("cuCtxSynchronize")
    return made


def kernel():
    """SPIN, loaded."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    checked("cuModuleLoadData", ctypes.byref(module), SPIN)
    checked("cuModuleGetFunction", ctypes.byref(function), module, b"spin")
    return function


def launch(function, argument, on):
    """One thread of it."""
    one = (ctypes.c_void_p * 1)(ctypes.addressof(argument))
    checked("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, on, one, None)

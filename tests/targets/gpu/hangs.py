"""Programs that hang on a GPU: CASE. Lines with a mark are where they stand."""

import ctypes
import os
import sys
import threading
import time

import driver

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ready import ready


def endless_kernel():
    """A kernel waits for a word that nobody writes."""
    driver.context()
    on, word = driver.stream(), driver.zero()
    driver.launch(driver.kernel(), word, on)
    ready()
    driver.checked("cuStreamSynchronize", on)  # main


def unwritten_value():
    """The stream waits for a value; no code runs on the GPU meanwhile."""
    driver.context()
    on, word = driver.stream(), driver.zero()
    driver.checked("cuStreamWaitValue32_v2", on, word, 1, 0)
    ready()
    driver.checked("cuStreamSynchronize", on)  # main


def callback_needs_gil():
    """The stream has to call back into Python, and who waits for the stream keeps the GIL."""
    driver.context()
    on = driver.stream()

    def loss_logged(_data):
        print("logged")  # callback

    called = driver.HOST_FUNCTION(loss_logged)
    ready()
    sys.setswitchinterval(60)  # nobody gets the GIL from here on
    driver.checked("cuLaunchHostFunc", on, called, None, library=driver.KEEPING)
    driver.checked("cuStreamSynchronize", on, library=driver.KEEPING)  # main


def callback_needs_lock():
    """The stream calls back into Python, for a lock that is held by who waits for the stream."""
    driver.context()
    on, lock = driver.stream(), threading.Lock()

    def loss_logged(_data):
        with lock:  # callback
            print("logged")

    called = driver.HOST_FUNCTION(loss_logged)
    with lock:
        driver.checked("cuLaunchHostFunc", on, called, None)
        ready()
        driver.checked("cuStreamSynchronize", on)  # main


def called_back(calls, inside, go):
    """A thread that *calls* into the driver until that has called Python: *inside* is set then, and
    *go* lets the callback on."""
    worker = threading.Thread(target=calls, name="worker")
    worker.start()
    if not inside.wait(5):
        print("never called", flush=True)
        os._exit(3)
    go.value = 1
    time.sleep(0.1)
    ready()
    return worker


def log_callback():
    """The driver reports an error to a callback under its lock, which the main thread waits for."""
    made, handle = driver.context(), ctypes.c_void_p()
    inside, go = threading.Event(), ctypes.c_int()
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)

    def reported(_data, _level, _text, _length):
        inside.set()
        while not go.value:
            time.sleep(0.001)
        time.sleep(2)
        print("reported")  # callback

    called = kind(reported)
    driver.checked("cuLogsRegisterCallback", called, None, ctypes.byref(handle))

    def provoke():
        driver.checked("cuCtxSetCurrent", made)
        where = ctypes.c_void_p()
        driver.RELEASING.cuMemcpyDtoH_v2(ctypes.byref(where), ctypes.c_void_p(8), 8)
        driver.RELEASING.cuLaunchKernel(None, 0, 0, 0, 0, 0, 0, 0, None, None, None)

    called_back(provoke, inside, go)
    driver.checked("cuLogsUnregisterCallback", handle, library=driver.KEEPING)  # main


def occupancy_callback():
    """The driver asks Python for a size, in a call that may hold the context's lock."""
    made = driver.context()
    function = driver.kernel()
    inside, go = threading.Event(), ctypes.c_int()
    kind = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int)

    def size_for(_threads):
        inside.set()
        while not go.value:
            time.sleep(0.001)
        time.sleep(2)
        return 0  # callback

    called = kind(size_for)

    def ask():
        driver.checked("cuCtxSetCurrent", made)
        least, most = ctypes.c_int(), ctypes.c_int()
        driver.checked(
            "cuOccupancyMaxPotentialBlockSize",
            ctypes.byref(least),
            ctypes.byref(most),
            function,
            called,
            ctypes.c_size_t(0),
            0,
        )

    worker = called_back(ask, inside, go)
    module = ctypes.c_void_p()
    for name in ("cuCtxSynchronize", "cuMemAlloc_v2", "cuModuleLoadData"):
        arguments = {
            "cuCtxSynchronize": (),
            "cuMemAlloc_v2": (ctypes.byref(module), ctypes.c_size_t(1 << 20)),
            "cuModuleLoadData": (ctypes.byref(module), driver.SPIN),
        }[name]
        driver.checked(name, *arguments, library=driver.KEEPING)  # main
    print("went on", flush=True)
    worker.join()


def torch_sleeps():
    """Training whose kernel does not end; the line is that of .item()."""
    import torch

    model = torch.nn.Linear(512, 512, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step():
        loss = model(torch.ones(64, 512, device="cuda")).sum()
        loss.backward()
        optimizer.step()
        return loss

    print(step().item())
    threading.Timer(2, ready).start()
    torch.cuda._sleep(1 << 60)
    print(step().item())  # main


def loader_under_lock():
    """A loader with pinned memory, whose workers wait for a file that the main process locks."""
    import fcntl
    import tempfile

    import torch
    from torch.utils.data import DataLoader, Dataset

    held = tempfile.NamedTemporaryFile()
    fcntl.flock(held, fcntl.LOCK_EX)

    class Images(Dataset):
        def __len__(self):
            return 64

        def __getitem__(self, index):
            with open(held.name) as cache:
                fcntl.flock(cache, fcntl.LOCK_SH)  # worker
            return torch.ones(3, 8, 8)

    torch.ones(1, device="cuda").item()
    loader = DataLoader(Images(), batch_size=4, num_workers=2, pin_memory=True)
    batches = iter(loader)
    threading.Timer(1, ready).start()
    for batch in batches:  # main
        batch.cuda(non_blocking=True)


def trains():
    """Healthy: matrices are multiplied all the time."""
    import torch

    one = torch.rand(4096, 4096, device="cuda")
    told = False
    while True:
        total = (one @ one).sum().item()
        if not told and total:
            told = True
            ready()


def trains_model():
    """Healthy: a model is trained, and its loss is read after each step."""
    import torch

    model = torch.nn.Sequential(*(torch.nn.Linear(4096, 4096) for _ in range(8))).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    told = False
    while True:
        loss = model(torch.rand(4096, 4096, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() and not told:
            told = True
            ready()


def serves():
    """Healthy: a model server without a request."""
    import queue

    import torch

    model = torch.nn.Linear(512, 512, device="cuda")
    model(torch.ones(1, 512, device="cuda")).sum().item()
    requests = queue.Queue()

    def work():
        while True:
            model(requests.get()).sum().item()

    threading.Thread(target=work, name="model", daemon=True).start()
    ready()
    threading.Event().wait()


def callback_released():
    """Healthy twin: the stream is waited for without the GIL, again and again."""
    driver.context()
    on = driver.stream()

    def loss_logged(_data):
        time.sleep(0.001)

    called = driver.HOST_FUNCTION(loss_logged)
    ready()
    while True:
        driver.checked("cuLaunchHostFunc", on, called, None)
        driver.checked("cuStreamSynchronize", on)


globals()[sys.argv[1]]()

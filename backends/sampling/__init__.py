"""Native stacks of threads that run, without a stop: the kernel samples them as it goes.

A timer that counts a thread's processor time interrupts it as any timer does, and the kernel puts
its registers and the top of its stack aside (perf_event_open(2)). That is unwound here.
"""

from hangtui.backends.sampling.events import Sample, SamplingError, sample_threads
from hangtui.backends.sampling.overlay import SampledMemory

__all__ = ["Sample", "SampledMemory", "SamplingError", "sample_threads"]

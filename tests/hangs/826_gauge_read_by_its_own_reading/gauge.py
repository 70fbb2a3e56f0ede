import cffi

ffi = cffi.FFI()
ffi.cdef(
    """
typedef struct { char room[56]; } pthread_rwlock_t;
typedef struct { char room[8]; } pthread_rwlockattr_t;
int pthread_rwlockattr_init(pthread_rwlockattr_t *);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
int pthread_rwlock_init(pthread_rwlock_t *, pthread_rwlockattr_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
"""
)
native = ffi.dlopen(None)
PREFER_WRITERS = 2


class Gauge:
    def __init__(self):
        self.level = 3
        self.gate = ffi.new("pthread_rwlock_t *")
        kind = ffi.new("pthread_rwlockattr_t *")
        native.pthread_rwlockattr_init(kind)
        native.pthread_rwlockattr_setkind_np(kind, PREFER_WRITERS)
        native.pthread_rwlock_init(self.gate, kind)

    def read_level(self):
        native.pthread_rwlock_rdlock(self.gate)
        try:
            return self.level
        finally:
            native.pthread_rwlock_unlock(self.gate)

    def set_level(self, level):
        native.pthread_rwlock_wrlock(self.gate)
        self.level = level
        native.pthread_rwlock_unlock(self.gate)

    def report(self, pause):
        native.pthread_rwlock_rdlock(self.gate)
        try:
            pause()
            return f"level {self.read_level()}"
        finally:
            native.pthread_rwlock_unlock(self.gate)

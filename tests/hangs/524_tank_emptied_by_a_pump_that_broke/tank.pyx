# cython: language_level=3
from libc.stdlib cimport malloc, free

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_mutex_t:
        pass
    ctypedef struct pthread_cond_t:
        pass
    int pthread_mutex_init(pthread_mutex_t *, void *)
    int pthread_cond_init(pthread_cond_t *, void *)
    int pthread_mutex_lock(pthread_mutex_t *)
    int pthread_mutex_unlock(pthread_mutex_t *)
    int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *)
    int pthread_cond_broadcast(pthread_cond_t *)


cdef class Tank:
    cdef pthread_mutex_t mutex
    cdef pthread_cond_t filled
    cdef long litres

    def __cinit__(self):
        pthread_mutex_init(&self.mutex, NULL)
        pthread_cond_init(&self.filled, NULL)
        self.litres = 0

    def fill(self, long litres):
        with nogil:
            pthread_mutex_lock(&self.mutex)
            self.litres += litres
            pthread_cond_broadcast(&self.filled)
            pthread_mutex_unlock(&self.mutex)

    def take(self, long litres):
        with nogil:
            pthread_mutex_lock(&self.mutex)
            while self.litres < litres:
                pthread_cond_wait(&self.filled, &self.mutex)
            self.litres -= litres
            pthread_mutex_unlock(&self.mutex)
        return litres

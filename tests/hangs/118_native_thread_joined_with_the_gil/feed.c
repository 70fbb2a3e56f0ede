/* Calls a Python function from a thread of its own, and once more when it is stopped. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>
#include <unistd.h>

static pthread_t feeder;
static volatile int running;
static PyObject *listener;

static void tell(const char *event)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = PyObject_CallFunction(listener, "s", event);
    Py_XDECREF(result);
    PyGILState_Release(state);
}

static void *feed_events(void *unused)
{
    while (running) {
        usleep(100000);
        tell("price");
    }
    tell("closed");
    return unused;
}

static PyObject *start(PyObject *module, PyObject *function)
{
    listener = Py_NewRef(function);
    running = 1;
    pthread_create(&feeder, NULL, feed_events, NULL);
    Py_RETURN_NONE;
}

static PyObject *stop(PyObject *module, PyObject *unused)
{
    running = 0;
#ifdef ALLOW_THREADS
    Py_BEGIN_ALLOW_THREADS
    pthread_join(feeder, NULL);
    Py_END_ALLOW_THREADS
#else
    pthread_join(feeder, NULL);
#endif
    Py_CLEAR(listener);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"start", start, METH_O, NULL},
    {"stop", stop, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef feed = {PyModuleDef_HEAD_INIT, "feed", NULL, -1, methods};

PyMODINIT_FUNC PyInit_feed(void)
{
    return PyModule_Create(&feed);
}

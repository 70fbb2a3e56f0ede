#include <pybind11/gil_safe_call_once.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

static py::dict load_catalogue(const py::object &reader) {
    return reader().cast<py::dict>();
}

static py::dict &catalogue(const py::object &reader) {
#ifdef SAFE
    static py::gil_safe_call_once_and_store<py::dict> entries;
    return entries.call_once_and_store_result([&] { return load_catalogue(reader); }).get_stored();
#else
    static py::dict entries = load_catalogue(reader);
    return entries;
#endif
}

PYBIND11_MODULE(catalogue, m) {
    m.def("price", [](const py::object &reader, const std::string &name) {
        return catalogue(reader)[py::str(name)].cast<int>();
    });
}

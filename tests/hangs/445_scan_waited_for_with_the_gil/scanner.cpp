#include <condition_variable>
#include <mutex>
#include <thread>

#include <nanobind/nanobind.h>

namespace nb = nanobind;

class Scanner {
public:
    void scan(nb::callable on_page, int pages) {
        done_ = false;
        on_page_ = on_page;
        worker_ = std::thread([this, pages] {
            for (int page = 0; page < pages; page++) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                nb::gil_scoped_acquire gil;
                on_page_(page);
            }
            std::lock_guard<std::mutex> lock(mutex_);
            done_ = true;
            finished_.notify_all();
        });
    }

    void wait() {
#ifdef RELEASE
        nb::gil_scoped_release release;
#endif
        {
            std::unique_lock<std::mutex> lock(mutex_);
            finished_.wait(lock, [this] { return done_; });
        }
        worker_.join();
    }

private:
    bool done_ = true;
    nb::callable on_page_;
    std::mutex mutex_;
    std::condition_variable finished_;
    std::thread worker_;
};

NB_MODULE(scanner, m) {
    nb::class_<Scanner>(m, "Scanner")
        .def(nb::init<>())
        .def("scan", &Scanner::scan)
        .def("wait", &Scanner::wait);
}

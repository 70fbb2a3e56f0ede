// Stacks of C++: templates, inlined functions, lambdas, virtual calls, callbacks of the library.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#define KEEP __attribute__((noinline, noclone))

static std::mutex first;
static std::condition_variable never;

namespace bus {

template <typename Key, typename Value> struct Router {
    std::map<Key, Value> routes;
    template <typename Visitor> KEEP void each(Visitor visit)
    {
        for (auto &[key, value] : routes)
            visit(key, value);
    }
};

struct Device {
    virtual ~Device() = default;
    virtual int open(const std::string &name, std::vector<std::pair<int, std::string>> options) = 0;
};

inline int wait_here(std::unique_lock<std::mutex> &lock)
{
    never.wait(lock);
    return 1;
}

struct Slow final : Device {
    KEEP int open(const std::string &, std::vector<std::pair<int, std::string>>) override
    {
        std::mutex own;
        std::unique_lock<std::mutex> lock(own);
        return wait_here(lock);
    }
};

}  // namespace bus

KEEP static void route(std::unique_ptr<bus::Device> device)
{
    bus::Router<std::string, std::function<int(int)>> router;
    router.routes["a"] = [&](int number) { return device->open("x", {{number, "y"}}); };
    router.each([](const std::string &key, std::function<int(int)> &go) { go(int(key.size())); });
}

KEEP static void sort()
{
    std::vector<std::string> words{"b", "a", "c"};
    std::sort(words.begin(), words.end(), [](const std::string &one, const std::string &other) {
        std::lock_guard<std::mutex> guard(first);
        return one < other;
    });
}

int main()
{
    alarm(600);
    first.lock();
    std::thread one(route, std::make_unique<bus::Slow>());
    std::thread two(sort);
    std::puts("ready");
    std::fflush(stdout);
    one.join();
}

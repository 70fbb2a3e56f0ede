#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

class Mailbox {
  public:
    void put(std::string letter) {
        std::lock_guard<std::mutex> guard(lock);
        letters.push_back(letter);
        filled.notify_one();
    }

    std::string take() {
        std::unique_lock<std::mutex> guard(lock);
        while (letters.empty())
            filled.wait(guard);
        std::string letter = letters.front();
        letters.pop_front();
        return letter;
    }

  private:
    std::mutex lock;
    std::condition_variable filled;
    std::deque<std::string> letters;
};

// SPDX-License-Identifier: MIT
#include "backends/vulkan/relay.hpp"

#include <exception>
#include <system_error>
#include <utility>

#include "engine/support/error.hpp"
#include "engine/support/messages.hpp"

namespace splitscope::vulkan {

Relay::~Relay() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

std::uint64_t Relay::add(std::function<void()> task) {
    const std::scoped_lock lock(mutex_);
    try {
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
        throw Error(ErrorKind::limit, msg::kCannotStartThread, "Vulkan", msg::kClosePrograms);
    }
    tasks_.push_back(std::move(task));
    changed_.notify_all();
    return ++added_;
}

void Relay::wait_for(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    raised_.wait(lock, [this, number] { return done_ >= number; });
}

Message Relay::take_failure() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(failure_, {});
}

void Relay::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        Message problem;
        try {
            task();
        } catch (const Error& error) {
            problem = error.message();
        } catch (const std::exception& error) {
            problem = Message::verbatim(error.what());
        }
        task = nullptr;
        lock.lock();
        if (failure_.empty()) failure_ = std::move(problem);
        raise_(++done_);
        raised_.notify_all();
    }
}

}  // namespace splitscope::vulkan

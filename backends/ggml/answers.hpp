// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace splitscope::ggml {

/// What a device says about a node.
struct Answer {
    bool computes = false;
    bool takes_over = false;  ///< although its weights are the host's
};

/// What an engine has answered, by everything that the question consists of. It outlives the engine's
/// process.
class Answers {
 public:
    std::optional<Answer> find(const std::string& question) const {
        const std::scoped_lock lock(mutex_);
        const auto found = known_.find(question);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(std::string question, Answer answer) {
        const std::scoped_lock lock(mutex_);
        if (known_.size() >= kMost) known_.clear();
        known_.emplace(std::move(question), answer);
    }

 private:
    /// About 100 MiB.
    static constexpr std::size_t kMost = 200'000;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Answer> known_;
};

}  // namespace splitscope::ggml

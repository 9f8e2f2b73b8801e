// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace splitscope::ggml {

/// A device's answer about a node.
struct Answer {
    bool computes = false;
    bool takes_over = false;  ///< op offload, with weights in host memory
};

/// Cache of an engine's answers, keyed by the complete query. Outlives the engine's process.
class Answers {
 public:
    std::optional<Answer> find(const std::string& question) const {
        const std::scoped_lock lock(mutex_);
        const auto found = known_.find(question);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(std::string question, Answer answer) {
        const std::scoped_lock lock(mutex_);
        if (known_.size() >= kMax) known_.clear();
        known_.emplace(std::move(question), answer);
    }

 private:
    /// About 100 MiB.
    static constexpr std::size_t kMax = 200'000;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Answer> known_;
};

}  // namespace splitscope::ggml

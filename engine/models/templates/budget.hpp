// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/support/job.hpp"

namespace splitscope::templates {

/// Time and memory that one rendering may take. Work and texts are counted before they are done or made, so
/// that no template exhausts either. Throws Failure above a limit, and Cancelled if the job is stopped.
class Budget {
 public:
    explicit Budget(JobContext job) : job_(std::move(job)) {}

    void count_steps(std::size_t steps);
    /// Bytes of created values.
    void count_bytes(std::size_t bytes);
    /// Reading a text of this size, without creating one.
    void count_scan(std::size_t bytes) { count_steps(bytes / kBytesPerStep); }
    void append(std::string& text, std::string_view part) {
        count_bytes(part.size());
        text += part;
    }

 private:
    /// Decoding this much takes about as long as evaluating an expression.
    static constexpr std::size_t kBytesPerStep = 256;
    static constexpr std::size_t kStepsPerPoll = 4096;

    JobContext job_;
    std::size_t bytes_ = 0;
    std::size_t steps_ = 0;
    std::size_t polled_ = 0;  ///< step of the last stop check
};

}  // namespace splitscope::templates

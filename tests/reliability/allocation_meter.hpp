// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace splitscope::testing {

/// Counts what the program of this test has from operator new, and makes it fail on request.
class AllocationMeter {
 public:
    /// Highest number of bytes held at once since the construction, beyond what was held then.
    AllocationMeter();
    std::size_t peak() const;

 private:
    std::size_t start_;
};

/// While it lives, the `number`-th allocation of this thread from now on fails, and so do those after it when
/// memory is out for good.
class FailingAllocations {
 public:
    enum class Lasting : bool { once, for_good };
    FailingAllocations(std::size_t number, Lasting lasting);
    ~FailingAllocations();
    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    /// An allocation failed.
    static bool happened();
};

}  // namespace splitscope::testing

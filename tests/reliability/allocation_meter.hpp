// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace splitscope::testing {

/// Counts operator new in this test program, and makes it fail on request.
class AllocationMeter {
 public:
    /// Peak of bytes held since the construction, relative to the start.
    AllocationMeter();
    std::size_t peak() const;

 private:
    std::size_t start_;
};

/// During its lifetime the `number`-th allocation of this thread fails; with `for_good` also all later ones.
class FailingAllocations {
 public:
    enum class Lasting : bool { once, for_good };
    FailingAllocations(std::size_t number, Lasting lasting);
    ~FailingAllocations();
    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    /// Whether an allocation failed.
    static bool happened();
};

}  // namespace splitscope::testing

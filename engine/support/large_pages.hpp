// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace splitscope {

/// Requests huge pages (2 MiB) for the part of a memory range that whole ones can cover. Reduces page faults
/// and TLB misses, but unused parts of a page occupy memory too. No effect on systems without huge pages.
void ask_for_large_pages(void* memory, std::size_t size);

/// reserve(), with huge pages for vectors large enough to benefit.
template <class T>
void reserve_large(std::vector<T>& vector, std::size_t count) {
    constexpr std::size_t kWorthIt = std::size_t{4} << 20;
    vector.reserve(count);
    if (count * sizeof(T) >= kWorthIt) ask_for_large_pages(vector.data(), count * sizeof(T));
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace splitscope {

/// Requests pages of 2 MiB for the whole ones within a range of memory. They make first accesses and address
/// translation cheaper, but unused parts of a page occupy memory too. No effect on systems without such
/// pages.
void ask_for_large_pages(void* memory, std::size_t size);

/// As reserve(), with large pages for vectors in which they pay off.
template <class T>
void reserve_large(std::vector<T>& vector, std::size_t count) {
    constexpr std::size_t kWorthIt = std::size_t{4} << 20;
    vector.reserve(count);
    if (count * sizeof(T) >= kWorthIt) ask_for_large_pages(vector.data(), count * sizeof(T));
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace splitscope {

/// Asks for pages of 2 MiB where memory has whole ones. A first access then costs less, and addresses are
/// translated faster, but parts of a page that are not used take memory too. Without such pages, nothing
/// changes.
void ask_for_large_pages(void* memory, std::size_t size);

/// As reserve(), with large pages for vectors in which they pay off.
template <class T>
void reserve_large(std::vector<T>& vector, std::size_t count) {
    constexpr std::size_t kWorthIt = std::size_t{4} << 20;
    vector.reserve(count);
    if (count * sizeof(T) >= kWorthIt) ask_for_large_pages(vector.data(), count * sizeof(T));
}

}  // namespace splitscope

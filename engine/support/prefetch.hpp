// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace splitscope {

/// Prefetches an object that will be read soon. Large graphs exceed the caches, and their access pattern is
/// not predictable by hardware.
template <class T>
void prefetch(const T& object) {
    constexpr std::size_t kLine = 64;
    const char* bytes = reinterpret_cast<const char*>(&object);
    for (std::size_t i = 0; i < sizeof(T); i += kLine) __builtin_prefetch(bytes + i);
}

/// Number of loop iterations to prefetch ahead.
inline constexpr std::size_t kPrefetchAhead = 6;

}  // namespace splitscope

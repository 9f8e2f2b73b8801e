// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace splitscope {

/// Asks for the memory of an object that will be read soon. Large graphs do not fit the caches, and their
/// tensors are read in an order the processor does not foresee.
template <class T>
void prefetch(const T& object) {
    constexpr std::size_t kLine = 64;
    const char* bytes = reinterpret_cast<const char*>(&object);
    for (std::size_t i = 0; i < sizeof(T); i += kLine) __builtin_prefetch(bytes + i);
}

/// How many steps of a loop before an object is needed it should be asked for.
inline constexpr std::size_t kPrefetchAhead = 6;

}  // namespace splitscope

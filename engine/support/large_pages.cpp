// SPDX-License-Identifier: MIT
#include "engine/support/large_pages.hpp"

#include <memory>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace splitscope {

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#ifdef __linux__
    constexpr std::size_t kPage = std::size_t{2} << 20;
    if (std::align(kPage, kPage, memory, size) != nullptr)
        ::madvise(memory, size / kPage * kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace splitscope

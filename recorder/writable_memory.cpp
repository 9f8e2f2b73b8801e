// SPDX-License-Identifier: MIT
#include "recorder/writable_memory.hpp"

#include <cinttypes>
#include <cstdio>
#include <memory>

namespace splitscope::recorder {

bool is_writable(std::uintptr_t address, std::size_t size) {
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> maps(std::fopen("/proc/self/maps", "re"), close);
    if (!maps) return false;
    // Mappings are sorted by address.
    std::uintptr_t reached = address;
    char line[512];
    bool line_starts = true;
    while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
        char may_write = '-';
        const bool read =
            line_starts && std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*c%c", &from, &to, &may_write) == 3;
        line_starts = false;
        for (const char c : line) {
            if (c == '\0') break;
            line_starts = c == '\n';
        }
        if (!read || to <= reached) continue;
        if (from > reached || may_write != 'w') return false;
        reached = to;
        if (reached - address >= size) return true;
    }
    return false;
}

}  // namespace splitscope::recorder

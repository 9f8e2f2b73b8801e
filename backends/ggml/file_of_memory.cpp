// SPDX-License-Identifier: MIT
#include "backends/ggml/file_of_memory.hpp"

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace splitscope::ggml {
namespace {

/// One line of /proc/self/maps.
struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    std::uint64_t inode = 0;
    std::string file;
};

std::optional<Mapping> mapping_in(const std::string& line) {
    Mapping m;
    int at = 0;
    const int found =
        std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64 " %*x:%*x %" SCNu64 " %n", &m.begin,
                    &m.end, &m.offset, &m.inode, &at);
    if (found < 4 || at <= 0 || static_cast<std::size_t>(at) > line.size()) return std::nullopt;
    m.file = line.substr(static_cast<std::size_t>(at));
    return m;
}

}  // namespace

std::optional<FilePlace> file_of_memory(std::span<const std::byte> memory) {
    const auto begin = std::bit_cast<std::uintptr_t>(memory.data());
    const std::uint64_t end = begin + memory.size();
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (memory.empty() || begin % page != 0) return std::nullopt;
    std::ifstream list("/proc/self/maps");
    for (std::string line; std::getline(list, line);) {
        const auto m = mapping_in(line);
        if (!m || begin < m->begin || end > m->end) continue;
        struct stat facts {};
        if (m->inode == 0 || !m->file.starts_with('/') || ::stat(m->file.c_str(), &facts) != 0 ||
            facts.st_ino != m->inode)
            return std::nullopt;
        return FilePlace{m->file, m->offset + (begin - m->begin)};
    }
    return std::nullopt;
}

}  // namespace splitscope::ggml

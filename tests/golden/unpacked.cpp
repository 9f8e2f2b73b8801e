// SPDX-License-Identifier: MIT
#include "tests/golden/unpacked.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

namespace splitscope::golden {

std::string unpacked(const std::filesystem::path& path) {
    const std::string command = fmt::format("xz -dc '{}'", path.string());
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    if (!pipe) throw std::runtime_error(fmt::format("{}: cannot be unpacked", path.string()));
    std::string text;
    std::array<char, 65536> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
        text.append(part.data(), n);
    return text;
}

}  // namespace splitscope::golden

// SPDX-License-Identifier: MIT
// rewrite_spirv MODULE NUMBERS: writes the rewritten module as numbers for #include.
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

#include "backends/vulkan/spirv/rewrite.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: rewrite_spirv MODULE NUMBERS\n", stderr);
        return 2;
    }
    try {
        std::ifstream in(argv[1], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
        std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
        std::ofstream out(argv[2]);
        for (const std::uint32_t word : splitscope::vulkan::with_khr_matrices(words)) out << word << "u,\n";
        if (!out.flush()) throw std::ios_base::failure(std::string("cannot write ") + argv[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
        return 1;
    }
    return 0;
}

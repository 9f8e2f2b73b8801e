// SPDX-License-Identifier: MIT
#include "backends/ggml/check_library.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include <elf.h>
#include <fmt/format.h>

#include "backends/ggml/engine_folder.hpp"
#include "backends/ggml/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::ggml {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr Elf64_Half kOwnProcessor = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kOwnProcessor = EM_AARCH64;
#else
constexpr Elf64_Half kOwnProcessor = EM_NONE;  // not known: the loader decides
#endif

std::string processor_name(Elf64_Half machine) {
    struct Row {
        Elf64_Half machine;
        const char* name;
    };
    constexpr std::array kNames = {
        Row{EM_X86_64, "x86-64"}, Row{EM_AARCH64, "AArch64"}, Row{EM_386, "x86"},   Row{EM_ARM, "ARM"},
        Row{EM_RISCV, "RISC-V"},  Row{EM_PPC64, "POWER"},     Row{EM_S390, "IBM Z"}};
    const auto* const found = std::ranges::find(kNames, machine, &Row::machine);
    return found == kNames.end() ? fmt::format("processor {}", machine) : found->name;
}

/// A value of the file at `offset`; zeros beyond its end.
template <class T>
T value_at(std::ifstream& file, std::uint64_t offset) {
    T value{};
    std::array<char, sizeof(T)> bytes{};
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), bytes.size());
    if (file) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

/// The size that its program headers imply; the loader reads no section headers.
std::uint64_t least_size(std::ifstream& file, const Elf64_Ehdr& header) {
    std::uint64_t least = sizeof(header);
    const auto need = [&](std::uint64_t offset, std::uint64_t size) {
        // Larger than any file: a damaged header, which the loader refuses.
        constexpr std::uint64_t kMax = std::uint64_t{1} << 62;
        if (offset < kMax && size < kMax) least = std::max(least, offset + size);
    };
    if (header.e_phoff == 0 || header.e_phentsize != sizeof(Elf64_Phdr)) return least;
    need(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr));
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
        const auto segment = value_at<Elf64_Phdr>(file, header.e_phoff + i * sizeof(Elf64_Phdr));
        need(segment.p_offset, segment.p_filesz);
    }
    return least;
}

void check(const fs::path& path, bool must_load) {
    std::ifstream file(path, std::ios::binary);
    const auto header = value_at<Elf64_Ehdr>(file, 0);
    // Other files are refused by the loader.
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
    const std::string name = path.filename().string();
    const bool for_another = kOwnProcessor != EM_NONE && header.e_machine != kOwnProcessor;
    if (for_another && must_load) {
        throw Error(ErrorKind::unsupported,
                    msg::kLibraryOfOtherComputer(name, processor_name(header.e_machine),
                                                 processor_name(kOwnProcessor)),
                    path.parent_path(), msg::kUseBuildForComputer);
    }
    if (for_another || header.e_ident[EI_CLASS] != ELFCLASS64) return;
    std::error_code unknown;
    const std::uint64_t size = fs::file_size(path, unknown);
    const std::uint64_t least = least_size(file, header);
    if (!unknown && size < least) {
        throw Error(ErrorKind::bad_file, msg::kLibraryTruncated(name, size, least), path.parent_path(),
                    msg::kInstallEngineAgain);
    }
}

}  // namespace

void check_libraries(const fs::path& folder) {
    const auto main = engine_library(folder);
    const auto base = base_library(folder);
    for (const fs::path& library : engine_libraries(folder))
        check(library, library == main || library == base);
}

}  // namespace splitscope::ggml

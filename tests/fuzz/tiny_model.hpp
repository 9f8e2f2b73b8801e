// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitscope::fuzz {

inline constexpr std::array<std::string_view, 11> kArchitectures = {
    "llama", "qwen2", "qwen3", "qwen3moe", "gemma2", "gemma3", "phi3", "gpt2", "gpt-oss", "mamba", "bert"};

/// The description of a model of one small layer, to be changed and written as a GGUF file.
struct TinyModel {
    struct Weight {
        std::string name;
        std::vector<std::uint64_t> ne;
        std::uint32_t type = 0;
    };

    std::string architecture;
    std::map<std::string, std::uint64_t> numbers;  ///< metadata without the architecture's prefix
    std::vector<Weight> weights;

    std::string file_bytes(bool with_data) const;

    /// Adds or reshapes the weight of a builder's error, at most `most` times. True if a graph could be
    /// built.
    bool complete(std::size_t most);

    /// A complete model of an architecture.
    static TinyModel of(std::string_view architecture);
};

}  // namespace splitscope::fuzz

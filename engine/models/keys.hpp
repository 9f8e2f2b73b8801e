// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/messages/message.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {

struct Architecture;

/// Metadata keys of the file's architecture, without its prefix; those that llama.cpp does not read for it
/// are absent. Values are range-checked before anything is sized by them. Throws Error(bad_file) with the
/// key.
class Keys {
 public:
    explicit Keys(const GgufFile& file);
    /// Keys with another prefix.
    Keys(const GgufFile& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

    bool has(std::string_view key) const { return find(key) != nullptr; }
    bool has_array(std::string_view key) const;
    std::optional<std::uint32_t> number(std::string_view key, std::uint64_t most = kMaxExtent) const;
    std::uint32_t number_or(std::string_view key, std::uint32_t fallback) const {
        return number(key).value_or(fallback);
    }
    /// Required and greater than zero.
    std::uint32_t required(std::string_view key, std::uint64_t most = kMaxExtent) const;
    float decimal(std::string_view key, float fallback) const;
    bool flag(std::string_view key, bool fallback) const;
    std::string text(std::string_view key, std::string_view fallback) const;
    /// One number for all layers, or an array with one per layer; booleans count as 0 and 1.
    std::vector<std::uint32_t> per_layer(std::string_view key, std::uint32_t layers,
                                         const std::vector<std::uint32_t>& fallback) const;
    std::vector<float> decimals_per_layer(std::string_view key, std::uint32_t layers, float fallback) const;
    /// Whether each entry of an array is not zero; false for layers without an entry.
    std::vector<bool> flags(std::string_view key, std::uint32_t layers) const;
    /// The numbers of an array; empty if the key is absent.
    std::vector<std::uint32_t> numbers(std::string_view key) const;

    /// A required array of at least `least` 64-bit numbers.
    std::vector<std::uint64_t> wide_numbers(std::string_view key, std::size_t least) const;

    [[noreturn]] void refuse(std::string_view key, Message problem) const;

 private:
    /// Null if the key is absent or has no effect.
    const GgufValue* find(std::string_view key) const;
    bool reads(std::string_view key) const;

    const GgufFile& file_;
    std::string prefix_;
    const Architecture* architecture_ = nullptr;  ///< null: all keys are read
};

}  // namespace splitscope

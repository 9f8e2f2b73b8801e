// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// The character normalisation of a SentencePiece vocabulary (tokenizer.ggml.precompiled_charsmap):
/// replacements of character sequences, found by their bytes in a compressed double array.
class CharacterMap {
 public:
    /// Replaces nothing if the file has no map. Throws Error(bad_file) if the map is truncated.
    explicit CharacterMap(const GgufFile& file);

    struct Match {
        std::size_t bytes = 0;  ///< of the text
        std::string_view replacement;
    };
    /// The longest sequence that `text` begins with and its replacement. Throws Error(bad_file) if an offset
    /// is outside the map.
    std::optional<Match> longest(std::string_view text) const;

 private:
    std::uint32_t unit(std::size_t index) const;
    [[noreturn]] void refuse() const;

    std::string path_;
    std::vector<std::uint32_t> units_;
    std::string replacements_;  ///< each ends with a zero
};

}  // namespace splitscope

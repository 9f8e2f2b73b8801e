// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/error.hpp"

namespace splitscope {

class GgufFile;

/// Texts that SentencePiece replaces before it cuts, such as letters of full width by usual ones. A file has
/// them as a double array, whose entries are combined by exclusive or (Kanda 2018), and the replacements
/// behind it.
class ReplacedCharacters {
 public:
    /// None if the file has no such table. Throws Error(bad_file) for an inconsistent one.
    explicit ReplacedCharacters(const GgufFile& file);

    struct Replacement {
        std::size_t length = 0;  ///< length of the replaced text; 0 = nothing
        std::string_view text;
    };
    /// Replacement of the longest prefix of the text.
    Replacement at(std::string_view text) const;

 private:
    std::vector<std::uint32_t> entries_;
    std::string replacements_;  ///< each ends with a zero
    ErrorPlace place_;
};

}  // namespace splitscope

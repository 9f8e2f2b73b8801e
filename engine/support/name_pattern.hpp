// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

/// A pattern for names, matched in time proportional to name × pattern: no pattern can make a run wait.
class NamePattern {
 public:
    /// `*` any text, `?` any byte, `[a-z]` and `[!a-z]` one of a set; the whole name has to match.
    static NamePattern glob(std::string_view text);
    /// Regular expressions without back references and assertions: `. [] [^] * + ? {2,5} | ( ) (?: ) ^ $`,
    /// `\d \w \s \D \W \S` and escaped signs; found anywhere in the name. Throws Error(usage) naming the
    /// place of a mistake.
    static NamePattern regex(std::string_view text);

    bool matches(std::string_view name) const;

 private:
    friend class PatternParser;
    enum class Kind : unsigned char { bytes, split, begin, end, match };
    struct State {
        Kind kind = Kind::match;
        std::bitset<256> bytes;  ///< of Kind::bytes
        std::size_t next = 0;
        std::size_t other = 0;  ///< second way of Kind::split
    };

    void follow(std::vector<std::size_t>& states, std::vector<std::size_t>& mark, std::size_t step,
                std::size_t start, bool at_begin, bool at_end) const;

    std::vector<State> states_;
    std::size_t start_ = 0;
    bool anywhere_ = false;
    std::string literal_;  ///< part of every name that matches; most names are told by it alone
};

}  // namespace splitscope

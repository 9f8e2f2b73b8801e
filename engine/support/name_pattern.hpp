// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
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
    /// The same; adds to `steps` how many states were looked at.
    bool matches(std::string_view name, std::uint64_t& steps) const;

    /// States, of which the time per byte of a name and the memory are at most multiples.
    std::size_t size() const { return states_.size(); }

 private:
    friend class PatternParser;
    enum class Kind : unsigned char { bytes, split, begin, end, match };
    struct State {
        Kind kind = Kind::match;
        std::bitset<256> bytes;  ///< of Kind::bytes
        std::size_t next = 0;
        std::size_t other = 0;  ///< second way of Kind::split
    };

    class Run;

    std::vector<State> states_;
    std::size_t start_ = 0;
    bool anywhere_ = false;
    std::string literal_;  ///< part of every name that matches; most names are told by it alone
};

/// How large the patterns of one document may be together: each of many may be small enough.
class PatternBudget {
 public:
    /// Throws Error(usage) where there is no room for it any more.
    void add(const NamePattern& pattern);

 private:
    std::size_t states_ = 0;
};

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace splitscope {

/// A pattern for names, matched by RE2 in time proportional to name × pattern: no pattern can make a run
/// wait. Bytes are compared.
class NamePattern {
 public:
    /// `*` any text, `?` any byte, `[a-z]` and `[!a-z]` one of a set; the whole name has to match.
    static NamePattern glob(std::string_view text);
    /// An ECMAScript expression without back-references and look-ahead, found anywhere in the name as by
    /// std::regex_search. Throws Error(usage) naming the place of a mistake.
    static NamePattern regex(std::string_view text);

    bool matches(std::string_view name) const;
    /// The same; adds to `steps` the most that it may have taken.
    bool matches(std::string_view name, std::uint64_t& steps) const;

    /// Instructions, of which the time per byte of a name and the memory are at most multiples.
    std::size_t size() const { return size_; }

 private:
    enum class Where : unsigned char { whole_name, anywhere };
    NamePattern(std::string_view re2_text, std::string literal, Where where);

    std::shared_ptr<const re2::RE2> compiled_;
    std::size_t size_ = 0;
    std::string literal_;  ///< part of every name that matches; rejects most names without RE2
    Where where_;
};

/// How large the patterns of one document may be together: each of many may be small enough.
class PatternBudget {
 public:
    /// Throws Error(usage) where there is no room for it any more.
    void add(const NamePattern& pattern);

 private:
    std::size_t size_ = 0;
};

}  // namespace splitscope

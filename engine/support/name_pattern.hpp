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

/// A pattern for names, matched bytewise by RE2 in time proportional to name × pattern, so that no pattern
/// can stall a run.
class NamePattern {
 public:
    /// `*` matches any text, `?` any byte, `[a-z]` and `[!a-z]` one of a set. The whole name has to match.
    static NamePattern glob(std::string_view text);
    /// An ECMAScript expression without back-references and look-ahead, searched anywhere in the name as by
    /// std::regex_search. Throws Error(usage) with the position of the mistake.
    static NamePattern regex(std::string_view text);

    bool matches(std::string_view name) const;
    /// As above; adds the maximum number of steps that it may have taken to `steps`.
    bool matches(std::string_view name, std::uint64_t& steps) const;

    /// Number of RE2 instructions; bounds the time per byte of a name, and the memory.
    std::size_t size() const { return size_; }

 private:
    enum class Where : unsigned char { whole_name, anywhere };
    NamePattern(std::string_view re2_text, std::string literal, Where where);

    std::shared_ptr<const re2::RE2> compiled_;
    std::size_t size_ = 0;
    std::string literal_;  ///< contained in every name that matches; rejects most names without RE2
    Where where_;
};

/// Bounds the total size of the patterns of one document, each of which may be small.
class PatternBudget {
 public:
    /// Throws Error(usage) if the total size exceeds the limit.
    void add(const NamePattern& pattern);

 private:
    std::size_t size_ = 0;
};

}  // namespace splitscope

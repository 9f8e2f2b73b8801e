// SPDX-License-Identifier: MIT
#include "engine/models/special_tokens.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace splitscope {
namespace {

/// Hashes of all substrings of one length (Karp and Rabin, 1987).
class RollingHash {
 public:
    explicit RollingHash(std::string_view first) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            value_ = value_ * kBase + code(first[i]);
            if (i > 0) highest_ *= kBase;
        }
    }
    void roll(char out, char in) { value_ = (value_ - code(out) * highest_) * kBase + code(in); }
    std::uint64_t value() const { return value_; }

 private:
    static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;
    static std::uint64_t code(char c) { return static_cast<unsigned char>(c) + std::uint64_t{1}; }

    std::uint64_t value_ = 0;
    std::uint64_t highest_ = 1;
};

/// Tokens of one length, indexed by hash.
class EquallyLongTokens {
 public:
    EquallyLongTokens(const Vocabulary& vocabulary, std::span<const std::int32_t> ids, bool parse_special)
        : vocabulary_(vocabulary) {
        for (const std::int32_t id : ids) {
            if (vocabulary[id].kind != TokenKind::user_defined && !parse_special) continue;
            hashed_.push_back({RollingHash(vocabulary[id].text).value(), id});
            seen_ |= bit(hashed_.back().hash);
        }
        std::ranges::sort(hashed_, {}, [](const Hashed& each) { return std::pair(each.hash, each.id); });
    }
    bool empty() const { return hashed_.empty(); }

    std::optional<std::int32_t> find(std::uint64_t hash, std::string_view text) const {
        // A quick filter, because most texts contain few special tokens.
        if ((seen_ & bit(hash)) == 0) return std::nullopt;
        for (auto it = std::ranges::lower_bound(hashed_, hash, {}, &Hashed::hash);
             it != hashed_.end() && it->hash == hash; ++it) {
            if (vocabulary_[it->id].text == text) return it->id;
        }
        return std::nullopt;
    }

 private:
    struct Hashed {
        std::uint64_t hash;
        std::int32_t id;
    };
    static std::uint64_t bit(std::uint64_t hash) { return std::uint64_t{1} << (hash >> 58); }

    const Vocabulary& vocabulary_;
    std::vector<Hashed> hashed_;
    std::uint64_t seen_ = 0;
};

constexpr std::string_view kAsciiSpaces = " \t\n\v\f\r";

struct Place {
    std::size_t at;
    std::int32_t id;
};

/// Non-overlapping positions of special tokens in a text.
class Places {
 public:
    explicit Places(std::string_view text) : text_(text), taken_(text.size()) {}

    void take(const EquallyLongTokens& tokens, std::size_t length) {
        std::vector<Place> found;
        RollingHash hash(text_.substr(0, length));
        for (std::size_t at = 0;; ++at) {
            if (is_free(at, length)) {
                if (const auto id = tokens.find(hash.value(), text_.substr(at, length)))
                    found.push_back({at, *id});
            }
            if (at + length == text_.size()) break;
            hash.roll(text_[at], text_[at + length]);
        }
        std::ranges::stable_sort(found, {}, &Place::id);
        for (const Place& place : found) {
            if (!is_free(place.at, length)) continue;
            std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(place.at), length, true);
            places_.push_back(place);
        }
    }

    std::vector<Place> from_left_to_right() && {
        std::ranges::sort(places_, {}, &Place::at);
        return std::move(places_);
    }

 private:
    /// Earlier matches are at least as long, so an overlap covers an end of this one.
    bool is_free(std::size_t at, std::size_t length) const { return !taken_[at] && !taken_[at + length - 1]; }

    std::string_view text_;
    std::vector<bool> taken_;
    std::vector<Place> places_;
};

std::vector<Place> special_places(const Vocabulary& vocabulary, std::string_view text, bool parse_special) {
    const auto length_of = [&](std::int32_t id) { return vocabulary[id].text.size(); };
    Places places(text);
    std::span<const std::int32_t> rest = vocabulary.special_tokens();
    while (!rest.empty()) {
        const std::size_t length = length_of(rest.front());
        const auto shorter =
            std::ranges::find_if(rest, [&](std::int32_t id) { return length_of(id) != length; });
        const auto count = static_cast<std::size_t>(shorter - rest.begin());
        if (length <= text.size()) {
            const EquallyLongTokens tokens(vocabulary, rest.first(count), parse_special);
            if (!tokens.empty()) places.take(tokens, length);
        }
        rest = rest.subspan(count);
    }
    return std::move(places).from_left_to_right();
}

}  // namespace

std::vector<TextFragment> cut_at_special_tokens(const Vocabulary& vocabulary, std::string_view text,
                                                bool parse_special) {
    std::vector<TextFragment> fragments;
    std::size_t done = 0;
    bool rstrip = false;
    const auto add_text = [&](std::size_t end, bool lstrip) {
        std::string_view part = text.substr(done, end - done);
        if (rstrip) part.remove_prefix(std::min(part.find_first_not_of(kAsciiSpaces), part.size()));
        if (lstrip) part = part.substr(0, part.find_last_not_of(kAsciiSpaces) + 1);
        if (!part.empty()) fragments.push_back({std::nullopt, part});
    };
    for (const Place& place : special_places(vocabulary, text, parse_special)) {
        const Token& token = vocabulary[place.id];
        add_text(place.at, token.lstrip);
        fragments.push_back({place.id, text.substr(place.at, token.text.size())});
        done = place.at + token.text.size();
        rstrip = token.rstrip;
    }
    add_text(text.size(), false);
    return fragments;
}

}  // namespace splitscope

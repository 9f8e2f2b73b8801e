// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace splitscope {

class Message;
struct Count;

/// An English sentence. `{name}` is a placeholder; `{{` and `}}` are literal braces. Arguments are assigned
/// to placeholders in order of first appearance. `id` is stable and may be used by other programs.
struct MessageText {
    std::string_view id;
    std::string_view text;
    std::string_view one;  ///< for a count of one; empty when the sentence counts nothing
};

/// Returns the next placeholder from `at` on and advances `at` behind it; empty at the end of the text. Calls
/// `malformed` for an unmatched brace.
template <typename Malformed>
constexpr std::optional<std::string_view> next_place(std::string_view text, std::size_t& at,
                                                     Malformed malformed) {
    while (at < text.size()) {
        const char c = text[at++];
        if (c != '{' && c != '}') continue;
        if (at < text.size() && text[at] == c) {
            ++at;
            continue;
        }
        const std::size_t end = text.find('}', at);
        if (c == '}' || end == std::string_view::npos || end == at) {
            malformed();
            continue;
        }
        const std::string_view name = text.substr(at, end - at);
        at = end + 1;
        return name;
    }
    return std::nullopt;
}

namespace detail {

// Not constant expressions: calling one of these stops compilation.
inline void brace_without_place() {}
inline void places_and_arguments_differ() {}
inline void a_plural_needs_one_count() {}
inline void singular_has_other_places() {}
inline void id_is_not_room_dot_name() {}

template <std::size_t Most>
struct Places {
    std::array<std::string_view, Most + 1> names{};
    std::size_t count = 0;

    constexpr bool holds(std::string_view name) const {
        return std::find(names.begin(), names.begin() + count, name) != names.begin() + count;
    }
};

// constexpr: clang 14 does not take a parameter of a consteval function as a constant.
template <std::size_t Most>
constexpr Places<Most> places_of(std::string_view text) {
    Places<Most> places;
    std::size_t at = 0;
    while (const auto name = next_place(text, at, brace_without_place)) {
        if (places.holds(*name)) continue;
        if (places.count == Most) places_and_arguments_differ();
        places.names[places.count++] = *name;
    }
    return places;
}

}  // namespace detail

/// A catalogue row with typed arguments: calling it makes the message. Rows are `inline constexpr` in the
/// messages.hpp of their component; a text that does not match its argument types does not compile.
template <typename... Kinds>
struct Sentence : MessageText {
    static constexpr std::size_t kArguments = sizeof...(Kinds);
    static constexpr std::size_t kCounts = (std::size_t{0} + ... + std::size_t{std::is_same_v<Kinds, Count>});

    consteval Sentence(std::string_view sentence_id, std::string_view english)
        : MessageText{sentence_id, english, {}} {
        check_id();
        if (detail::places_of<kArguments>(english).count != kArguments) detail::places_and_arguments_differ();
        if constexpr (kCounts != 0) detail::a_plural_needs_one_count();
    }
    /// With singular and plural.
    consteval Sentence(std::string_view sentence_id, std::string_view for_one, std::string_view for_many)
        : MessageText{sentence_id, for_many, for_one} {
        check_id();
        const auto places = detail::places_of<kArguments>(for_many);
        if (places.count != kArguments) detail::places_and_arguments_differ();
        if constexpr (kCounts != 1) detail::a_plural_needs_one_count();
        const auto singular = detail::places_of<kArguments>(for_one);
        for (std::size_t i = 0; i < singular.count; ++i) {
            if (!places.holds(singular.names[i])) detail::singular_has_other_places();
        }
    }

    Message operator()(Kinds... values) const;

 private:
    constexpr void check_id() const {
        if (id.find('.') == std::string_view::npos) detail::id_is_not_room_dot_name();
    }
};

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include "engine/messages/render.hpp"

namespace splitscope {

/// Appends `text` as a JSON string; invalid UTF-8 becomes the replacement character.
void append_json_string(std::string& out, std::string_view text);

/// Writes JSON text value by value, without a tree.
///
///     JsonWriter json;
///     json.object([&] {
///         json.member("name", name);
///         json.array("sizes", [&] { for (auto size : sizes) json.value(size); });
///     });
class JsonWriter {
 public:
    enum class Layout : std::uint8_t { one_line, indented };

    explicit JsonWriter(Layout layout = Layout::one_line) : indented_(layout == Layout::indented) {}

    /// Writes an object; `members` writes its members.
    template <std::invocable Members>
    void object(Members&& members) {
        open('{');
        std::forward<Members>(members)();
        close('}');
    }
    template <std::invocable Members>
    void object(std::string_view name, Members&& members) {
        key(name);
        object(std::forward<Members>(members));
    }

    /// Writes an array; `elements` writes its elements.
    template <std::invocable Elements>
    void array(Elements&& elements) {
        open('[');
        std::forward<Elements>(elements)();
        close(']');
    }
    template <std::invocable Elements>
    void array(std::string_view name, Elements&& elements) {
        key(name);
        array(std::forward<Elements>(elements));
    }

    /// Writes an array with an object for each element of `elements`; members(element) writes its members.
    template <std::ranges::range Range, class Members>
    void objects(std::string_view name, const Range& elements, Members&& members) {
        array(name, [&] {
            for (const auto& element : elements) object([&] { members(element); });
        });
    }

    /// The first members of every document; require_format() checks them.
    void format(std::string_view name, std::int64_t version) {
        member("format", name);
        member("version", version);
    }

    /// Writes a string (a message in English), a number (an id as its value), a boolean or null; an empty
    /// optional as null, a range as an array.
    template <class T>
    void value(const T& value) {
        if constexpr (std::same_as<T, bool>) {
            literal(value ? "true" : "false");
        } else if constexpr (std::same_as<T, std::nullptr_t>) {
            literal("null");
        } else if constexpr (std::signed_integral<T>) {
            integer(static_cast<std::int64_t>(value));
        } else if constexpr (std::unsigned_integral<T>) {
            integer(static_cast<std::uint64_t>(value));
        } else if constexpr (std::floating_point<T>) {
            number(static_cast<double>(value));
        } else if constexpr (requires { std::int64_t{value.value}; }) {
            integer(std::int64_t{value.value});
        } else if constexpr (std::same_as<T, Message>) {
            text(english(value));
        } else if constexpr (std::convertible_to<const T&, std::string_view>) {
            text(value);
        } else if constexpr (std::ranges::range<T>) {
            array([&] {
                for (const auto& element : value) this->value(element);
            });
        } else {
            if (value.has_value()) {
                this->value(*value);
            } else {
                literal("null");
            }
        }
    }
    template <class T>
    void member(std::string_view name, const T& value) {
        key(name);
        this->value(value);
    }
    /// The name of the member whose value is written next.
    void key(std::string_view name);

    /// Returns the text, with a line end.
    std::string take() && {
        out_ += '\n';
        return std::move(out_);
    }

 private:
    void open(char bracket);
    void close(char bracket);
    void literal(std::string_view text);
    void text(std::string_view text);
    void integer(std::int64_t number);
    void integer(std::uint64_t number);
    void number(double number);
    /// Separates a value from the previous one by a comma and a new line, unless it follows its key.
    void begin_value();
    void begin_line();

    std::string out_;
    std::size_t level_ = 0;
    bool indented_;
    bool first_ = true;  ///< the next value is the first of the current object or array
    bool behind_key_ = false;
};

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/messages/message_text.hpp"

namespace splitscope {

class Message;

// Argument kinds, each convertible from the corresponding C++ types.

/// A name, a path or foreign text; never translated.
struct Name {
    Name(std::string name) : text(std::move(name)) {}
    Name(std::string_view name) : text(name) {}
    Name(const char* name) : text(name) {}
    template <typename Path>
    requires requires(const Path& path) {
        { path.string() } -> std::same_as<std::string>;
    }
    Name(const Path& path) : text(path.string()) {}
    bool operator==(const Name&) const = default;

    std::string text;
};

/// Digits without grouping, for shapes, positions and limits.
struct Integer {
    template <std::signed_integral T>
    Integer(T number) : value(static_cast<std::int64_t>(number)) {}
    template <std::unsigned_integral T>
    Integer(T number) : value(static_cast<std::uint64_t>(number)) {}
    bool operator==(const Integer& other) const {
        return std::visit([](auto a, auto b) { return std::cmp_equal(a, b); }, value, other.value);
    }

    std::variant<std::int64_t, std::uint64_t> value;
};

/// A count that selects the plural form; at most one per sentence.
struct Count {
    template <std::integral T>
    Count(T number) : value(static_cast<std::uint64_t>(number)) {}
    bool operator==(const Count&) const = default;

    std::uint64_t value;
};

/// Memory in binary units: "12.6 MiB".
struct Bytes {
    template <std::integral T>
    Bytes(T number) : value(static_cast<std::uint64_t>(number)) {}
    bool operator==(const Bytes&) const = default;

    std::uint64_t value;
};

/// A number with a fixed number of decimals.
struct Decimal {
    double value;
    int digits;
    bool operator==(const Decimal&) const = default;
};

/// A number with three significant digits: "30,600".
struct Figure {
    Figure(double figure) : value(figure) {}
    bool operator==(const Figure&) const = default;

    double value;
};

/// Messages joined by `joint`, which is translated as well.
struct MessageList {
    std::vector<Message> items;
    const MessageText* joint;
    bool operator==(const MessageList& other) const;
};

using Argument = std::variant<Name, Integer, Count, Bytes, Decimal, Figure, MessageList>;

/// A message as data: a catalogue row and its arguments. Equal messages have equal text. render() produces
/// the text at the edge of the program; text is never parsed back.
class Message {
 public:
    /// The empty message.
    Message() = default;
    Message(const MessageText& text, std::vector<Argument> arguments)
        : text_(&text), arguments_(std::move(arguments)) {}
    Message(const Sentence<>& sentence) : text_(&sentence) {}

    /// Foreign text (from a library, driver or file), the same in every language.
    static Message verbatim(std::string text);
    /// The messages in order, separated by `joint`.
    static Message list(std::vector<Message> items, const MessageText& joint);

    bool empty() const { return text_ == nullptr; }
    /// The row's id, such as "formats.not-a-number"; empty for an empty message and for foreign text.
    std::string_view id() const { return text_ == nullptr ? std::string_view() : text_->id; }
    const MessageText* text() const { return text_; }
    const std::vector<Argument>& arguments() const { return arguments_; }
    bool operator==(const Message& other) const;

 private:
    const MessageText* text_ = nullptr;
    std::vector<Argument> arguments_;
};

/// English, for test failures.
std::ostream& operator<<(std::ostream& out, const Message& message);

namespace detail {

template <typename Kind>
Argument argument(Kind value) {
    if constexpr (std::same_as<Kind, Message>) {
        return MessageList{{std::move(value)}, nullptr};
    } else {
        return Argument(std::move(value));
    }
}

}  // namespace detail

template <typename... Kinds>
Message Sentence<Kinds...>::operator()(Kinds... values) const {
    std::vector<Argument> arguments;
    arguments.reserve(sizeof...(Kinds));
    (arguments.push_back(detail::argument<Kinds>(std::move(values))), ...);
    return {*this, std::move(arguments)};
}

}  // namespace splitscope

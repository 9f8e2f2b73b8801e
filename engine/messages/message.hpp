// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
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

// The kinds of arguments. Each converts from what a caller has at hand.

/// A name, path or piece of someone else's text. Never translated, never taken apart.
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

/// Digits without grouping: sizes of shapes, positions, limits.
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

/// How many there are; chooses the plural. At most one in a sentence.
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

/// A number with so many digits behind the point.
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

/// Messages in a row; `joint` stands between them and is translated, too.
struct MessageList {
    std::vector<Message> items;
    const MessageText* joint;
    bool operator==(const MessageList& other) const;
};

using Argument = std::variant<Name, Integer, Count, Bytes, Decimal, Figure, MessageList>;

/// What the program has to say, as data: a row of a catalogue and what to put into its places. Equal messages
/// say the same. Words are chosen by render() at the edge; nothing takes the words apart again.
class Message {
 public:
    /// Nothing to say.
    Message() = default;
    Message(const MessageText& text, std::vector<Argument> arguments)
        : text_(&text), arguments_(std::move(arguments)) {}
    Message(const Sentence<>& sentence) : text_(&sentence) {}

    /// Text of someone else: of a library, a driver, a file. Stays as it is in every language.
    static Message verbatim(std::string text);
    /// One after the other, with `joint` between them.
    static Message list(std::vector<Message> items, const MessageText& joint);

    bool empty() const { return text_ == nullptr; }
    /// The row's id, such as "formats.not-a-number"; empty for nothing and for text of someone else.
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

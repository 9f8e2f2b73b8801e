// SPDX-License-Identifier: MIT
#include "engine/messages/render.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/format_number.hpp"

namespace splitscope {
namespace {

constexpr MessageText kVerbatim{"", "{text}", ""};

std::optional<std::uint64_t> count_of(const Message& message) {
    for (const Argument& argument : message.arguments()) {
        if (const auto* count = std::get_if<Count>(&argument)) return count->value;
    }
    return std::nullopt;
}

/// Arguments are assigned to placeholders of the English text in order of first appearance; translations may
/// reorder them.
class Filler {
 public:
    explicit Filler(const Wording& wording) : wording_(wording) {}

    std::string text(const Message& message) const {
        if (message.empty()) return {};
        const MessageText& row = *message.text();
        const bool ours = !row.id.empty();
        const std::string words = ours ? wording_(row, count_of(message)) : std::string(row.text);
        return filled(words, names_of(row), message.arguments());
    }

 private:
    static std::vector<std::string_view> names_of(const MessageText& row) {
        std::vector<std::string_view> names;
        std::size_t at = 0;
        while (const auto name = next_place(row.text, at, [] {})) {
            if (std::ranges::find(names, *name) == names.end()) names.push_back(*name);
        }
        return names;
    }

    std::string filled(std::string_view words, const std::vector<std::string_view>& names,
                       const std::vector<Argument>& arguments) const {
        std::string made;
        for (std::size_t at = 0; at < words.size();) {
            const char c = words[at];
            if (c != '{' && c != '}') {
                made += c;
                ++at;
                continue;
            }
            if (at + 1 < words.size() && words[at + 1] == c) {
                made += c;
                at += 2;
                continue;
            }
            const std::size_t end = words.find('}', at);
            if (c == '}' || end == std::string_view::npos) {
                made += c;
                ++at;
                continue;
            }
            const auto found = std::ranges::find(names, words.substr(at + 1, end - at - 1));
            const auto index = static_cast<std::size_t>(found - names.begin());
            if (index < arguments.size()) made += std::visit(*this, arguments[index]);
            at = end + 1;
        }
        return made;
    }

 public:
    std::string operator()(const Name& name) const { return name.text; }
    std::string operator()(const Integer& integer) const {
        return std::visit([](auto value) { return fmt::format("{}", value); }, integer.value);
    }
    std::string operator()(const Count& count) const { return fmt::format("{}", count.value); }
    std::string operator()(const Bytes& bytes) const { return format_bytes(bytes.value); }
    std::string operator()(const Decimal& number) const {
        return fmt::format("{:.{}f}", number.value, number.digits);
    }
    std::string operator()(const Figure& figure) const { return format_figure(figure.value); }
    std::string operator()(const MessageList& list) const {
        const std::string joint = list.items.size() < 2 ? std::string() : wording_(*list.joint, std::nullopt);
        std::string made;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            if (i > 0) made += joint;
            made += text(list.items[i]);
        }
        return made;
    }

 private:
    const Wording& wording_;
};

}  // namespace

Message Message::verbatim(std::string text) {
    return {kVerbatim, {Name(std::move(text))}};
}

Message Message::list(std::vector<Message> items, const MessageText& joint) {
    return {kVerbatim, {MessageList{std::move(items), &joint}}};
}

bool Message::operator==(const Message& other) const {
    return empty() == other.empty() && id() == other.id() && arguments_ == other.arguments_;
}

bool MessageList::operator==(const MessageList& other) const {
    return items == other.items &&
           (joint == nullptr ? "" : joint->id) == (other.joint == nullptr ? "" : other.joint->id);
}

std::ostream& operator<<(std::ostream& out, const Message& message) {
    return out << english(message);
}

std::string render(const Message& message, const Wording& wording) {
    return Filler(wording).text(message);
}

Message with_names(const Message& message, const std::function<std::string(const std::string&)>& renamed) {
    if (message.empty()) return message;
    std::vector<Argument> arguments = message.arguments();
    for (Argument& argument : arguments) {
        if (auto* name = std::get_if<Name>(&argument)) {
            name->text = renamed(name->text);
        } else if (auto* list = std::get_if<MessageList>(&argument)) {
            for (Message& item : list->items) item = with_names(item, renamed);
        }
    }
    return {*message.text(), std::move(arguments)};
}

std::string_view english_words(const MessageText& text, std::optional<std::uint64_t> count) {
    return count == 1U && !text.one.empty() ? text.one : text.text;
}

std::string english(const Message& message) {
    static const Wording words = [](const MessageText& text, std::optional<std::uint64_t> count) {
        return std::string(english_words(text, count));
    };
    return render(message, words);
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include "engine/models/templates/value.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::templates {
namespace {

std::string printed_number(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", number);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

/// A text as a Python literal.
std::string in_quotes(std::string_view text) {
    const bool single = text.find('\'') == std::string_view::npos || text.find('"') != std::string_view::npos;
    const char quote = single ? '\'' : '"';
    std::string out(1, quote);
    for (const unicode::Character& c : unicode::characters_of(text)) {
        if (c.value == static_cast<char32_t>(quote) || c.value == U'\\') {
            out += '\\';
            out += static_cast<char>(c.value);
        } else if (c.value == U'\n') {
            out += "\\n";
        } else if (c.value == U'\r') {
            out += "\\r";
        } else if (c.value == U'\t') {
            out += "\\t";
        } else if (c.value < 0x20 || c.value == 0x7F) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned>(c.value));
        } else if (c.value >= 0x80 && (c.kind >= unicode::CharacterClass::other ||
                                       c.kind == unicode::CharacterClass::separator)) {
            // Which of these are printable depends on Python's tables.
            throw unsupported(msg::kQuotingUnprintable);
        } else {
            unicode::append_utf8(out, c.value);
        }
    }
    return out + quote;
}

std::string represented(const Value& value) {
    const auto* text = value.get<std::string>();
    return text != nullptr ? in_quotes(*text) : printed(value);
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\b':
                out += "\\b";
                break;
            case '\f':
                out += "\\f";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20)
                    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
                else
                    out += c;
        }
    }
    return out + '"';
}

struct JsonForm {
    std::string indent;  ///< of one level
    bool in_lines = false;
    bool sorted = false;
};

void append_json(std::string& out, const Value& value, const JsonForm& form, std::size_t level);

/// Items of a list or members of a dictionary; `item(i)` is appended.
template <class Item>
void append_json_items(std::string& out, char open, char close, std::size_t count, const JsonForm& form,
                       std::size_t level, Item&& item) {
    out += open;
    const auto new_line = [&](std::size_t of_level) {
        out += '\n';
        for (std::size_t i = 0; i < of_level; ++i) out += form.indent;
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) out += form.in_lines ? "," : ", ";
        if (form.in_lines) new_line(level + 1);
        item(i);
    }
    if (form.in_lines && count > 0) new_line(level);
    out += close;
}

void append_json(std::string& out, const Value& value, const JsonForm& form, std::size_t level) {
    if (const auto* text = value.get<std::string>()) {
        out += json_text(*text);
    } else if (const auto* list = value.get<List>()) {
        if (list->is_view) throw failed(msg::kNoJsonForm("view"));
        append_json_items(out, '[', ']', list->items.size(), form, level,
                          [&](std::size_t i) { append_json(out, list->items[i], form, level + 1); });
    } else if (const auto* dictionary = value.get<Dictionary>()) {
        auto members = dictionary->members;
        if (form.sorted) std::ranges::sort(members, {}, [](const auto& member) { return member.first; });
        append_json_items(out, '{', '}', members.size(), form, level, [&](std::size_t i) {
            out += json_text(members[i].first) + ": ";
            append_json(out, members[i].second, form, level + 1);
        });
    } else if (value.is_none()) {
        out += "null";
    } else if (const bool* truth = value.get<bool>()) {
        out += *truth ? "true" : "false";
    } else if (value.is_number()) {
        const auto* number = value.get<double>();
        if (number != nullptr && !std::isfinite(*number)) throw unsupported(msg::kNotFiniteJson);
        out += printed(value);
    } else {
        throw failed(msg::kNoJsonForm(kind_of(value)));
    }
}

std::size_t checked_depth(std::size_t depth) {
    if (depth > kMaxTemplateValueDepth) throw too_much(msg::kValueDepth);
    return depth;
}

}  // namespace

Value::Value(List list) {
    for (const Value& item : list.items) list.depth = std::max(list.depth, item.depth() + 1);
    checked_depth(list.depth);
    content_ = std::make_shared<const List>(std::move(list));
}

Value::Value(Dictionary dictionary) {
    for (const auto& [key, member] : dictionary.members)
        dictionary.depth = std::max(dictionary.depth, member.depth() + 1);
    checked_depth(dictionary.depth);
    content_ = std::make_shared<const Dictionary>(std::move(dictionary));
}

std::size_t Value::depth() const {
    if (const auto* list = get<List>()) return list->depth;
    if (const Sequence* items = sequence()) return items->depth;
    if (const auto* dictionary = get<Dictionary>()) return dictionary->depth;
    return 0;
}

const Value* Dictionary::find(std::string_view key) const {
    const auto found = std::ranges::find(members, key, [](const auto& member) { return member.first; });
    return found != members.end() ? &found->second : nullptr;
}

void Dictionary::put(std::string key, Value value) {
    const auto found = std::ranges::find(members, key, [](const auto& member) { return member.first; });
    if (found != members.end())
        found->second = std::move(value);
    else
        members.emplace_back(std::move(key), std::move(value));
}

std::string_view kind_of(const Value& value) {
    if (value.is_undefined()) return "Undefined";
    if (value.is_none()) return "NoneType";
    if (value.get<bool>() != nullptr) return "bool";
    if (value.get<std::int64_t>() != nullptr) return "int";
    if (value.get<double>() != nullptr) return "float";
    if (value.get<std::string>() != nullptr) return "str";
    if (const auto* list = value.get<List>()) return list->is_tuple ? "tuple" : "list";
    if (value.get<Dictionary>() != nullptr) return "dict";
    if (value.sequence() != nullptr) return "generator";
    return value.space() != nullptr ? "Namespace" : "function";
}

bool is_true(const Value& value) {
    if (value.is_undefined() || value.is_none()) return false;
    if (const bool* truth = value.get<bool>()) return *truth;
    if (const auto* number = value.get<std::int64_t>()) return *number != 0;
    if (const auto* number = value.get<double>()) return *number != 0;
    if (const auto* text = value.get<std::string>()) return !text->empty();
    if (const auto* list = value.get<List>()) return !list->items.empty();
    if (const auto* dictionary = value.get<Dictionary>()) return !dictionary->members.empty();
    return true;
}

bool equal(const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) {
        const auto whole = [](const Value& value) -> std::optional<std::int64_t> {
            if (const bool* truth = value.get<bool>()) return *truth ? 1 : 0;
            if (const auto* number = value.get<std::int64_t>()) return *number;
            return std::nullopt;
        };
        const auto of_a = whole(a);
        const auto of_b = whole(b);
        if (of_a && of_b) return *of_a == *of_b;
        const double left = of_a ? static_cast<double>(*of_a) : *a.get<double>();
        return left == (of_b ? static_cast<double>(*of_b) : *b.get<double>());
    }
    if (a.is_undefined() || a.is_none())
        return a.is_undefined() == b.is_undefined() && a.is_none() == b.is_none();
    const auto* text_a = a.get<std::string>();
    const auto* text_b = b.get<std::string>();
    if (text_a != nullptr && text_b != nullptr) return *text_a == *text_b;
    const auto* list_a = a.get<List>();
    const auto* list_b = b.get<List>();
    const bool is_view = (list_a != nullptr && list_a->is_view) || (list_b != nullptr && list_b->is_view);
    if (is_view || a.sequence() != nullptr || b.sequence() != nullptr)
        throw unsupported(msg::kComparingViews);
    if (list_a != nullptr && list_b != nullptr)
        return list_a->is_tuple == list_b->is_tuple &&
               std::ranges::equal(list_a->items, list_b->items, equal);
    const auto* dictionary_a = a.get<Dictionary>();
    const auto* dictionary_b = b.get<Dictionary>();
    if (dictionary_a == nullptr || dictionary_b == nullptr)
        return a.space() != nullptr && a.space() == b.space();
    if (dictionary_a->members.size() != dictionary_b->members.size()) return false;
    return std::ranges::all_of(dictionary_a->members, [&](const auto& member) {
        const Value* other = dictionary_b->find(member.first);
        return other != nullptr && equal(member.second, *other);
    });
}

std::string printed(const Value& value) {
    if (value.is_undefined()) return {};
    if (value.is_none()) return "None";
    if (const bool* truth = value.get<bool>()) return *truth ? "True" : "False";
    if (const auto* number = value.get<std::int64_t>()) return fmt::format("{}", *number);
    if (const auto* number = value.get<double>()) return printed_number(*number);
    if (const auto* text = value.get<std::string>()) return *text;
    if (const auto* list = value.get<List>()) {
        if (list->is_view) throw unsupported(msg::kPrintingView);
        std::string out(1, list->is_tuple ? '(' : '[');
        for (std::size_t i = 0; i < list->items.size(); ++i)
            out += (i > 0 ? ", " : "") + represented(list->items[i]);
        if (list->is_tuple && list->items.size() == 1) out += ',';
        return out + (list->is_tuple ? ')' : ']');
    }
    if (const auto* dictionary = value.get<Dictionary>()) {
        std::string out = "{";
        for (const auto& [key, member] : dictionary->members)
            out += (out.size() > 1 ? ", " : "") + in_quotes(key) + ": " + represented(member);
        return out + '}';
    }
    throw unsupported(msg::kPrinting(kind_of(value)));
}

std::string json(const Value& value, const Value& indent, bool sorted) {
    JsonForm form;
    form.sorted = sorted;
    if (const auto* count = indent.get<std::int64_t>()) {
        form.in_lines = true;
        form.indent = std::string(
            static_cast<std::size_t>(std::clamp<std::int64_t>(*count, 0, kMaxTemplateJsonIndent)), ' ');
    } else if (const auto* text = indent.get<std::string>()) {
        form.in_lines = true;
        form.indent = *text;
    } else if (!indent.is_none() && !indent.is_undefined()) {
        throw unsupported(msg::kOddIndent);
    }
    std::string out;
    append_json(out, value, form, 0);
    return out;
}

}  // namespace splitscope::templates

// SPDX-License-Identifier: MIT
#include "engine/models/templates/value.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/models/templates/budget.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope::templates {
namespace {

/// Comparing this many keys takes about as long as evaluating an expression.
constexpr std::size_t kMembersPerStep = 64;

std::string printed_number(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", number);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

/// Appends a text as a Python literal.
void quote(std::string& out, std::string_view text, Budget& budget) {
    budget.count_scan(text.size());
    const bool single = text.find('\'') == std::string_view::npos || text.find('"') != std::string_view::npos;
    const char quote = single ? '\'' : '"';
    budget.append(out, {&quote, 1});
    std::string part;
    for (std::size_t at = 0; at < text.size();) {
        const auto [c, length] = unicode::decode_front(text.substr(at));
        at += length;
        part.clear();
        const auto kind = unicode::class_of(c);
        if (c == static_cast<char32_t>(quote) || c == U'\\') {
            part += '\\';
            part += static_cast<char>(c);
        } else if (c == U'\n') {
            part = "\\n";
        } else if (c == U'\r') {
            part = "\\r";
        } else if (c == U'\t') {
            part = "\\t";
        } else if (c < 0x20 || c == 0x7F) {
            part = fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        } else if (c >= 0x80 &&
                   (kind >= unicode::CharacterClass::other || kind == unicode::CharacterClass::separator)) {
            // Which of these are printable depends on Python's tables.
            throw unsupported(msg::kQuotingUnprintable);
        } else {
            unicode::append_utf8(part, c);
        }
        budget.append(out, part);
    }
    budget.append(out, {&quote, 1});
}

void represent(std::string& out, const Value& value, Budget& budget) {
    if (const auto* text = value.get<std::string>())
        quote(out, *text, budget);
    else
        print(out, value, budget);
}

std::string json_escape(char c) {
    switch (c) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        case '\b':
            return "\\b";
        case '\f':
            return "\\f";
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            return std::string(1, c);
    }
}

void append_json_text(std::string& out, std::string_view text, Budget& budget) {
    budget.append(out, "\"");
    for (const char c : text) budget.append(out, json_escape(c));
    budget.append(out, "\"");
}

struct JsonForm {
    std::string indent;  ///< of one level
    bool in_lines = false;
    bool sorted = false;
};

void append_json(std::string& out, const Value& value, const JsonForm& form, std::size_t level,
                 Budget& budget);

/// Items of a list or members of a dictionary; `item(i)` is appended.
template <class Item>
void append_json_items(std::string& out, std::string_view brackets, std::size_t count, const JsonForm& form,
                       std::size_t level, Budget& budget, Item&& item) {
    budget.append(out, brackets.substr(0, 1));
    const auto new_line = [&](std::size_t of_level) {
        budget.append(out, "\n");
        for (std::size_t i = 0; i < of_level; ++i) budget.append(out, form.indent);
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) budget.append(out, form.in_lines ? "," : ", ");
        if (form.in_lines) new_line(level + 1);
        item(i);
    }
    if (form.in_lines && count > 0) new_line(level);
    budget.append(out, brackets.substr(1));
}

void append_json(std::string& out, const Value& value, const JsonForm& form, std::size_t level,
                 Budget& budget) {
    budget.count_steps(1);
    if (const auto* text = value.get<std::string>()) {
        append_json_text(out, *text, budget);
    } else if (const auto* list = value.get<List>()) {
        if (list->is_view) throw failed(msg::kNoJsonForm("view"));
        append_json_items(out, "[]", list->items.size(), form, level, budget,
                          [&](std::size_t i) { append_json(out, list->items[i], form, level + 1, budget); });
    } else if (const auto* dictionary = value.get<Dictionary>()) {
        std::vector<const std::pair<std::string, Value>*> members;
        for (const auto& member : dictionary->members) members.push_back(&member);
        if (form.sorted) std::ranges::sort(members, {}, [](const auto* member) { return member->first; });
        append_json_items(out, "{}", members.size(), form, level, budget, [&](std::size_t i) {
            append_json_text(out, members[i]->first, budget);
            budget.append(out, ": ");
            append_json(out, members[i]->second, form, level + 1, budget);
        });
    } else if (value.is_none()) {
        budget.append(out, "null");
    } else if (const bool* truth = value.get<bool>()) {
        budget.append(out, *truth ? "true" : "false");
    } else if (value.is_number()) {
        const auto* number = value.get<double>();
        if (number != nullptr && !std::isfinite(*number)) throw unsupported(msg::kNotFiniteJson);
        print(out, value, budget);
    } else {
        throw failed(msg::kNoJsonForm(kind_of(value)));
    }
}

}  // namespace

Undefined::Undefined(std::string_view missing) : name(cut_text(missing, kMaxQuoteBytes)) {}

void Nesting::include(const Value& value) {
    const Nesting inner = value.nesting();
    depth = std::max(depth, inner.depth + 1);
    if (depth > kMaxTemplateValueDepth) throw too_much(msg::kValueDepth);
    has_namespace |= inner.has_namespace;
}

void Namespace::put(std::string key, Value value, Budget& budget) {
    Nesting nesting;
    nesting.include(value);
    if (nesting.has_namespace) throw unsupported(msg::kNestedNamespace);
    depth = std::max(depth, nesting.depth);
    members.put(std::move(key), std::move(value), budget);
}

Value::Value(List list) {
    for (const Value& item : list.items) list.nesting.include(item);
    content_ = std::make_shared<const List>(std::move(list));
}

Value::Value(Dictionary dictionary) {
    for (const auto& [key, member] : dictionary.members) dictionary.nesting.include(member);
    content_ = std::make_shared<const Dictionary>(std::move(dictionary));
}

Nesting Value::nesting() const {
    if (const auto* list = get<List>()) return list->nesting;
    if (const Sequence* items = sequence()) return items->nesting;
    if (const auto* dictionary = get<Dictionary>()) return dictionary->nesting;
    if (const Namespace* members = space()) return {members->depth, true};
    if (const auto* function = get<Function>()) return function->nesting;
    return {0, false};
}

const Value* Dictionary::find(std::string_view key, Budget& budget) const {
    budget.count_steps(members.size() / kMembersPerStep);
    const auto found = std::ranges::find(members, key, [](const auto& member) { return member.first; });
    return found != members.end() ? &found->second : nullptr;
}

void Dictionary::put(std::string key, Value value, Budget& budget) {
    budget.count_steps(members.size() / kMembersPerStep);
    put(std::move(key), std::move(value));
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

bool equal(const Value& a, const Value& b, Budget& budget) {
    budget.count_steps(1);
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
    if (text_a != nullptr && text_b != nullptr) {
        if (text_a->size() != text_b->size()) return false;
        budget.count_scan(text_a->size());
        return *text_a == *text_b;
    }
    const auto* list_a = a.get<List>();
    const auto* list_b = b.get<List>();
    const bool is_view = (list_a != nullptr && list_a->is_view) || (list_b != nullptr && list_b->is_view);
    if (is_view || a.sequence() != nullptr || b.sequence() != nullptr)
        throw unsupported(msg::kComparingViews);
    if (list_a != nullptr && list_b != nullptr)
        return list_a->is_tuple == list_b->is_tuple &&
               std::ranges::equal(list_a->items, list_b->items,
                                  [&](const Value& x, const Value& y) { return equal(x, y, budget); });
    const auto* dictionary_a = a.get<Dictionary>();
    const auto* dictionary_b = b.get<Dictionary>();
    if (dictionary_a == nullptr || dictionary_b == nullptr)
        return a.space() != nullptr && a.space() == b.space();
    if (dictionary_a->members.size() != dictionary_b->members.size()) return false;
    return std::ranges::all_of(dictionary_a->members, [&](const auto& member) {
        const Value* other = dictionary_b->find(member.first, budget);
        return other != nullptr && equal(member.second, *other, budget);
    });
}

void print(std::string& out, const Value& value, Budget& budget) {
    budget.count_steps(1);
    const auto append = [&](std::string_view text) { budget.append(out, text); };
    if (value.is_undefined()) return;
    if (value.is_none()) return append("None");
    if (const bool* truth = value.get<bool>()) return append(*truth ? "True" : "False");
    if (const auto* number = value.get<std::int64_t>()) return append(fmt::format("{}", *number));
    if (const auto* number = value.get<double>()) return append(printed_number(*number));
    if (const auto* text = value.get<std::string>()) return append(*text);
    if (const auto* list = value.get<List>()) {
        if (list->is_view) throw unsupported(msg::kPrintingView);
        append(list->is_tuple ? "(" : "[");
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            if (i > 0) append(", ");
            represent(out, list->items[i], budget);
        }
        if (list->is_tuple && list->items.size() == 1) append(",");
        return append(list->is_tuple ? ")" : "]");
    }
    if (const auto* dictionary = value.get<Dictionary>()) {
        append("{");
        bool is_first = true;
        for (const auto& [key, member] : dictionary->members) {
            if (!is_first) append(", ");
            is_first = false;
            quote(out, key, budget);
            append(": ");
            represent(out, member, budget);
        }
        return append("}");
    }
    throw unsupported(msg::kPrinting(kind_of(value)));
}

std::string printed(const Value& value, Budget& budget) {
    std::string out;
    print(out, value, budget);
    return out;
}

std::string json(const Value& value, const Value& indent, bool sorted, Budget& budget) {
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
    append_json(out, value, form, 0, budget);
    return out;
}

}  // namespace splitscope::templates

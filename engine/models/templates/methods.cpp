// SPDX-License-Identifier: MIT
// Methods of Python's strings, lists and dictionaries.
#include <algorithm>
#include <array>

#include "engine/models/templates/argument_reader.hpp"
#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/collections.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/text_functions.hpp"
#include "engine/support/ascii.hpp"

namespace splitscope::templates {
namespace {

using TextMethod = Value (*)(const std::string& text, ArgumentReader& reader, Budget& budget);

Value counted(std::string_view part, Budget& budget) {
    budget.count_bytes(part.size());
    return part;
}

template <bool kLeft, bool kRight>
Value strip(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const Value* characters = reader.next();
    if (characters == nullptr || characters->is_none()) return counted(stripped(text, kLeft, kRight), budget);
    const auto* set = characters->get<std::string>();
    if (set == nullptr) wrong_kind("strip", *characters);
    budget.count_bytes(set->size());
    return counted(stripped_of(text, *set, kLeft, kRight), budget);
}

template <bool kAtEnd>
Value has_end(const std::string& text, ArgumentReader& reader, Budget&) {
    const Value& wanted = reader.wanted();
    const auto fits = [&](const Value& value) {
        const auto* part = value.get<std::string>();
        if (part == nullptr) wrong_kind("startswith", value);
        return kAtEnd ? text.ends_with(*part) : text.starts_with(*part);
    };
    const auto* several = wanted.get<List>();
    return several != nullptr && several->is_tuple ? std::ranges::any_of(several->items, fits) : fits(wanted);
}

template <bool kFromEnd>
Value split(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const Value* separator = reader.next("sep");
    const std::int64_t most = reader.number_or("maxsplit", -1);
    if (separator == nullptr || separator->is_none()) {
        if (kFromEnd && most >= 0) throw unsupported(msg::kRsplitAtWhitespace);
        return texts(split_at_spaces(text, most, budget), budget);
    }
    const auto* at = separator->get<std::string>();
    if (at == nullptr) wrong_kind("split", *separator);
    return texts(kFromEnd ? split_from_end(text, *at, most, budget) : split_at(text, *at, most, budget),
                 budget);
}

template <bool kFromEnd>
Value find(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const std::string& part = reader.text();
    const std::size_t found = kFromEnd ? last_place(text, part, budget) : first_place(text, part, 0, budget);
    if (found == std::string::npos) return std::int64_t{-1};
    return static_cast<std::int64_t>(length_of(std::string_view(text).substr(0, found)));
}

template <std::string (*kChange)(std::string_view)>
Value changed_text(const std::string& text, ArgumentReader&, Budget& budget) {
    budget.count_bytes(text.size());
    return kChange(text);
}

template <bool (*kFits)(char)>
Value all_fit(const std::string& text, ArgumentReader&, Budget&) {
    if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
        throw unsupported(msg::kNonAsciiClasses);
    return !text.empty() && std::ranges::all_of(text, kFits);
}
bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_letter_or_digit(char c) {
    return is_digit(c) || is_ascii_letter(c);
}
bool is_ascii_space(char c) {
    return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
}

Value replace_in(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const std::string& old = reader.text();
    const std::string& with = reader.text();
    return replaced(text, old, with, reader.number_or("count", -1), budget);
}

Value count_in(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const std::string& part = reader.text();
    if (part.empty()) return static_cast<std::int64_t>(length_of(text) + 1);
    std::int64_t count = 0;
    for (std::size_t at = 0;; ++count) {
        const std::size_t found = first_place(text, part, at, budget);
        if (found == std::string::npos) return count;
        at = found + part.size();
    }
}

Value remove_prefix(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const std::string& prefix = reader.text();
    std::string_view rest = text;
    if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
    return counted(rest, budget);
}
Value remove_suffix(const std::string& text, ArgumentReader& reader, Budget& budget) {
    const std::string& suffix = reader.text();
    std::string_view rest = text;
    if (rest.ends_with(suffix)) rest.remove_suffix(suffix.size());
    return counted(rest, budget);
}

struct NamedTextMethod {
    std::string_view name;
    TextMethod method;
};
constexpr std::array kTextMethods = {
    NamedTextMethod{"strip", strip<true, true>},
    NamedTextMethod{"lstrip", strip<true, false>},
    NamedTextMethod{"rstrip", strip<false, true>},
    NamedTextMethod{"startswith", has_end<false>},
    NamedTextMethod{"endswith", has_end<true>},
    NamedTextMethod{"split", split<false>},
    NamedTextMethod{"rsplit", split<true>},
    NamedTextMethod{"splitlines",
                    [](const std::string& text, ArgumentReader&, Budget& budget) {
                        return Value(texts(lines_of(text, budget), budget));
                    }},
    NamedTextMethod{"find", find<false>},
    NamedTextMethod{"rfind", find<true>},
    NamedTextMethod{"upper", changed_text<upper>},
    NamedTextMethod{"lower", changed_text<lower>},
    NamedTextMethod{"capitalize", changed_text<capitalized>},
    NamedTextMethod{"title", changed_text<titled>},
    NamedTextMethod{"replace", replace_in},
    NamedTextMethod{"count", count_in},
    NamedTextMethod{"removeprefix", remove_prefix},
    NamedTextMethod{"removesuffix", remove_suffix},
    NamedTextMethod{"isdigit", all_fit<is_digit>},
    NamedTextMethod{"isalpha", all_fit<is_ascii_letter>},
    NamedTextMethod{"isalnum", all_fit<is_letter_or_digit>},
    NamedTextMethod{"isspace", all_fit<is_ascii_space>},
};

/// Python has this method, but this interpreter lacks it: it must not look like a missing member.
constexpr std::array<std::string_view, 20> kOtherTextMethods = {
    "format",  "format_map", "encode",    "casefold",  "center", "expandtabs", "index",
    "islower", "isupper",    "isnumeric", "istitle",   "ljust",  "partition",  "rindex",
    "rjust",   "rpartition", "swapcase",  "translate", "zfill",  "isascii"};
constexpr std::array<std::string_view, 9> kOtherListMethods = {
    "append", "clear", "copy", "extend", "insert", "pop", "remove", "reverse", "sort"};
constexpr std::array<std::string_view, 7> kOtherDictionaryMethods = {
    "clear", "copy", "fromkeys", "pop", "popitem", "setdefault", "update"};

template <std::size_t kCount>
void refuse(const std::array<std::string_view, kCount>& others, const std::string& name,
            std::string_view kind) {
    if (std::ranges::find(others, name) != others.end()) throw unsupported(msg::kMethod(kind, name));
}

std::optional<Value> text_method(const Value& value, const std::string& name) {
    if (name == "join") {
        return function(name, [value](Interpreter& interpreter, Arguments& arguments) -> Value {
            if (arguments.given.size() != 1) throw failed(msg::kWrongArguments("join"));
            Budget& budget = interpreter.budget();
            std::string out;
            bool is_first = true;
            for (const Value& item : items_of(interpreter, arguments.given.front())) {
                const auto* part = item.get<std::string>();
                if (part == nullptr) wrong_kind("join", item);
                if (!is_first) budget.append(out, *value.get<std::string>());
                is_first = false;
                budget.append(out, *part);
            }
            return out;
        });
    }
    const auto found = std::ranges::find(kTextMethods, name, &NamedTextMethod::name);
    if (found == kTextMethods.end()) {
        refuse(kOtherTextMethods, name, "str");
        return std::nullopt;
    }
    return function(name, [value, found](Interpreter& interpreter, Arguments& arguments) {
        ArgumentReader reader(found->name, arguments);
        interpreter.budget().count_scan(value.get<std::string>()->size());
        Value result = found->method(*value.get<std::string>(), reader, interpreter.budget());
        reader.done();
        return result;
    });
}

std::optional<Value> dictionary_method(const Value& value, const std::string& name) {
    const auto bound = [&](auto body) {
        const auto call = [value, body](Interpreter& interpreter, Arguments& arguments) -> Value {
            return body(*value.get<Dictionary>(), arguments, interpreter.budget());
        };
        return Value(function(name, call, value));
    };
    if (name == "items") {
        return bound([](const Dictionary& dictionary, Arguments& arguments, Budget& budget) -> Value {
            ArgumentReader("items", arguments).done();
            return view(members_of(dictionary, budget));
        });
    }
    if (name == "keys" || name == "values") {
        const bool keys = name == "keys";
        return bound([keys](const Dictionary& dictionary, Arguments& arguments, Budget& budget) -> Value {
            ArgumentReader("keys", arguments).done();
            budget.count_steps(dictionary.members.size());
            List list;
            for (const auto& [key, member] : dictionary.members)
                list.items.push_back(keys ? Value(key) : member);
            return view(std::move(list));
        });
    }
    if (name == "get") {
        return bound([](const Dictionary& dictionary, Arguments& arguments, Budget& budget) -> Value {
            ArgumentReader reader("get", arguments);
            const Value& key = reader.wanted();
            const Value* default_value = reader.next();
            reader.done();
            const auto* text = key.get<std::string>();
            if (const Value* member = text != nullptr ? dictionary.find(*text, budget) : nullptr)
                return *member;
            return default_value != nullptr ? *default_value : Value(None{});
        });
    }
    refuse(kOtherDictionaryMethods, name, "dict");
    return std::nullopt;
}

std::optional<Value> list_method(const Value& value, const std::string& name) {
    if (name == "count" || name == "index") {
        const bool counts = name == "count";
        const auto call = [value, counts](Interpreter& interpreter, Arguments& arguments) -> Value {
            if (arguments.given.size() != 1)
                throw unsupported(msg::kMoreArguments(counts ? "count" : "index"));
            const auto& items = value.get<List>()->items;
            const auto fits = [&](const Value& item) {
                return equal(item, arguments.given.front(), interpreter.budget());
            };
            if (counts) return static_cast<std::int64_t>(std::ranges::count_if(items, fits));
            const auto found = std::ranges::find_if(items, fits);
            if (found == items.end()) throw failed(msg::kNotInList);
            return static_cast<std::int64_t>(found - items.begin());
        };
        return function(name, call, value);
    }
    refuse(kOtherListMethods, name, "list");
    return std::nullopt;
}

}  // namespace

std::optional<Value> method_of(const Value& value, const std::string& name) {
    if (value.get<std::string>() != nullptr) return text_method(value, name);
    if (value.get<Dictionary>() != nullptr) return dictionary_method(value, name);
    if (value.get<List>() != nullptr) return list_method(value, name);
    return std::nullopt;
}

}  // namespace splitscope::templates

// SPDX-License-Identifier: MIT
#include "engine/models/templates/builtins.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/text_functions.hpp"
#include "engine/models/unicode/unicode.hpp"

namespace splitscope::templates {
namespace {

/// Reads arguments one by one; arguments left over are an error.
class Taken {
 public:
    Taken(std::string_view of, const Arguments& arguments) : of_(of), arguments_(arguments) {}

    /// The next argument, by its place or its name; null when it is not given.
    const Value* next(std::string_view name = {}) {
        if (place_ < arguments_.given.size()) return &arguments_.given[place_++];
        ++place_;
        for (const auto& [given, value] : arguments_.named) {
            if (given != name || name.empty()) continue;
            ++named_;
            return &value;
        }
        return nullptr;
    }
    const Value& wanted(std::string_view name = {}) {
        if (const Value* value = next(name)) return *value;
        throw failed(fmt::format("{}: an argument is missing", of_));
    }
    const std::string& text(std::string_view name = {}) {
        const Value& value = wanted(name);
        if (const auto* text = value.get<std::string>()) return *text;
        throw failed(fmt::format("{}: a text expected, not {}", of_, kind_of(value)));
    }
    std::string text_or(std::string_view name, std::string fallback) {
        const Value* value = next(name);
        if (value == nullptr) return fallback;
        if (const auto* text = value->get<std::string>()) return *text;
        throw failed(fmt::format("{}: a text expected, not {}", of_, kind_of(*value)));
    }
    std::int64_t number_or(std::string_view name, std::int64_t fallback) {
        const Value* value = next(name);
        if (value == nullptr) return fallback;
        if (const auto* number = value->get<std::int64_t>()) return *number;
        throw failed(fmt::format("{}: a number expected, not {}", of_, kind_of(*value)));
    }
    bool truth_or(std::string_view name, bool fallback) {
        const Value* value = next(name);
        return value != nullptr ? is_true(*value) : fallback;
    }
    /// Everything that was given has been asked for.
    void done() const {
        if (arguments_.given.size() > place_ || arguments_.named.size() > named_)
            throw unsupported(fmt::format("more arguments of {}", of_));
    }

 private:
    std::string_view of_;
    const Arguments& arguments_;
    std::size_t place_ = 0;
    std::size_t named_ = 0;
};

[[noreturn]] void wrong_kind(std::string_view of, const Value& value) {
    if (value.is_undefined()) throw failed(fmt::format("'{}' is undefined", value.get<Undefined>()->name));
    throw failed(fmt::format("{} of {}", of, kind_of(value)));
}

List texts(std::vector<std::string> parts) {
    List list;
    for (std::string& part : parts) list.items.emplace_back(std::move(part));
    return list;
}

/// Items that are gone through once, as Python's generators.
Value sequence(List list) {
    // The list says how deep its items are.
    const Value whole(std::move(list));
    auto made = std::make_shared<Sequence>();
    made->items = whole.get<List>()->items;
    made->depth = whole.depth();
    return Value(std::move(made));
}

List view(List list) {
    list.is_view = true;
    return list;
}

List pair(Value first, Value second) {
    List list;
    list.is_tuple = true;
    list.items = {std::move(first), std::move(second)};
    return list;
}

List members_of(const Dictionary& dictionary) {
    List list;
    for (const auto& [key, value] : dictionary.members) list.items.emplace_back(pair(Value(key), value));
    return list;
}

std::int64_t size_of(const Value& value, std::string_view of) {
    if (const auto* text = value.get<std::string>()) return static_cast<std::int64_t>(length_of(*text));
    if (const auto* list = value.get<List>()) return static_cast<std::int64_t>(list->items.size());
    if (const auto* dictionary = value.get<Dictionary>())
        return static_cast<std::int64_t>(dictionary->members.size());
    if (value.is_undefined()) return 0;
    wrong_kind(of, value);
}

/// The member of an item that `attribute="a.b"` names.
Value member_of(const Value& item, std::string_view path) {
    Value value = item;
    while (!path.empty()) {
        const std::size_t point = path.find('.');
        const std::string_view name = path.substr(0, point);
        path = point == std::string_view::npos ? std::string_view() : path.substr(point + 1);
        if (!name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
            throw unsupported("attributes that are numbers");
        const auto* dictionary = value.get<Dictionary>();
        if (value.is_undefined())
            throw failed(fmt::format("'{}' is undefined", value.get<Undefined>()->name));
        const Value* member = dictionary != nullptr ? dictionary->find(name) : nullptr;
        Value next = member != nullptr ? *member : Value(Undefined{std::string(name)});
        value = std::move(next);
    }
    return value;
}

// --- filters

using Filter = Value (*)(Interpreter& interpreter, const Value& value, const Arguments& arguments);

Value trim(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken taken("trim", arguments);
    const Value* characters = taken.next("chars");
    taken.done();
    const std::string text = printed(value);
    if (characters == nullptr || characters->is_none()) return stripped(text, true, true);
    return stripped_of(text, printed(*characters), true, true);
}

Value to_json(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken taken("tojson", arguments);
    // Chat templates have a filter of their own, whose other arguments are only known by name.
    if (!arguments.given.empty()) throw unsupported("arguments of tojson without names");
    const Value none = None{};
    const Value* ascii = nullptr;
    const Value* indent = &none;
    bool sorted = false;
    for (const auto& [name, given] : arguments.named) {
        if (name == "indent")
            indent = &given;
        else if (name == "sort_keys")
            sorted = is_true(given);
        else if (name == "ensure_ascii")
            ascii = &given;
        else
            throw unsupported(fmt::format("the argument '{}' of tojson", name));
    }
    if (ascii != nullptr && is_true(*ascii)) throw unsupported("tojson in ASCII");
    std::string text = json(value, *indent, sorted);
    interpreter.count_bytes(text.size());
    return text;
}

Value length(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("length", arguments).done();
    return size_of(value, "length");
}

Value join(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken taken("join", arguments);
    const Value* given = taken.next("d");
    const Value* attribute = taken.next("attribute");
    taken.done();
    const std::string separator = given != nullptr ? printed(*given) : std::string();
    std::string out;
    bool is_first = true;
    for (const Value& item : items_of(interpreter, value)) {
        const std::string part = printed(attribute != nullptr ? member_of(item, printed(*attribute)) : item);
        interpreter.count_bytes(part.size() + separator.size());
        if (!is_first) out += separator;
        is_first = false;
        out += part;
    }
    return out;
}

Value default_of(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken taken("default", arguments);
    const Value* given = taken.next("default_value");
    const bool also_false = taken.truth_or("boolean", false);
    taken.done();
    if (!value.is_undefined() && (!also_false || is_true(value))) return value;
    return given != nullptr ? *given : Value("");
}

Value replace(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken taken("replace", arguments);
    const std::string old = printed(taken.wanted("old"));
    const std::string with = printed(taken.wanted("new"));
    const std::int64_t most = taken.number_or("count", -1);
    taken.done();
    std::string out = replaced(printed(value), old, with, most);
    interpreter.count_bytes(out.size());
    return out;
}

template <std::string (*kChange)(std::string_view)>
Value changed(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("this filter", arguments).done();
    return kChange(printed(value));
}

/// The filter's rule differs from the method's: words begin behind spaces and some signs.
std::string title_of(std::string_view text) {
    std::string out = lower(text);
    bool in_word = false;
    for (char& c : out) {
        if (!in_word && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
        constexpr std::string_view ends = "-([{<";
        in_word = ends.find(c) == std::string_view::npos && c != ' ' && (c < '\t' || c > '\r');
    }
    return out;
}

Value first(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken("first", arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    return items.empty() ? Value(Undefined{"the first item"}) : items.front();
}

Value last(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken("last", arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    return items.empty() ? Value(Undefined{"the last item"}) : items.back();
}

Value reverse(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken("reverse", arguments).done();
    std::vector<Value> items = items_of(interpreter, value);
    std::ranges::reverse(items);
    if (value.get<std::string>() == nullptr) return sequence(List{std::move(items)});
    std::string out;
    for (const Value& item : items) out += printed(item);
    return out;
}

Value list(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken("list", arguments).done();
    return List{items_of(interpreter, value)};
}

Value items(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("items", arguments).done();
    if (value.is_undefined()) return sequence({});
    const auto* dictionary = value.get<Dictionary>();
    if (dictionary == nullptr) wrong_kind("items", value);
    return sequence(members_of(*dictionary));
}

Value dictsort(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("dictsort", arguments).done();
    const auto* dictionary = value.get<Dictionary>();
    if (dictionary == nullptr) wrong_kind("dictsort", value);
    Dictionary sorted = *dictionary;
    std::ranges::stable_sort(sorted.members, {}, [](const auto& member) { return lower(member.first); });
    return members_of(sorted);
}

Value sort(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken taken("sort", arguments);
    const bool descending = taken.truth_or("reverse", false);
    const bool by_case = taken.truth_or("case_sensitive", false);
    const Value* attribute = taken.next("attribute");
    taken.done();
    std::vector<Value> items = items_of(interpreter, value);
    interpreter.count_steps(items.size() * 16);
    const auto key = [&](const Value& item) {
        Value key_of_item = attribute != nullptr ? member_of(item, printed(*attribute)) : item;
        const auto* text = key_of_item.get<std::string>();
        return text != nullptr && !by_case ? Value(lower(*text)) : key_of_item;
    };
    std::vector<std::pair<Value, Value>> keyed;
    for (Value& item : items) keyed.emplace_back(key(item), std::move(item));
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        return descending ? order_of(b.first, a.first, "<") < 0 : order_of(a.first, b.first, "<") < 0;
    });
    List sorted;
    for (auto& [unused, item] : keyed) sorted.items.push_back(std::move(item));
    return sorted;
}

Value as_text(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("string", arguments).done();
    return printed(value);
}

Value as_whole(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken taken("int", arguments);
    const std::int64_t default_value = taken.number_or("default", 0);
    taken.done();
    if (const bool* truth = value.get<bool>()) return std::int64_t{*truth ? 1 : 0};
    if (value.get<std::int64_t>() != nullptr) return value;
    if (const auto* number = value.get<double>()) {
        constexpr double kMax = 9e18;
        if (std::isnan(*number)) return default_value;
        if (std::abs(*number) > kMax) throw unsupported("numbers of more than 64 bits");
        return static_cast<std::int64_t>(*number);
    }
    const auto* text = value.get<std::string>();
    if (text == nullptr) return default_value;
    std::int64_t number = 0;
    std::string_view digits = stripped(*text, true, true);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) return number;
    if (std::ranges::any_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        throw unsupported("int of a text that is no plain number");
    return default_value;
}

Value as_decimal(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("float", arguments).done();
    if (const bool* truth = value.get<bool>()) return *truth ? 1.0 : 0.0;
    if (const auto* number = value.get<std::int64_t>()) return static_cast<double>(*number);
    if (value.get<double>() != nullptr) return value;
    throw unsupported("float of a text");
}

Value absolute(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("abs", arguments).done();
    if (const auto* number = value.get<std::int64_t>()) {
        if (*number == std::numeric_limits<std::int64_t>::min())
            throw unsupported("numbers of more than 64 bits");
        return *number < 0 ? -*number : *number;
    }
    if (const auto* number = value.get<double>()) return std::abs(*number);
    wrong_kind("abs", value);
}

Value indent(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken taken("indent", arguments);
    const Value* width = taken.next("width");
    const bool first_line = taken.truth_or("first", false);
    const bool blank_lines = taken.truth_or("blank", false);
    taken.done();
    std::string spaces(4, ' ');
    if (width != nullptr) {
        if (const auto* number = width->get<std::int64_t>()) {
            constexpr std::int64_t kMax = 4096;
            if (*number > kMax) throw too_much("spaces");
            spaces.assign(static_cast<std::size_t>(std::max<std::int64_t>(*number, 0)), ' ');
        } else {
            spaces = printed(*width);
        }
    }
    const std::string text = printed(value) + '\n';
    std::string out = first_line ? spaces : std::string();
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) {
            out += '\n';
            if (blank_lines || !lines[i].empty()) out += spaces;
        }
        interpreter.count_bytes(lines[i].size() + spaces.size());
        out += lines[i];
    }
    return out;
}

Value unchanged(Interpreter&, const Value& value, const Arguments& arguments) {
    Taken("safe", arguments).done();
    return printed(value);
}

Value map(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    List out;
    const auto attribute =
        std::ranges::find(arguments.named, "attribute", [](const auto& each) { return each.first; });
    if (attribute != arguments.named.end()) {
        const auto default_value =
            std::ranges::find(arguments.named, "default", [](const auto& each) { return each.first; });
        const std::size_t known = default_value != arguments.named.end() ? 2 : 1;
        if (!arguments.given.empty() || arguments.named.size() > known)
            throw unsupported("more arguments of map");
        const std::string path = printed(attribute->second);
        for (const Value& item : items_of(interpreter, value)) {
            Value member = member_of(item, path);
            if (member.is_undefined() && known == 2) member = default_value->second;
            out.items.push_back(std::move(member));
        }
        return sequence(std::move(out));
    }
    if (arguments.given.empty()) throw failed("map requires a filter argument");
    Arguments rest = arguments;
    rest.given.erase(rest.given.begin());
    for (const Value& item : items_of(interpreter, value))
        out.items.push_back(filtered(interpreter, printed(arguments.given.front()), item, rest));
    return sequence(std::move(out));
}

/// select, reject, selectattr and rejectattr.
template <bool kKeeps, bool kByMember>
Value select(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Arguments rest = arguments;
    std::string path;
    const auto take = [&] {
        std::string taken = printed(rest.given.front());
        rest.given.erase(rest.given.begin());
        return taken;
    };
    if (kByMember) {
        if (rest.given.empty()) throw failed("an attribute is missing");
        path = take();
    }
    const std::string test = rest.given.empty() ? std::string() : take();
    List out;
    for (const Value& item : items_of(interpreter, value)) {
        const Value tested_value = kByMember ? member_of(item, path) : item;
        const bool holds =
            test.empty() ? is_true(tested_value) : tested(interpreter, test, tested_value, rest);
        if (holds == kKeeps) out.items.push_back(item);
    }
    return sequence(std::move(out));
}

/// min and max.
template <bool kGreatest>
Value extreme(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Taken("this filter", arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    if (items.empty()) return Undefined{"the item"};
    const Value* best = &items.front();
    for (const Value& item : items) {
        if (item.get<std::string>() != nullptr) throw unsupported("min and max of texts");
        const int order = order_of(item, *best, "<");
        if (kGreatest ? order > 0 : order < 0) best = &item;
    }
    return *best;
}

struct NamedFilter {
    std::string_view name;
    Filter filter;
};
constexpr std::array kFilters = {
    NamedFilter{"abs", absolute},
    NamedFilter{"capitalize", changed<capitalized>},
    NamedFilter{"count", length},
    NamedFilter{"d", default_of},
    NamedFilter{"default", default_of},
    NamedFilter{"dictsort", dictsort},
    NamedFilter{"first", first},
    NamedFilter{"float", as_decimal},
    NamedFilter{"indent", indent},
    NamedFilter{"int", as_whole},
    NamedFilter{"items", items},
    NamedFilter{"join", join},
    NamedFilter{"last", last},
    NamedFilter{"length", length},
    NamedFilter{"list", list},
    NamedFilter{"lower", changed<lower>},
    NamedFilter{"map", map},
    NamedFilter{"max", extreme<true>},
    NamedFilter{"min", extreme<false>},
    NamedFilter{"reject", select<false, false>},
    NamedFilter{"rejectattr", select<false, true>},
    NamedFilter{"replace", replace},
    NamedFilter{"reverse", reverse},
    NamedFilter{"safe", unchanged},
    NamedFilter{"select", select<true, false>},
    NamedFilter{"selectattr", select<true, true>},
    NamedFilter{"sort", sort},
    NamedFilter{"string", as_text},
    NamedFilter{"title", changed<title_of>},
    NamedFilter{"tojson", to_json},
    NamedFilter{"trim", trim},
    NamedFilter{"upper", changed<upper>},
};

// --- tests

bool is_whole(const Value& value) {
    return value.get<std::int64_t>() != nullptr;
}
std::int64_t whole_of(const Value& value) {
    if (const auto* number = value.get<std::int64_t>()) return *number;
    wrong_kind("a test of whole numbers", value);
}

using Test = bool (*)(const Value& value, const Value& argument);
struct NamedTest {
    std::string_view name;
    bool takes_argument;
    Test test;
};
template <std::string_view const& kSign>
bool ordered(const Value& a, const Value& b) {
    const int order = order_of(a, b, kSign);
    if (kSign == "<") return order < 0;
    if (kSign == "<=") return order <= 0;
    return kSign == ">" ? order > 0 : order >= 0;
}
constexpr std::string_view kLess = "<";
constexpr std::string_view kLessOrEqual = "<=";
constexpr std::string_view kGreater = ">";
constexpr std::string_view kGreaterOrEqual = ">=";

bool is_equal(const Value& a, const Value& b) {
    return equal(a, b);
}
bool is_different(const Value& a, const Value& b) {
    return !equal(a, b);
}
bool is_sequence(const Value& value, const Value&) {
    return value.get<List>() != nullptr || value.get<std::string>() != nullptr ||
           value.get<Dictionary>() != nullptr || value.is_undefined();
}
bool is_in(const Value& item, const Value& container) {
    return contains(container, item);
}

constexpr std::array kTests = {
    NamedTest{"defined", false, [](const Value& value, const Value&) { return !value.is_undefined(); }},
    NamedTest{"undefined", false, [](const Value& value, const Value&) { return value.is_undefined(); }},
    NamedTest{"none", false, [](const Value& value, const Value&) { return value.is_none(); }},
    NamedTest{"boolean", false,
              [](const Value& value, const Value&) { return value.get<bool>() != nullptr; }},
    NamedTest{
        "true", false,
        [](const Value& value, const Value&) { return value.get<bool>() != nullptr && is_true(value); }},
    NamedTest{
        "false", false,
        [](const Value& value, const Value&) { return value.get<bool>() != nullptr && !is_true(value); }},
    NamedTest{"integer", false, [](const Value& value, const Value&) { return is_whole(value); }},
    NamedTest{"float", false,
              [](const Value& value, const Value&) { return value.get<double>() != nullptr; }},
    NamedTest{"number", false, [](const Value& value, const Value&) { return value.is_number(); }},
    NamedTest{"string", false,
              [](const Value& value, const Value&) { return value.get<std::string>() != nullptr; }},
    NamedTest{"mapping", false,
              [](const Value& value, const Value&) { return value.get<Dictionary>() != nullptr; }},
    NamedTest{"sequence", false, is_sequence},
    NamedTest{"iterable", false,
              [](const Value& value, const Value& none) {
                  return value.sequence() != nullptr || is_sequence(value, none);
              }},
    NamedTest{"callable", false,
              [](const Value& value, const Value&) { return value.get<Function>() != nullptr; }},
    NamedTest{"odd", false, [](const Value& value, const Value&) { return whole_of(value) % 2 != 0; }},
    NamedTest{"even", false, [](const Value& value, const Value&) { return whole_of(value) % 2 == 0; }},
    NamedTest{"divisibleby", true,
              [](const Value& value, const Value& by) {
                  if (whole_of(by) == 0) throw failed("division by zero");
                  return whole_of(by) == -1 || whole_of(value) % whole_of(by) == 0;
              }},
    NamedTest{"==", true, is_equal},
    NamedTest{"!=", true, is_different},
    NamedTest{"<", true, ordered<kLess>},
    NamedTest{"<=", true, ordered<kLessOrEqual>},
    NamedTest{">", true, ordered<kGreater>},
    NamedTest{">=", true, ordered<kGreaterOrEqual>},
    NamedTest{"eq", true, is_equal},
    NamedTest{"equalto", true, is_equal},
    NamedTest{"ne", true, is_different},
    NamedTest{"lt", true, ordered<kLess>},
    NamedTest{"lessthan", true, ordered<kLess>},
    NamedTest{"le", true, ordered<kLessOrEqual>},
    NamedTest{"gt", true, ordered<kGreater>},
    NamedTest{"greaterthan", true, ordered<kGreater>},
    NamedTest{"ge", true, ordered<kGreaterOrEqual>},
    NamedTest{"in", true, is_in},
};

// --- methods

using TextMethod = Value (*)(const std::string& text, Taken& taken);

template <bool kLeft, bool kRight>
Value strip(const std::string& text, Taken& taken) {
    const Value* characters = taken.next();
    if (characters == nullptr || characters->is_none()) return stripped(text, kLeft, kRight);
    const auto* set = characters->get<std::string>();
    if (set == nullptr) wrong_kind("strip", *characters);
    return stripped_of(text, *set, kLeft, kRight);
}

template <bool kAtEnd>
Value has_end(const std::string& text, Taken& taken) {
    const Value& wanted = taken.wanted();
    const auto fits = [&](const Value& value) {
        const auto* part = value.get<std::string>();
        if (part == nullptr) wrong_kind("startswith", value);
        return kAtEnd ? text.ends_with(*part) : text.starts_with(*part);
    };
    const auto* several = wanted.get<List>();
    return several != nullptr && several->is_tuple ? std::ranges::any_of(several->items, fits) : fits(wanted);
}

template <bool kFromEnd>
Value split(const std::string& text, Taken& taken) {
    const Value* separator = taken.next("sep");
    const std::int64_t most = taken.number_or("maxsplit", -1);
    if (separator == nullptr || separator->is_none()) {
        if (kFromEnd && most >= 0) throw unsupported("rsplit at spaces");
        return texts(split_at_spaces(text, most));
    }
    const auto* at = separator->get<std::string>();
    if (at == nullptr) wrong_kind("split", *separator);
    return texts(kFromEnd ? split_from_end(text, *at, most) : split_at(text, *at, most));
}

template <bool kFromEnd>
Value find(const std::string& text, Taken& taken) {
    const std::string& part = taken.text();
    const std::size_t found = kFromEnd ? text.rfind(part) : text.find(part);
    if (found == std::string::npos) return std::int64_t{-1};
    return static_cast<std::int64_t>(length_of(std::string_view(text).substr(0, found)));
}

template <std::string (*kChange)(std::string_view)>
Value changed_text(const std::string& text, Taken&) {
    return kChange(text);
}

template <bool (*kFits)(char)>
Value all_fit(const std::string& text, Taken&) {
    if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
        throw unsupported("kinds of characters that are not ASCII");
    return !text.empty() && std::ranges::all_of(text, kFits);
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
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

Value replace_in(const std::string& text, Taken& taken) {
    const std::string& old = taken.text();
    const std::string& with = taken.text();
    return replaced(text, old, with, taken.number_or("count", -1));
}

Value count_in(const std::string& text, Taken& taken) {
    const std::string& part = taken.text();
    if (part.empty()) return static_cast<std::int64_t>(length_of(text) + 1);
    return static_cast<std::int64_t>(split_at(text, part, -1).size() - 1);
}

Value remove_prefix(const std::string& text, Taken& taken) {
    const std::string& prefix = taken.text();
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}
Value remove_suffix(const std::string& text, Taken& taken) {
    const std::string& suffix = taken.text();
    return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
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
                    [](const std::string& text, Taken&) { return Value(texts(lines_of(text))); }},
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

/// Of Python's, but not here: an attribute of that name is no missing member.
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
    if (std::ranges::find(others, name) != others.end())
        throw unsupported(fmt::format("{}.{}()", kind, name));
}

std::optional<Value> text_method(const Value& value, const std::string& name) {
    if (name == "join") {
        return function(name, [value](Interpreter& interpreter, Arguments& arguments) -> Value {
            if (arguments.given.size() != 1) throw failed("join takes one argument");
            std::string out;
            bool is_first = true;
            for (const Value& item : items_of(interpreter, arguments.given.front())) {
                const auto* part = item.get<std::string>();
                if (part == nullptr) wrong_kind("join", item);
                if (!is_first) out += *value.get<std::string>();
                is_first = false;
                interpreter.count_bytes(part->size() + value.get<std::string>()->size());
                out += *part;
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
        Taken taken(found->name, arguments);
        interpreter.count_bytes(value.get<std::string>()->size());
        Value result = found->method(*value.get<std::string>(), taken);
        taken.done();
        if (const auto* text = result.get<std::string>()) interpreter.count_bytes(text->size());
        return result;
    });
}

std::optional<Value> dictionary_method(const Value& value, const std::string& name) {
    const auto bound = [&](auto body) {
        return Value(function(name, [value, body](Interpreter&, Arguments& arguments) -> Value {
            return body(*value.get<Dictionary>(), arguments);
        }));
    };
    if (name == "items") {
        return bound([](const Dictionary& dictionary, Arguments& arguments) -> Value {
            Taken("items", arguments).done();
            return view(members_of(dictionary));
        });
    }
    if (name == "keys" || name == "values") {
        const bool keys = name == "keys";
        return bound([keys](const Dictionary& dictionary, Arguments& arguments) -> Value {
            Taken("keys", arguments).done();
            List list;
            for (const auto& [key, member] : dictionary.members)
                list.items.push_back(keys ? Value(key) : member);
            return view(std::move(list));
        });
    }
    if (name == "get") {
        return bound([](const Dictionary& dictionary, Arguments& arguments) -> Value {
            Taken taken("get", arguments);
            const Value& key = taken.wanted();
            const Value* default_value = taken.next();
            taken.done();
            const auto* text = key.get<std::string>();
            if (const Value* member = text != nullptr ? dictionary.find(*text) : nullptr) return *member;
            return default_value != nullptr ? *default_value : Value(None{});
        });
    }
    refuse(kOtherDictionaryMethods, name, "dict");
    return std::nullopt;
}

std::optional<Value> list_method(const Value& value, const std::string& name) {
    if (name == "count" || name == "index") {
        const bool counts = name == "count";
        return function(name, [value, counts](Interpreter&, Arguments& arguments) -> Value {
            if (arguments.given.size() != 1) throw unsupported("more arguments of a list's method");
            const auto& items = value.get<List>()->items;
            const auto fits = [&](const Value& item) { return equal(item, arguments.given.front()); };
            if (counts) return static_cast<std::int64_t>(std::ranges::count_if(items, fits));
            const auto found = std::ranges::find_if(items, fits);
            if (found == items.end()) throw failed("the item is not in the list");
            return static_cast<std::int64_t>(found - items.begin());
        });
    }
    refuse(kOtherListMethods, name, "list");
    return std::nullopt;
}

// --- functions

Value range(Interpreter& interpreter, Arguments& arguments) {
    Taken taken("range", arguments);
    std::int64_t begin = 0;
    std::int64_t end = taken.number_or("stop", 0);
    if (arguments.given.empty()) throw failed("range: an argument is missing");
    if (arguments.given.size() > 1) {
        begin = end;
        end = taken.number_or("", 0);
    }
    const std::int64_t step = taken.number_or("", 1);
    taken.done();
    if (step == 0) throw failed("range without a step");
    List list;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
        interpreter.count_steps(1);
        list.items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    return view(std::move(list));
}

Dictionary named(std::string_view of, Arguments& arguments) {
    Dictionary members;
    for (const Value& given : arguments.given) {
        const auto* dictionary = given.get<Dictionary>();
        if (dictionary == nullptr) throw unsupported(fmt::format("{} of a {}", of, kind_of(given)));
        for (const auto& [name, value] : dictionary->members) members.put(name, value);
    }
    for (const auto& [name, value] : arguments.named) members.put(name, value);
    return members;
}

}  // namespace

std::shared_ptr<const Function> function(std::string name,
                                         std::function<Value(Interpreter&, Arguments&)> call) {
    return std::make_shared<const Function>(Function{std::move(name), std::move(call)});
}

Value filtered(Interpreter& interpreter, const std::string& name, const Value& value, Arguments arguments) {
    const auto found = std::ranges::find(kFilters, name, &NamedFilter::name);
    if (found == kFilters.end()) throw unsupported(fmt::format("the filter '{}'", name));
    return found->filter(interpreter, value, arguments);
}

bool tested(Interpreter& interpreter, const std::string& name, const Value& value,
            const Arguments& arguments) {
    interpreter.count_steps(1);
    const auto found = std::ranges::find(kTests, name, &NamedTest::name);
    if (found == kTests.end()) throw unsupported(fmt::format("the test '{}'", name));
    if (!arguments.named.empty() || arguments.given.size() != (found->takes_argument ? 1U : 0U))
        throw failed(fmt::format("the test '{}' with {} arguments", name, arguments.given.size()));
    return found->test(value, found->takes_argument ? arguments.given.front() : Value());
}

std::optional<Value> method_of(const Value& value, const std::string& name) {
    if (value.get<std::string>() != nullptr) return text_method(value, name);
    if (value.get<Dictionary>() != nullptr) return dictionary_method(value, name);
    if (value.get<List>() != nullptr) return list_method(value, name);
    return std::nullopt;
}

Dictionary functions() {
    Dictionary names;
    names.put("range", Value(function("range", range)));
    names.put("dict", Value(function("dict", [](Interpreter&, Arguments& arguments) -> Value {
                  return named("dict", arguments);
              })));
    names.put("namespace", Value(function("namespace", [](Interpreter&, Arguments& arguments) -> Value {
                  auto space = std::make_shared<Namespace>();
                  space->members = named("namespace", arguments);
                  for (const auto& [name, value] : space->members.members) {
                      if (value.space() != nullptr) throw unsupported("a namespace inside a namespace");
                  }
                  return space;
              })));
    names.put("raise_exception",
              Value(function("raise_exception", [](Interpreter&, Arguments& arguments) -> Value {
                  const std::string text =
                      arguments.given.empty() ? std::string() : printed(arguments.given.front());
                  throw Failure{Failure::Kind::raised, text};
              })));
    return names;
}

std::vector<Value> items_of(Interpreter& interpreter, const Value& value) {
    std::vector<Value> items;
    if (const auto* list = value.get<List>()) {
        items = list->items;
    } else if (Sequence* const sequence = value.sequence()) {
        // How far it was read before is not kept.
        if (sequence->is_read) throw unsupported("a generator that is read twice");
        sequence->is_read = true;
        items = std::move(sequence->items);
    } else if (const auto* dictionary = value.get<Dictionary>()) {
        for (const auto& [key, member] : dictionary->members) items.emplace_back(key);
    } else if (const auto* text = value.get<std::string>()) {
        const auto characters = unicode::characters_of(*text);
        for (std::size_t i = 0; i < characters.size(); ++i) {
            const std::size_t end = i + 1 < characters.size() ? characters[i + 1].offset : text->size();
            items.emplace_back(text->substr(characters[i].offset, end - characters[i].offset));
        }
    } else if (!value.is_undefined()) {
        wrong_kind("the items", value);
    }
    interpreter.count_steps(items.size() / 4);
    return items;
}

int order_of(const Value& a, const Value& b, std::string_view sign) {
    const auto sign_of = [](auto left, auto right) { return left < right ? -1 : left > right ? 1 : 0; };
    const auto* text_a = a.get<std::string>();
    const auto* text_b = b.get<std::string>();
    if (text_a != nullptr && text_b != nullptr) return sign_of(*text_a, *text_b);
    const auto number = [](const Value& value) {
        if (const bool* truth = value.get<bool>()) return *truth ? 1.0 : 0.0;
        if (const auto* whole = value.get<std::int64_t>()) return static_cast<double>(*whole);
        return *value.get<double>();
    };
    const auto* whole_a = a.get<std::int64_t>();
    const auto* whole_b = b.get<std::int64_t>();
    if (whole_a != nullptr && whole_b != nullptr) return sign_of(*whole_a, *whole_b);
    if (a.is_number() && b.is_number()) return sign_of(number(a), number(b));
    if (a.get<List>() != nullptr && b.get<List>() != nullptr) throw unsupported("the order of lists");
    throw failed(fmt::format("{} {} {} cannot be compared", kind_of(a), sign, kind_of(b)));
}

bool contains(const Value& container, const Value& item) {
    if (container.sequence() != nullptr) throw unsupported("'in' a generator");
    if (const auto* list = container.get<List>())
        return std::ranges::any_of(list->items, [&](const Value& each) { return equal(each, item); });
    const auto* text = item.get<std::string>();
    if (const auto* dictionary = container.get<Dictionary>())
        return text != nullptr && dictionary->find(*text) != nullptr;
    if (const auto* whole = container.get<std::string>()) {
        if (text == nullptr) throw failed(fmt::format("{} in a text", kind_of(item)));
        return whole->find(*text) != std::string::npos;
    }
    if (container.is_undefined()) return false;
    throw failed(fmt::format("{} has nothing in it", kind_of(container)));
}

}  // namespace splitscope::templates

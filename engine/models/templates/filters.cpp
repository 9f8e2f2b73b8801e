// SPDX-License-Identifier: MIT
// The filters of Jinja: `value | name(arguments)`.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/models/templates/argument_reader.hpp"
#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/collections.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/text_functions.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/parse_number.hpp"

namespace splitscope::templates {
namespace {

/// A sort compares each item this often.
constexpr std::size_t kComparisonsPerItem = 16;

using Filter = Value (*)(Interpreter& interpreter, const Value& value, const Arguments& arguments);

Value trim(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("trim", arguments);
    const Value* characters = reader.next("chars");
    reader.done();
    Budget& budget = interpreter.budget();
    const std::string text = printed(value, budget);
    budget.count_scan(text.size());
    const std::string_view rest = characters == nullptr || characters->is_none()
                                      ? stripped(text, true, true)
                                      : stripped_of(text, printed(*characters, budget), true, true);
    budget.count_bytes(rest.size());
    return rest;
}

Value to_json(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("tojson", arguments);
    // Chat templates have a filter of their own, whose other arguments are only known by name.
    if (!arguments.given.empty()) throw unsupported(msg::kPositionalArguments("tojson"));
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
            throw unsupported(msg::kArgumentOf(name, "tojson"));
    }
    if (ascii != nullptr && is_true(*ascii)) throw unsupported(msg::kArgumentOf("ensure_ascii", "tojson"));
    return json(value, *indent, sorted, interpreter.budget());
}

Value length(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("length", arguments).done();
    return size_of(value, "length", interpreter.budget());
}

Value join(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("join", arguments);
    const Value* given = reader.next("d");
    const Value* attribute = reader.next("attribute");
    reader.done();
    Budget& budget = interpreter.budget();
    const std::string separator = given != nullptr ? printed(*given, budget) : std::string();
    const std::string path = attribute != nullptr ? printed(*attribute, budget) : std::string();
    std::string out;
    bool is_first = true;
    for (const Value& item : items_of(interpreter, value)) {
        if (!is_first) budget.append(out, separator);
        is_first = false;
        print(out, attribute != nullptr ? member_of(item, path, budget) : item, budget);
    }
    return out;
}

Value default_of(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("default", arguments);
    const Value* given = reader.next("default_value");
    const bool also_false = reader.truth_or("boolean", false);
    reader.done();
    if (!value.is_undefined() && (!also_false || is_true(value))) return value;
    return given != nullptr ? *given : Value("");
}

Value replace(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("replace", arguments);
    Budget& budget = interpreter.budget();
    const std::string old = printed(reader.wanted("old"), budget);
    const std::string with = printed(reader.wanted("new"), budget);
    const std::int64_t most = reader.number_or("count", -1);
    reader.done();
    return replaced(printed(value, budget), old, with, most, budget);
}

constexpr std::string_view kCapitalize = "capitalize";
constexpr std::string_view kLower = "lower";
constexpr std::string_view kTitle = "title";
constexpr std::string_view kUpper = "upper";

template <std::string (*kChange)(std::string_view), std::string_view const& kName>
Value changed(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader(kName, arguments).done();
    const std::string text = printed(value, interpreter.budget());
    interpreter.budget().count_bytes(text.size());
    return kChange(text);
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
    ArgumentReader("first", arguments).done();
    return end_item_of(interpreter, value, false, "first");
}

Value last(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("last", arguments).done();
    return end_item_of(interpreter, value, true, "last");
}

Value reverse(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("reverse", arguments).done();
    if (const auto* text = value.get<std::string>()) {
        interpreter.budget().count_scan(text->size());
        interpreter.budget().count_bytes(text->size());
        return reversed(*text);
    }
    std::vector<Value> items = items_of(interpreter, value);
    std::ranges::reverse(items);
    return sequence(List{std::move(items)});
}

Value list(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("list", arguments).done();
    return List{items_of(interpreter, value)};
}

Value items(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("items", arguments).done();
    if (value.is_undefined()) return sequence({});
    const auto* dictionary = value.get<Dictionary>();
    if (dictionary == nullptr) wrong_kind("items", value);
    return sequence(members_of(*dictionary, interpreter.budget()));
}

Value dictsort(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("dictsort", arguments).done();
    const auto* dictionary = value.get<Dictionary>();
    if (dictionary == nullptr) wrong_kind("dictsort", value);
    Dictionary sorted = *dictionary;
    std::size_t bytes = 0;
    for (const auto& [key, member] : sorted.members) bytes += key.size();
    interpreter.budget().count_steps(sorted.members.size() * kComparisonsPerItem);
    interpreter.budget().count_scan(bytes * kComparisonsPerItem);
    std::ranges::stable_sort(sorted.members, {}, [](const auto& member) { return lower(member.first); });
    return members_of(sorted, interpreter.budget());
}

Value sort(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("sort", arguments);
    const bool descending = reader.truth_or("reverse", false);
    const bool by_case = reader.truth_or("case_sensitive", false);
    const Value* attribute = reader.next("attribute");
    reader.done();
    std::vector<Value> items = items_of(interpreter, value);
    Budget& budget = interpreter.budget();
    budget.count_steps(items.size() * kComparisonsPerItem);
    const std::string path = attribute != nullptr ? printed(*attribute, budget) : std::string();
    const auto key = [&](const Value& item) {
        Value key_of_item = attribute != nullptr ? member_of(item, path, budget) : item;
        const auto* text = key_of_item.get<std::string>();
        if (text == nullptr || by_case) return key_of_item;
        budget.count_bytes(text->size());
        return Value(lower(*text));
    };
    std::vector<std::pair<Value, Value>> keyed;
    keyed.reserve(items.size());
    for (Value& item : items) keyed.emplace_back(key(item), std::move(item));
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        return descending ? order_of(b.first, a.first, "<", budget) < 0
                          : order_of(a.first, b.first, "<", budget) < 0;
    });
    List sorted;
    for (auto& [unused, item] : keyed) sorted.items.push_back(std::move(item));
    return sorted;
}

Value as_text(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("string", arguments).done();
    return printed(value, interpreter.budget());
}

Value as_whole(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("int", arguments);
    const std::int64_t default_value = reader.number_or("default", 0);
    reader.done();
    if (const bool* truth = value.get<bool>()) return std::int64_t{*truth ? 1 : 0};
    if (value.get<std::int64_t>() != nullptr) return value;
    if (const auto* number = value.get<double>()) {
        constexpr double kMax = 9e18;
        if (std::isnan(*number)) return default_value;
        if (std::abs(*number) > kMax) throw unsupported(msg::kWideIntegers);
        return static_cast<std::int64_t>(*number);
    }
    const auto* text = value.get<std::string>();
    if (text == nullptr) return default_value;
    interpreter.budget().count_scan(text->size());
    std::string_view digits = stripped(*text, true, true);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (const auto number = parse_number<std::int64_t>(digits)) return *number;
    if (std::ranges::any_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        throw unsupported(msg::kIntOfText);
    return default_value;
}

Value as_decimal(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader("float", arguments).done();
    if (const bool* truth = value.get<bool>()) return *truth ? 1.0 : 0.0;
    if (const auto* number = value.get<std::int64_t>()) return static_cast<double>(*number);
    if (value.get<double>() != nullptr) return value;
    throw unsupported(msg::kOnType("float", kind_of(value)));
}

Value absolute(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader("abs", arguments).done();
    if (const auto* number = value.get<std::int64_t>()) {
        if (*number == std::numeric_limits<std::int64_t>::min()) throw unsupported(msg::kWideIntegers);
        return *number < 0 ? -*number : *number;
    }
    if (const auto* number = value.get<double>()) return std::abs(*number);
    wrong_kind("abs", value);
}

Value indent(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("indent", arguments);
    const Value* width = reader.next("width");
    const bool first_line = reader.truth_or("first", false);
    const bool blank_lines = reader.truth_or("blank", false);
    reader.done();
    Budget& budget = interpreter.budget();
    std::string spaces(4, ' ');
    if (width != nullptr) {
        if (const auto* number = width->get<std::int64_t>()) {
            if (*number > kMaxTemplateIndent) throw too_much(msg::kIndentWidth);
            spaces.assign(static_cast<std::size_t>(std::max<std::int64_t>(*number, 0)), ' ');
        } else {
            spaces = printed(*width, budget);
        }
    }
    std::string text = printed(value, budget);
    budget.append(text, "\n");
    std::string out;
    if (first_line) budget.append(out, spaces);
    budget.count_scan(text.size());
    const std::vector<std::string_view> lines = lines_of(text, budget);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) {
            budget.append(out, "\n");
            if (blank_lines || !lines[i].empty()) budget.append(out, spaces);
        }
        budget.append(out, lines[i]);
    }
    return out;
}

Value unchanged(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("safe", arguments).done();
    return printed(value, interpreter.budget());
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
            throw unsupported(msg::kMoreArguments("map"));
        const std::string path = printed(attribute->second, interpreter.budget());
        for (const Value& item : items_of(interpreter, value)) {
            Value member = member_of(item, path, interpreter.budget());
            if (member.is_undefined() && known == 2) member = default_value->second;
            out.items.push_back(std::move(member));
        }
        return sequence(std::move(out));
    }
    if (arguments.given.empty()) throw failed(msg::kArgumentMissing("map"));
    Arguments rest = arguments;
    rest.given.erase(rest.given.begin());
    const std::string name = printed(arguments.given.front(), interpreter.budget());
    for (const Value& item : items_of(interpreter, value))
        out.items.push_back(filtered(interpreter, name, item, rest));
    return sequence(std::move(out));
}

/// select, reject, selectattr and rejectattr.
template <bool kKeeps, bool kByMember>
Value select(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    Arguments rest = arguments;
    std::string path;
    const auto take = [&] {
        std::string taken = printed(rest.given.front(), interpreter.budget());
        rest.given.erase(rest.given.begin());
        return taken;
    };
    if (kByMember) {
        if (rest.given.empty()) throw failed(msg::kArgumentMissing(kKeeps ? "selectattr" : "rejectattr"));
        path = take();
    }
    const std::string test = rest.given.empty() ? std::string() : take();
    List out;
    for (const Value& item : items_of(interpreter, value)) {
        const Value tested_value = kByMember ? member_of(item, path, interpreter.budget()) : item;
        const bool holds =
            test.empty() ? is_true(tested_value) : tested(interpreter, test, tested_value, rest);
        if (holds == kKeeps) out.items.push_back(item);
    }
    return sequence(std::move(out));
}

/// min and max.
template <bool kGreatest>
Value extreme(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    constexpr const char* kName = kGreatest ? "max" : "min";
    ArgumentReader(kName, arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    if (items.empty()) return Undefined(kName);
    const Value* best = &items.front();
    for (const Value& item : items) {
        if (item.get<std::string>() != nullptr) throw unsupported(msg::kOnType(kName, kind_of(item)));
        const int order = order_of(item, *best, "<", interpreter.budget());
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
    NamedFilter{"capitalize", changed<capitalized, kCapitalize>},
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
    NamedFilter{"lower", changed<lower, kLower>},
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
    NamedFilter{"title", changed<title_of, kTitle>},
    NamedFilter{"tojson", to_json},
    NamedFilter{"trim", trim},
    NamedFilter{"upper", changed<upper, kUpper>},
};

}  // namespace

Value filtered(Interpreter& interpreter, const std::string& name, const Value& value,
               const Arguments& arguments) {
    interpreter.budget().count_steps(1);
    const auto found = std::ranges::find(kFilters, name, &NamedFilter::name);
    if (found == kFilters.end()) throw unsupported(msg::kFilter(name));
    return found->filter(interpreter, value, arguments);
}

}  // namespace splitscope::templates

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

using Filter = Value (*)(Interpreter& interpreter, const Value& value, const Arguments& arguments);

Value trim(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("trim", arguments);
    const Value* characters = reader.next("chars");
    reader.done();
    const std::string text = printed(value);
    if (characters == nullptr || characters->is_none()) return stripped(text, true, true);
    return stripped_of(text, printed(*characters), true, true);
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
    std::string text = json(value, *indent, sorted);
    interpreter.count_bytes(text.size());
    return text;
}

Value length(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader("length", arguments).done();
    return size_of(value, "length");
}

Value join(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("join", arguments);
    const Value* given = reader.next("d");
    const Value* attribute = reader.next("attribute");
    reader.done();
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
    ArgumentReader reader("default", arguments);
    const Value* given = reader.next("default_value");
    const bool also_false = reader.truth_or("boolean", false);
    reader.done();
    if (!value.is_undefined() && (!also_false || is_true(value))) return value;
    return given != nullptr ? *given : Value("");
}

Value replace(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("replace", arguments);
    const std::string old = printed(reader.wanted("old"));
    const std::string with = printed(reader.wanted("new"));
    const std::int64_t most = reader.number_or("count", -1);
    reader.done();
    std::string out = replaced(printed(value), old, with, most);
    interpreter.count_bytes(out.size());
    return out;
}

constexpr std::string_view kCapitalize = "capitalize";
constexpr std::string_view kLower = "lower";
constexpr std::string_view kTitle = "title";
constexpr std::string_view kUpper = "upper";

template <std::string (*kChange)(std::string_view), std::string_view const& kName>
Value changed(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader(kName, arguments).done();
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
    ArgumentReader("first", arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    return items.empty() ? Value(Undefined{"first"}) : items.front();
}

Value last(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("last", arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    return items.empty() ? Value(Undefined{"last"}) : items.back();
}

Value reverse(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("reverse", arguments).done();
    std::vector<Value> items = items_of(interpreter, value);
    std::ranges::reverse(items);
    if (value.get<std::string>() == nullptr) return sequence(List{std::move(items)});
    std::string out;
    for (const Value& item : items) out += printed(item);
    return out;
}

Value list(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader("list", arguments).done();
    return List{items_of(interpreter, value)};
}

Value items(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader("items", arguments).done();
    if (value.is_undefined()) return sequence({});
    const auto* dictionary = value.get<Dictionary>();
    if (dictionary == nullptr) wrong_kind("items", value);
    return sequence(members_of(*dictionary));
}

Value dictsort(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader("dictsort", arguments).done();
    const auto* dictionary = value.get<Dictionary>();
    if (dictionary == nullptr) wrong_kind("dictsort", value);
    Dictionary sorted = *dictionary;
    std::ranges::stable_sort(sorted.members, {}, [](const auto& member) { return lower(member.first); });
    return members_of(sorted);
}

Value sort(Interpreter& interpreter, const Value& value, const Arguments& arguments) {
    ArgumentReader reader("sort", arguments);
    const bool descending = reader.truth_or("reverse", false);
    const bool by_case = reader.truth_or("case_sensitive", false);
    const Value* attribute = reader.next("attribute");
    reader.done();
    std::vector<Value> items = items_of(interpreter, value);
    interpreter.count_steps(items.size() * 16);
    const auto key = [&](const Value& item) {
        Value key_of_item = attribute != nullptr ? member_of(item, printed(*attribute)) : item;
        const auto* text = key_of_item.get<std::string>();
        return text != nullptr && !by_case ? Value(lower(*text)) : key_of_item;
    };
    std::vector<std::pair<Value, Value>> keyed;
    keyed.reserve(items.size());
    for (Value& item : items) keyed.emplace_back(key(item), std::move(item));
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        return descending ? order_of(b.first, a.first, "<") < 0 : order_of(a.first, b.first, "<") < 0;
    });
    List sorted;
    for (auto& [unused, item] : keyed) sorted.items.push_back(std::move(item));
    return sorted;
}

Value as_text(Interpreter&, const Value& value, const Arguments& arguments) {
    ArgumentReader("string", arguments).done();
    return printed(value);
}

Value as_whole(Interpreter&, const Value& value, const Arguments& arguments) {
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
    std::string spaces(4, ' ');
    if (width != nullptr) {
        if (const auto* number = width->get<std::int64_t>()) {
            if (*number > kMaxTemplateIndent) throw too_much(msg::kIndentWidth);
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
    ArgumentReader("safe", arguments).done();
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
            throw unsupported(msg::kMoreArguments("map"));
        const std::string path = printed(attribute->second);
        for (const Value& item : items_of(interpreter, value)) {
            Value member = member_of(item, path);
            if (member.is_undefined() && known == 2) member = default_value->second;
            out.items.push_back(std::move(member));
        }
        return sequence(std::move(out));
    }
    if (arguments.given.empty()) throw failed(msg::kArgumentMissing("map"));
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
        if (rest.given.empty()) throw failed(msg::kArgumentMissing(kKeeps ? "selectattr" : "rejectattr"));
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
    constexpr const char* kName = kGreatest ? "max" : "min";
    ArgumentReader(kName, arguments).done();
    const std::vector<Value> items = items_of(interpreter, value);
    if (items.empty()) return Undefined{kName};
    const Value* best = &items.front();
    for (const Value& item : items) {
        if (item.get<std::string>() != nullptr) throw unsupported(msg::kOnType(kName, kind_of(item)));
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

Value filtered(Interpreter& interpreter, const std::string& name, const Value& value, Arguments arguments) {
    const auto found = std::ranges::find(kFilters, name, &NamedFilter::name);
    if (found == kFilters.end()) throw unsupported(msg::kFilter(name));
    return found->filter(interpreter, value, arguments);
}

}  // namespace splitscope::templates

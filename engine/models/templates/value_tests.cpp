// SPDX-License-Identifier: MIT
// The tests of Jinja: `value is name(argument)`.
#include <algorithm>
#include <array>

#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/collections.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/messages.hpp"

namespace splitscope::templates {
namespace {

bool is_whole(const Value& value) {
    return value.get<std::int64_t>() != nullptr;
}
std::int64_t whole_of(const Value& value, std::string_view test) {
    if (const auto* number = value.get<std::int64_t>()) return *number;
    wrong_kind(test, value);
}

using Test = bool (*)(const Value& value, const Value& argument, Budget& budget);
struct NamedTest {
    std::string_view name;
    bool takes_argument;
    Test test;
};
template <std::string_view const& kSign>
bool ordered(const Value& a, const Value& b, Budget& budget) {
    const int order = order_of(a, b, kSign, budget);
    if (kSign == "<") return order < 0;
    if (kSign == "<=") return order <= 0;
    return kSign == ">" ? order > 0 : order >= 0;
}
constexpr std::string_view kLess = "<";
constexpr std::string_view kLessOrEqual = "<=";
constexpr std::string_view kGreater = ">";
constexpr std::string_view kGreaterOrEqual = ">=";

bool is_equal(const Value& a, const Value& b, Budget& budget) {
    return equal(a, b, budget);
}
bool is_different(const Value& a, const Value& b, Budget& budget) {
    return !equal(a, b, budget);
}
bool is_sequence(const Value& value, const Value&, Budget&) {
    return value.get<List>() != nullptr || value.get<std::string>() != nullptr ||
           value.get<Dictionary>() != nullptr || value.is_undefined();
}
bool is_in(const Value& item, const Value& container, Budget& budget) {
    return contains(container, item, budget);
}

constexpr std::array kTests = {
    NamedTest{"defined", false,
              [](const Value& value, const Value&, Budget&) { return !value.is_undefined(); }},
    NamedTest{"undefined", false,
              [](const Value& value, const Value&, Budget&) { return value.is_undefined(); }},
    NamedTest{"none", false, [](const Value& value, const Value&, Budget&) { return value.is_none(); }},
    NamedTest{"boolean", false,
              [](const Value& value, const Value&, Budget&) { return value.get<bool>() != nullptr; }},
    NamedTest{"true", false,
              [](const Value& value, const Value&, Budget&) {
                  return value.get<bool>() != nullptr && is_true(value);
              }},
    NamedTest{"false", false,
              [](const Value& value, const Value&, Budget&) {
                  return value.get<bool>() != nullptr && !is_true(value);
              }},
    NamedTest{"integer", false, [](const Value& value, const Value&, Budget&) { return is_whole(value); }},
    NamedTest{"float", false,
              [](const Value& value, const Value&, Budget&) { return value.get<double>() != nullptr; }},
    NamedTest{"number", false, [](const Value& value, const Value&, Budget&) { return value.is_number(); }},
    NamedTest{"string", false,
              [](const Value& value, const Value&, Budget&) { return value.get<std::string>() != nullptr; }},
    NamedTest{"mapping", false,
              [](const Value& value, const Value&, Budget&) { return value.get<Dictionary>() != nullptr; }},
    NamedTest{"sequence", false, is_sequence},
    NamedTest{"iterable", false,
              [](const Value& value, const Value& none, Budget& budget) {
                  return value.sequence() != nullptr || is_sequence(value, none, budget);
              }},
    NamedTest{"callable", false,
              [](const Value& value, const Value&, Budget&) { return value.get<Function>() != nullptr; }},
    NamedTest{"odd", false,
              [](const Value& value, const Value&, Budget&) { return whole_of(value, "odd") % 2 != 0; }},
    NamedTest{"even", false,
              [](const Value& value, const Value&, Budget&) { return whole_of(value, "even") % 2 == 0; }},
    NamedTest{"divisibleby", true,
              [](const Value& value, const Value& by, Budget&) {
                  const std::int64_t divisor = whole_of(by, "divisibleby");
                  if (divisor == 0) throw failed(msg::kDivisionByZero);
                  return divisor == -1 || whole_of(value, "divisibleby") % divisor == 0;
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

}  // namespace

bool tested(Interpreter& interpreter, const std::string& name, const Value& value,
            const Arguments& arguments) {
    interpreter.budget().count_steps(1);
    const auto found = std::ranges::find(kTests, name, &NamedTest::name);
    if (found == kTests.end()) throw unsupported(msg::kTest(name));
    if (!arguments.named.empty() || arguments.given.size() != (found->takes_argument ? 1U : 0U))
        throw failed(msg::kWrongArguments(name));
    return found->test(value, found->takes_argument ? arguments.given.front() : Value(),
                       interpreter.budget());
}

}  // namespace splitscope::templates

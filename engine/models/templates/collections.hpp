// SPDX-License-Identifier: MIT
// Shared by filters, tests, methods and functions: building and iterating lists, ordering, membership.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/templates/value.hpp"

namespace splitscope::templates {

class Interpreter;

/// Copying this many items takes about as long as evaluating an expression.
inline constexpr std::size_t kItemsPerStep = 4;

/// Throws Failure: `value` does not have the property named by `of`.
[[noreturn]] void wrong_kind(std::string_view of, const Value& value);

/// The strings as a list.
List texts(const std::vector<std::string_view>& parts, Budget& budget);
/// Items that can be iterated once, like Python's generators.
Value sequence(List list);
/// A list that prints like Python's dictionary views and ranges.
List view(List list);
/// The items of a dictionary as pairs of key and value.
List members_of(const Dictionary& dictionary, Budget& budget);

/// Number of characters, items or members; 0 for undefined. Throws Failure for other kinds, naming `of`.
std::int64_t size_of(const Value& value, std::string_view of, Budget& budget);
/// The member of an item at an attribute path such as "a.b".
Value member_of(const Value& item, std::string_view path, Budget& budget);
/// The items of a loop: list items, dictionary keys or characters.
std::vector<Value> items_of(Interpreter& interpreter, const Value& value);
/// The first or last of these; undefined without any, named by `of`.
Value end_item_of(Interpreter& interpreter, const Value& value, bool is_last, std::string_view of);

/// -1, 0 or 1. Throws Failure for values without an order.
int order_of(const Value& a, const Value& b, std::string_view sign, Budget& budget);
/// Whether a list, string or dictionary contains the item.
bool contains(const Value& container, const Value& item, Budget& budget);

}  // namespace splitscope::templates

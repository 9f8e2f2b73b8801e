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

/// Throws Failure: `value` does not have the property named by `of`.
[[noreturn]] void wrong_kind(std::string_view of, const Value& value);

/// The strings as a list.
List texts(std::vector<std::string> parts);
/// Items that can be iterated once, like Python's generators.
Value sequence(List list);
/// A list that prints like Python's dictionary views and ranges.
List view(List list);
/// The items of a dictionary as pairs of key and value.
List members_of(const Dictionary& dictionary);

/// Number of characters, items or members; 0 for undefined. Throws Failure for other kinds, naming `of`.
std::int64_t size_of(const Value& value, std::string_view of);
/// The member of an item at an attribute path such as "a.b".
Value member_of(const Value& item, std::string_view path);
/// The items of a loop: list items, dictionary keys or characters.
std::vector<Value> items_of(Interpreter& interpreter, const Value& value);

/// -1, 0 or 1. Throws Failure for values without an order.
int order_of(const Value& a, const Value& b, std::string_view sign);
/// Whether a list, string or dictionary contains the item.
bool contains(const Value& container, const Value& item);

}  // namespace splitscope::templates

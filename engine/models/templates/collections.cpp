// SPDX-License-Identifier: MIT
#include "engine/models/templates/collections.hpp"

#include <algorithm>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/interpreter.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/text_functions.hpp"

namespace splitscope::templates {
namespace {

/// Of a string in a list, without its characters: the value, the string and how it is shared.
constexpr std::size_t kTextValueBytes = sizeof(Value) + sizeof(std::string) + 32;

List pair(Value first, Value second) {
    List list;
    list.is_tuple = true;
    list.items = {std::move(first), std::move(second)};
    return list;
}

}  // namespace

void wrong_kind(std::string_view of, const Value& value) {
    if (value.is_undefined()) throw failed(msg::kIsUndefined(value.get<Undefined>()->name));
    throw failed(msg::kDoesNotApply(of, kind_of(value)));
}

List texts(const std::vector<std::string_view>& parts, Budget& budget) {
    List list;
    for (const std::string_view part : parts) {
        budget.count_bytes(kTextValueBytes + part.size());
        list.items.emplace_back(part);
    }
    return list;
}

Value sequence(List list) {
    // The list says how deep its items are.
    const Value whole(std::move(list));
    auto made = std::make_shared<Sequence>();
    made->items = whole.get<List>()->items;
    made->nesting = whole.nesting();
    return Value(std::move(made));
}

List view(List list) {
    list.is_view = true;
    return list;
}

List members_of(const Dictionary& dictionary, Budget& budget) {
    budget.count_steps(dictionary.members.size());
    List list;
    for (const auto& [key, value] : dictionary.members) list.items.emplace_back(pair(Value(key), value));
    return list;
}

std::int64_t size_of(const Value& value, std::string_view of, Budget& budget) {
    if (const auto* text = value.get<std::string>()) {
        budget.count_scan(text->size());
        return static_cast<std::int64_t>(length_of(*text));
    }
    if (const auto* list = value.get<List>()) return static_cast<std::int64_t>(list->items.size());
    if (const auto* dictionary = value.get<Dictionary>())
        return static_cast<std::int64_t>(dictionary->members.size());
    if (value.is_undefined()) return 0;
    wrong_kind(of, value);
}

Value member_of(const Value& item, std::string_view path, Budget& budget) {
    Value value = item;
    while (!path.empty()) {
        const std::size_t point = path.find('.');
        const std::string_view name = path.substr(0, point);
        path = point == std::string_view::npos ? std::string_view() : path.substr(point + 1);
        if (!name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
            throw unsupported(msg::kNumericAttributes);
        const auto* dictionary = value.get<Dictionary>();
        if (value.is_undefined()) throw failed(msg::kIsUndefined(value.get<Undefined>()->name));
        const Value* member = dictionary != nullptr ? dictionary->find(name, budget) : nullptr;
        Value next = member != nullptr ? *member : Value(Undefined(name));
        value = std::move(next);
    }
    return value;
}

std::vector<Value> items_of(Interpreter& interpreter, const Value& value) {
    Budget& budget = interpreter.budget();
    std::vector<Value> items;
    if (const auto* list = value.get<List>()) {
        budget.count_steps(list->items.size() / kItemsPerStep);
        budget.count_bytes(list->items.size() * sizeof(Value));
        items = list->items;
    } else if (Sequence* const sequence = value.sequence()) {
        // How far it was read before is not kept.
        if (sequence->is_read) throw unsupported(msg::kGeneratorTwice);
        sequence->is_read = true;
        budget.count_steps(sequence->items.size() / kItemsPerStep);
        items = std::move(sequence->items);
    } else if (const auto* dictionary = value.get<Dictionary>()) {
        budget.count_steps(dictionary->members.size() / kItemsPerStep);
        for (const auto& [key, member] : dictionary->members) items.emplace_back(key);
    } else if (const auto* text = value.get<std::string>()) {
        const std::size_t count = length_of(*text);
        budget.count_steps(count / kItemsPerStep);
        budget.count_bytes(count * kTextValueBytes);
        for_each_character(*text, [&](char32_t, std::size_t begin, std::size_t end) {
            items.emplace_back(std::string_view(*text).substr(begin, end - begin));
        });
    } else if (!value.is_undefined()) {
        throw failed(msg::kCannotIterate(kind_of(value)));
    }
    return items;
}

Value end_item_of(Interpreter& interpreter, const Value& value, bool is_last, std::string_view of) {
    const auto end_of = [&](const std::vector<Value>& items) {
        return items.empty() ? Value(Undefined(of)) : is_last ? items.back() : items.front();
    };
    const auto* text = value.get<std::string>();
    if (const auto* list = value.get<List>()) return end_of(list->items);
    if (text == nullptr || text->empty()) return end_of(items_of(interpreter, value));
    const auto count = static_cast<std::size_t>(size_of(value, of, interpreter.budget()));
    const std::size_t at = is_last ? count - 1 : 0;
    return characters_between(*text, at, at + 1);
}

int order_of(const Value& a, const Value& b, std::string_view sign, Budget& budget) {
    const auto sign_of = [](auto left, auto right) { return left < right ? -1 : left > right ? 1 : 0; };
    const auto* text_a = a.get<std::string>();
    const auto* text_b = b.get<std::string>();
    if (text_a != nullptr && text_b != nullptr) {
        budget.count_scan(std::min(text_a->size(), text_b->size()));
        return sign_of(*text_a, *text_b);
    }
    const auto number = [](const Value& value) {
        if (const bool* truth = value.get<bool>()) return *truth ? 1.0 : 0.0;
        if (const auto* whole = value.get<std::int64_t>()) return static_cast<double>(*whole);
        return *value.get<double>();
    };
    const auto* whole_a = a.get<std::int64_t>();
    const auto* whole_b = b.get<std::int64_t>();
    if (whole_a != nullptr && whole_b != nullptr) return sign_of(*whole_a, *whole_b);
    if (a.is_number() && b.is_number()) return sign_of(number(a), number(b));
    if (a.get<List>() != nullptr && b.get<List>() != nullptr) throw unsupported(msg::kOrderOfLists);
    throw failed(msg::kNoOrder(kind_of(a), sign, kind_of(b)));
}

bool contains(const Value& container, const Value& item, Budget& budget) {
    if (container.sequence() != nullptr) throw unsupported(msg::kOnType("in", kind_of(container)));
    if (const auto* list = container.get<List>())
        return std::ranges::any_of(list->items, [&](const Value& each) { return equal(each, item, budget); });
    const auto* text = item.get<std::string>();
    if (const auto* dictionary = container.get<Dictionary>())
        return text != nullptr && dictionary->find(*text, budget) != nullptr;
    if (const auto* whole = container.get<std::string>()) {
        if (text == nullptr) throw failed(msg::kStringExpected("in", kind_of(item)));
        return first_place(*whole, *text, 0, budget) != std::string::npos;
    }
    if (container.is_undefined()) return false;
    throw failed(msg::kDoesNotApply("in", kind_of(container)));
}

}  // namespace splitscope::templates

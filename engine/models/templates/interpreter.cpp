// SPDX-License-Identifier: MIT
#include "engine/models/templates/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/models/templates/builtins.hpp"
#include "engine/models/templates/collections.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/text_functions.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::templates {
namespace {

std::optional<std::int64_t> whole_number(const Value& value) {
    if (const bool* truth = value.get<bool>()) return *truth ? 1 : 0;
    if (const auto* number = value.get<std::int64_t>()) return *number;
    return std::nullopt;
}
std::optional<double> number_of(const Value& value) {
    if (const auto number = whole_number(value)) return static_cast<double>(*number);
    if (const auto* number = value.get<double>()) return *number;
    return std::nullopt;
}

[[noreturn]] void cannot_combine(std::string_view sign, const Value& left, const Value& right) {
    throw failed(msg::kUndefinedOperation(kind_of(left), sign, kind_of(right)));
}

Value whole_result(std::string_view sign, std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    bool overflows = false;
    if (sign == "+") {
        overflows = __builtin_add_overflow(left, right, &result);
    } else if (sign == "-") {
        overflows = __builtin_sub_overflow(left, right, &result);
    } else if (sign == "*") {
        overflows = __builtin_mul_overflow(left, right, &result);
    } else if (sign == "**") {
        if (right < 0) return std::pow(static_cast<double>(left), static_cast<double>(right));
        result = 1;
        const bool grows = left > 1 || left < -1;
        if (grows && right > 63) throw unsupported(msg::kWideIntegers);
        for (std::int64_t i = grows ? right : right % 2 + (right > 0 ? 2 : 0); i > 0 && !overflows; --i)
            overflows = __builtin_mul_overflow(result, left, &result);
    } else {
        if (right == 0) throw failed(msg::kDivisionByZero);
        if (sign == "/") return static_cast<double>(left) / static_cast<double>(right);
        if (left == std::numeric_limits<std::int64_t>::min() && right == -1)
            throw unsupported(msg::kWideIntegers);
        const std::int64_t rest = left % right;
        const bool is_lower = rest != 0 && (rest < 0) != (right < 0);
        if (sign == "//") return left / right - (is_lower ? 1 : 0);
        return is_lower ? rest + right : rest;
    }
    if (overflows) throw unsupported(msg::kWideIntegers);
    return result;
}

Value decimal_result(std::string_view sign, double left, double right) {
    if (sign == "+") return left + right;
    if (sign == "-") return left - right;
    if (sign == "*") return left * right;
    if (sign == "**") return std::pow(left, right);
    if (right == 0) throw failed(msg::kDivisionByZero);
    if (sign == "/") return left / right;
    const double rest = std::fmod(left, right);
    const double modulo = rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
    return sign == "%" ? modulo : std::floor((left - modulo) / right + 0.5);
}

}  // namespace

/// Counts the nesting of evaluations.
class Interpreter::Level {
 public:
    explicit Level(Interpreter& interpreter) : interpreter_(interpreter) {
        if (++interpreter_.level_ > kMaxTemplateCallDepth) throw too_much(msg::kCallDepth);
    }
    ~Level() { --interpreter_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

 private:
    Interpreter& interpreter_;
};

/// A nested scope.
class Interpreter::Inner {
 public:
    Inner(Interpreter& interpreter, Scope& outer) : interpreter_(interpreter), before_(interpreter.scope_) {
        scope_.outer = &outer;
        interpreter_.scope_ = &scope_;
    }
    ~Inner() { interpreter_.scope_ = before_; }
    Inner(const Inner&) = delete;
    Inner& operator=(const Inner&) = delete;
    void put(const std::string& name, Value value) { scope_.names[name] = std::move(value); }

 private:
    Interpreter& interpreter_;
    Scope* before_;
    Scope scope_;
};

Interpreter::Interpreter(Dictionary names, const JobContext& job) : budget_(job) {
    for (auto& [name, value] : functions().members) outermost_.names[name] = value;
    for (auto& [name, value] : names.members) outermost_.names[name] = std::move(value);
}

std::string Interpreter::text_of(const Body& body) {
    std::string out;
    run(body, out);
    return out;
}

Value Interpreter::call(const Value& value, Arguments& arguments) {
    const Level level(*this);
    const auto* function = value.get<Function>();
    if (function == nullptr) throw failed(msg::kCannotCall(kind_of(value)));
    return function->call(*this, arguments);
}

// --- statements

Interpreter::Flow Interpreter::run(const Body& body, std::string& out) {
    for (const Statement& statement : body) {
        line_ = statement.line;
        budget_.count_steps(1);
        const Flow flow = run(statement, out);
        if (out.size() > kMaxPromptBytes) throw too_much(msg::kTextSize);
        if (flow != Flow::on) return flow;
    }
    return Flow::on;
}

Interpreter::Flow Interpreter::run(const Statement& statement, std::string& out) {
    const auto text_inside = [&] {
        const Inner inner(*this, *scope_);
        std::string text;
        run(statement.body, text);
        return text;
    };
    switch (statement.kind) {
        case StatementKind::data:
            budget_.append(out, statement.text);
            break;
        case StatementKind::print:
            print(out, value_of(*statement.expression), budget_);
            break;
        case StatementKind::choose:
            for (const Branch& branch : statement.branches) {
                if (branch.condition == nullptr || is_true(value_of(*branch.condition)))
                    return run(branch.body, out);
            }
            break;
        case StatementKind::loop:
            return run_loop(statement, out);
        case StatementKind::set:
            assign(statement, value_of(*statement.expression));
            break;
        case StatementKind::set_text:
            assign(statement, Value(text_inside()));
            break;
        case StatementKind::macro:
            scope_->names[statement.text] = macro(statement);
            break;
        case StatementKind::part:
            budget_.append(out, text_inside());
            break;
        case StatementKind::leave_loop:
            return Flow::leave_loop;
        case StatementKind::next_in_loop:
            return Flow::next_in_loop;
    }
    return Flow::on;
}

void Interpreter::put(const std::vector<std::string>& targets, const Value& value) {
    if (targets.size() == 1) {
        scope_->names[targets.front()] = value;
        return;
    }
    const std::vector<Value> items = items_of(*this, value);
    if (items.size() != targets.size()) throw failed(msg::kValuesForNames(items.size(), targets.size()));
    for (std::size_t i = 0; i < items.size(); ++i) scope_->names[targets[i]] = items[i];
}

void Interpreter::assign(const Statement& statement, Value value) {
    const std::string& target = statement.targets.front();
    const std::size_t point = target.find('.');
    if (point == std::string::npos) return put(statement.targets, value);
    Expression name;
    name.name = target.substr(0, point);
    const Value space = value_of_name(name);
    if (space.space() == nullptr) throw failed(msg::kCannotAssignMember(kind_of(space)));
    space.space()->put(target.substr(point + 1), std::move(value), budget_);
}

Interpreter::Flow Interpreter::run_loop(const Statement& loop, std::string& out) {
    std::vector<Value> items = items_of(*this, value_of(*loop.expression));
    if (loop.condition != nullptr) {
        std::vector<Value> kept;
        for (Value& item : items) {
            const Inner inner(*this, *scope_);
            put(loop.targets, item);
            if (is_true(value_of(*loop.condition))) kept.push_back(std::move(item));
        }
        items = std::move(kept);
    }
    if (items.empty()) return run(loop.fallback, out);
    for (std::size_t i = 0; i < items.size(); ++i) {
        budget_.count_steps(1);
        Inner inner(*this, *scope_);
        inner.put("loop", loop_value(items, i));
        put(loop.targets, items[i]);
        if (run(loop.body, out) == Flow::leave_loop) break;
    }
    return Flow::on;
}

Value Interpreter::loop_value(const std::vector<Value>& items, std::size_t index) {
    const auto whole = [](std::size_t number) { return Value(static_cast<std::int64_t>(number)); };
    Dictionary loop;
    loop.members = {
        {"index", whole(index + 1)},
        {"index0", whole(index)},
        {"revindex", whole(items.size() - index)},
        {"revindex0", whole(items.size() - index - 1)},
        {"first", index == 0},
        {"last", index + 1 == items.size()},
        {"length", whole(items.size())},
        {"previtem", index > 0 ? items[index - 1] : Value(Undefined("loop.previtem"))},
        {"nextitem", index + 1 < items.size() ? items[index + 1] : Value(Undefined("loop.nextitem"))},
        {"cycle", function("cycle", [index](Interpreter&, Arguments& arguments) {
             if (arguments.given.empty()) throw failed(msg::kArgumentMissing("loop.cycle"));
             return arguments.given[index % arguments.given.size()];
         })}};
    // A namespace: unsupported members of a loop must not be taken for undefined.
    auto space = std::make_shared<Namespace>();
    Nesting nesting;
    for (const auto& [name, value] : loop.members) nesting.include(value);
    space->depth = nesting.depth;
    space->members = std::move(loop);
    space->is_loop = true;
    return Value(std::move(space));
}

Value Interpreter::macro(const Statement& statement) {
    return function(statement.text, [&statement, this](Interpreter&, Arguments& arguments) {
        if (arguments.given.size() > statement.parameters.size())
            throw failed(msg::kTooManyArguments(statement.text, statement.parameters.size()));
        Inner inner(*this, outermost_);
        for (std::size_t i = 0; i < statement.parameters.size(); ++i) {
            const Parameter& parameter = statement.parameters[i];
            const auto named = std::ranges::find(arguments.named, parameter.name,
                                                 [](const auto& argument) { return argument.first; });
            if (i < arguments.given.size()) {
                if (named != arguments.named.end()) throw failed(msg::kArgumentTwice(parameter.name));
                inner.put(parameter.name, arguments.given[i]);
            } else if (named != arguments.named.end()) {
                inner.put(parameter.name, named->second);
                arguments.named.erase(named);
            } else if (parameter.fallback != nullptr) {
                inner.put(parameter.name, value_of(*parameter.fallback));
            } else {
                inner.put(parameter.name, Undefined(parameter.name));
            }
        }
        if (!arguments.named.empty())
            throw failed(msg::kNoParameter(statement.text, arguments.named.front().first));
        const std::size_t line = line_;
        std::string text;
        run(statement.body, text);
        line_ = line;
        return Value(std::move(text));
    });
}

// --- expressions

Value Interpreter::value_of(const Expression& expression) {
    const Level level(*this);
    budget_.count_steps(1);
    const auto part = [&](std::size_t i) { return value_of(*expression.parts[i]); };
    switch (expression.kind) {
        case ExpressionKind::constant:
            return expression.value;
        case ExpressionKind::name:
            return value_of_name(expression);
        case ExpressionKind::list:
        case ExpressionKind::tuple: {
            budget_.count_bytes(expression.parts.size() * sizeof(Value));
            List list;
            list.is_tuple = expression.kind == ExpressionKind::tuple;
            for (std::size_t i = 0; i < expression.parts.size(); ++i) list.items.push_back(part(i));
            return list;
        }
        case ExpressionKind::dictionary:
            return dictionary_of(expression);
        case ExpressionKind::attribute:
            return attribute_of(part(0), expression.name);
        case ExpressionKind::item:
            return item_of(part(0), part(1));
        case ExpressionKind::slice:
            return slice_of(expression);
        case ExpressionKind::call: {
            const Value called = part(0);
            if (called.is_undefined()) throw failed(msg::kIsUndefined(called.get<Undefined>()->name));
            Arguments arguments = arguments_of(expression, 1);
            line_ = expression.line;
            return call(called, arguments);
        }
        case ExpressionKind::filter: {
            const Value value = part(0);
            return filtered(*this, expression.name, value, arguments_of(expression, 1));
        }
        case ExpressionKind::test: {
            const Value value = part(0);
            return tested(*this, expression.name, value, arguments_of(expression, 1));
        }
        case ExpressionKind::unary:
            return unary(expression.name, part(0));
        case ExpressionKind::binary:
            return binary(expression);
        case ExpressionKind::comparison:
            return holds(expression);
        case ExpressionKind::both: {
            Value left = part(0);
            return is_true(left) ? part(1) : left;
        }
        case ExpressionKind::either: {
            Value left = part(0);
            return is_true(left) ? left : part(1);
        }
        case ExpressionKind::choice:
            if (is_true(part(0))) return part(1);
            return expression.parts[2] != nullptr ? part(2) : Value(Undefined("else"));
    }
    return {};
}

Dictionary Interpreter::dictionary_of(const Expression& expression) {
    Dictionary dictionary;
    for (std::size_t i = 0; i < expression.parts.size(); i += 2) {
        const Value key = value_of(*expression.parts[i]);
        const auto* text = key.get<std::string>();
        if (text == nullptr) throw unsupported(msg::kKeysNotStrings);
        dictionary.put(*text, value_of(*expression.parts[i + 1]), budget_);
    }
    return dictionary;
}

Value Interpreter::unary(std::string_view sign, const Value& value) {
    if (sign == "not") return !is_true(value);
    if (const auto number = whole_number(value))
        return sign == "-" ? whole_result("-", 0, *number) : Value(*number);
    if (const auto* number = value.get<double>()) return sign == "-" ? -*number : *number;
    throw failed(msg::kUndefinedSign(sign, kind_of(value)));
}

bool Interpreter::holds(const Expression& comparison) {
    Value left = value_of(*comparison.parts[0]);
    for (std::size_t i = 0; i < comparison.operators.size(); ++i) {
        Value right = value_of(*comparison.parts[i + 1]);
        if (!compared(comparison.operators[i], left, right)) return false;
        left = std::move(right);
    }
    return true;
}

Value Interpreter::value_of_name(const Expression& expression) {
    for (const Scope* scope = scope_; scope != nullptr; scope = scope->outer) {
        if (const auto found = scope->names.find(expression.name); found != scope->names.end())
            return found->second;
    }
    for (const char* known : {"cycler", "joiner", "lipsum", "caller", "varargs", "kwargs", "self", "super"}) {
        if (expression.name == known) throw unsupported(msg::kTheName(known));
    }
    return Undefined(expression.name);
}

Arguments Interpreter::arguments_of(const Expression& expression, std::size_t first) {
    Arguments arguments;
    for (std::size_t i = first; i < expression.parts.size(); ++i)
        arguments.given.push_back(value_of(*expression.parts[i]));
    for (const auto& [name, part] : expression.named) arguments.named.emplace_back(name, value_of(*part));
    return arguments;
}

Value Interpreter::attribute_of(const Value& container, const std::string& name) {
    if (container.is_undefined()) throw failed(msg::kIsUndefined(container.get<Undefined>()->name));
    if (const Namespace* space = container.space()) {
        if (const Value* member = space->members.find(name, budget_)) return *member;
        if (space->is_loop) throw unsupported(msg::kTheName("loop." + name));
        return Undefined(name);
    }
    if (auto method = method_of(container, name)) return *std::move(method);
    if (const auto* dictionary = container.get<Dictionary>()) {
        if (const Value* member = dictionary->find(name, budget_)) return *member;
    }
    if (name.starts_with("__")) throw unsupported(msg::kAttribute(name));
    return Undefined(name);
}

Value Interpreter::item_of(const Value& container, const Value& key) {
    if (container.is_undefined()) throw failed(msg::kIsUndefined(container.get<Undefined>()->name));
    if (const auto* text = key.get<std::string>()) {
        if (const auto* dictionary = container.get<Dictionary>()) {
            if (const Value* member = dictionary->find(*text, budget_)) return *member;
        }
        return attribute_of(container, *text);
    }
    const auto index = whole_number(key);
    if (!index) return Undefined(printed(key, budget_));
    const auto place = [&](std::size_t size) -> std::optional<std::size_t> {
        const auto count = static_cast<std::int64_t>(size);
        const std::int64_t at = *index < 0 ? *index + count : *index;
        if (at < 0 || at >= count) return std::nullopt;
        return static_cast<std::size_t>(at);
    };
    if (const auto* list = container.get<List>()) {
        if (list->is_view) throw unsupported(msg::kIndexingView);
        if (const auto at = place(list->items.size())) return list->items[*at];
    } else if (const auto* text = container.get<std::string>()) {
        budget_.count_scan(text->size());
        if (const auto at = place(length_of(*text))) return characters_between(*text, *at, *at + 1);
    }
    return Undefined{fmt::format("[{}]", *index)};
}

Value Interpreter::slice_of(const Expression& slice) {
    const Value container = value_of(*slice.parts[0]);
    const auto bound = [&](std::size_t i) -> std::optional<std::int64_t> {
        if (slice.parts[i] == nullptr) return std::nullopt;
        const Value value = value_of(*slice.parts[i]);
        if (value.is_none()) return std::nullopt;
        const auto number = whole_number(value);
        if (!number) throw failed(msg::kSliceBounds);
        return number;
    };
    const auto first = bound(1);
    const auto last = bound(2);
    const std::int64_t step = bound(3).value_or(1);
    if (step == 0) throw failed(msg::kZeroStep);
    const auto* text = container.get<std::string>();
    const auto* list = container.get<List>();
    if (container.is_undefined()) throw failed(msg::kIsUndefined(container.get<Undefined>()->name));
    if (text == nullptr && list == nullptr) return Undefined("[:]");
    const std::int64_t count = size_of(container, "[:]", budget_);
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? count : count - 1;
    const auto clamped = [&](std::optional<std::int64_t> value, std::int64_t fallback) {
        if (!value) return fallback;
        return std::clamp(*value < 0 ? std::max(*value, -count - 1) + count : *value, low, high);
    };
    const std::int64_t begin = clamped(first, step > 0 ? low : high);
    const std::int64_t end = clamped(last, step > 0 ? high : low);
    const auto for_each_kept = [&](auto visit) {
        for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
            visit(static_cast<std::size_t>(i));
            if (__builtin_add_overflow(i, step, &i)) break;
        }
    };
    if (list != nullptr) {
        budget_.count_steps(list->items.size() / kItemsPerStep);
        budget_.count_bytes(list->items.size() * sizeof(Value));
        List kept;
        kept.is_tuple = list->is_tuple;
        for_each_kept([&](std::size_t i) { kept.items.push_back(list->items[i]); });
        return kept;
    }
    if (step == 1) {
        const std::string_view part =
            characters_between(*text, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        budget_.count_bytes(part.size());
        return part;
    }
    std::vector<std::string_view> characters;
    budget_.count_bytes(static_cast<std::size_t>(count) * sizeof(std::string_view));
    characters.reserve(static_cast<std::size_t>(count));
    for_each_character(*text, [&](char32_t, std::size_t at, std::size_t behind) {
        characters.push_back(std::string_view(*text).substr(at, behind - at));
    });
    std::string out;
    for_each_kept([&](std::size_t i) { budget_.append(out, characters[i]); });
    return out;
}

Value Interpreter::binary(const Expression& expression) {
    const Value left = value_of(*expression.parts[0]);
    const Value right = value_of(*expression.parts[1]);
    const std::string& sign = expression.name;
    if (sign == "~") {
        std::string text;
        print(text, left, budget_);
        print(text, right, budget_);
        return text;
    }
    const auto whole_left = whole_number(left);
    const auto whole_right = whole_number(right);
    if (whole_left && whole_right) return whole_result(sign, *whole_left, *whole_right);
    const auto number_left = number_of(left);
    const auto number_right = number_of(right);
    if (number_left && number_right) return decimal_result(sign, *number_left, *number_right);
    const auto* text_left = left.get<std::string>();
    const auto* text_right = right.get<std::string>();
    const auto* list_left = left.get<List>();
    const auto* list_right = right.get<List>();
    if (sign == "+" && text_left != nullptr && text_right != nullptr) {
        budget_.count_bytes(text_left->size() + text_right->size());
        return *text_left + *text_right;
    }
    if (sign == "+" && list_left != nullptr && list_right != nullptr &&
        list_left->is_tuple == list_right->is_tuple && !list_left->is_view && !list_right->is_view) {
        budget_.count_bytes((list_left->items.size() + list_right->items.size()) * sizeof(Value));
        List sum = *list_left;
        sum.items.insert(sum.items.end(), list_right->items.begin(), list_right->items.end());
        return sum;
    }
    if (sign == "*" && (text_left != nullptr || text_right != nullptr) && (whole_left || whole_right)) {
        const std::string& text = text_left != nullptr ? *text_left : *text_right;
        const auto times =
            static_cast<std::uint64_t>(std::max<std::int64_t>(whole_left ? *whole_left : *whole_right, 0));
        if (!text.empty() && times > kMaxTemplateBytes / text.size()) throw too_much(msg::kTextSize);
        budget_.count_bytes(text.size() * times);
        std::string out;
        for (std::uint64_t i = 0; i < times && !text.empty(); ++i) out += text;
        return out;
    }
    if (sign == "%" && text_left != nullptr) throw unsupported(msg::kPercentFormat);
    if (sign == "*" && (list_left != nullptr || list_right != nullptr)) throw unsupported(msg::kRepeatedList);
    cannot_combine(sign, left, right);
}

bool Interpreter::compared(const std::string& sign, const Value& left, const Value& right) {
    budget_.count_steps(1);
    if (sign == "==") return equal(left, right, budget_);
    if (sign == "!=") return !equal(left, right, budget_);
    if (sign == "in") return contains(right, left, budget_);
    if (sign == "not in") return !contains(right, left, budget_);
    const int order = order_of(left, right, sign, budget_);
    if (sign == "<") return order < 0;
    if (sign == "<=") return order <= 0;
    return sign == ">" ? order > 0 : order >= 0;
}

}  // namespace splitscope::templates

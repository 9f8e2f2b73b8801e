// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace splitscope::templates {

class Budget;
class Interpreter;
class Value;

struct Undefined {
    std::string name;  ///< of the missing variable or member, for messages; shortened
    Undefined() = default;
    explicit Undefined(std::string_view missing);
    friend bool operator==(const Undefined&, const Undefined&) { return true; }
};
struct None {
    friend bool operator==(const None&, const None&) { return true; }
};

/// How deep the values in a value are nested: recursion over values must not overflow the stack.
struct Nesting {
    std::size_t depth = 1;
    bool has_namespace = false;

    /// Throws Failure if `value` is nested too deep to be inside.
    void include(const Value& value);
};

struct List {
    std::vector<Value> items;
    bool is_tuple = false;
    bool is_view = false;  ///< prints like Python's views and ranges
    Nesting nesting = {};
};
/// Members in order of insertion.
struct Dictionary {
    std::vector<std::pair<std::string, Value>> members;
    Nesting nesting = {};
    const Value* find(std::string_view key, Budget& budget) const;
    void put(std::string key, Value value, Budget& budget);
    /// The same for a few members.
    void put(std::string key, Value value);
};
/// The result of `namespace()`, the only mutable value of a template; also the variable `loop`.
struct Namespace {
    Dictionary members;
    std::size_t depth = 1;
    bool is_loop = false;

    /// Throws Failure for values with a namespace inside, whose depth could still grow, and for too deep
    /// ones.
    void put(std::string key, Value value, Budget& budget);
};
/// The result of map and select, which can be iterated once.
struct Sequence {
    std::vector<Value> items;
    Nesting nesting = {};
    bool is_read = false;
};
struct Arguments {
    std::vector<Value> given;
    std::vector<std::pair<std::string, Value>> named;
};
struct Function {
    std::string name;
    std::function<Value(Interpreter&, Arguments&)> call;
    Nesting nesting = {};  ///< of captured values
};

/// A value of the language. Strings, lists and dictionaries are shared and immutable.
class Value {
 public:
    using Text = std::shared_ptr<const std::string>;
    using Content =
        std::variant<Undefined, None, bool, std::int64_t, double, Text, std::shared_ptr<const List>,
                     std::shared_ptr<const Dictionary>, std::shared_ptr<Namespace>, std::shared_ptr<Sequence>,
                     std::shared_ptr<const Function>>;

    Value() = default;
    Value(Undefined undefined) : content_(std::move(undefined)) {}  // NOLINT: a value like any other
    Value(None none) : content_(none) {}                            // NOLINT
    Value(bool truth) : content_(truth) {}                          // NOLINT
    Value(std::int64_t number) : content_(number) {}                // NOLINT
    Value(double number) : content_(number) {}                      // NOLINT
    Value(std::string text) : content_(std::make_shared<const std::string>(std::move(text))) {}  // NOLINT
    Value(std::string_view text) : Value(std::string(text)) {}                                   // NOLINT
    Value(const char* text) : Value(std::string(text)) {}                                        // NOLINT
    Value(List list);                                                                            // NOLINT
    Value(Dictionary dictionary);                                                                // NOLINT
    Value(std::shared_ptr<Namespace> space) : content_(std::move(space)) {}                      // NOLINT
    Value(std::shared_ptr<Sequence> sequence) : content_(std::move(sequence)) {}                 // NOLINT
    Value(std::shared_ptr<const Function> function) : content_(std::move(function)) {}           // NOLINT

    template <class T>
    const T* get() const {
        if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, List> ||
                      std::is_same_v<T, Dictionary> || std::is_same_v<T, Function>) {
            const auto* shared = std::get_if<std::shared_ptr<const T>>(&content_);
            return shared != nullptr ? shared->get() : nullptr;
        } else {
            return std::get_if<T>(&content_);
        }
    }
    Namespace* space() const {
        const auto* shared = std::get_if<std::shared_ptr<Namespace>>(&content_);
        return shared != nullptr ? shared->get() : nullptr;
    }
    Sequence* sequence() const {
        const auto* shared = std::get_if<std::shared_ptr<Sequence>>(&content_);
        return shared != nullptr ? shared->get() : nullptr;
    }
    /// Depth 0 for values without others inside.
    Nesting nesting() const;
    bool is_undefined() const { return get<Undefined>() != nullptr; }
    bool is_none() const { return get<None>() != nullptr; }
    bool is_number() const {
        return get<bool>() != nullptr || get<std::int64_t>() != nullptr || get<double>() != nullptr;
    }

 private:
    Content content_;
};

/// The language's type name, for messages: "str", "list" and so on.
std::string_view kind_of(const Value& value);

bool is_true(const Value& value);
/// Numbers are compared by value, whatever their type.
bool equal(const Value& a, const Value& b, Budget& budget);

/// As printed by a template.
void print(std::string& out, const Value& value, Budget& budget);
std::string printed(const Value& value, Budget& budget);
/// As JSON, in the form of Python's json.dumps: with `indent` spaces for each level, or in one line.
std::string json(const Value& value, const Value& indent, bool sorted, Budget& budget);

}  // namespace splitscope::templates

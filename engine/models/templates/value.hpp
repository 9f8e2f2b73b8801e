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

class Interpreter;
class Value;

struct Undefined {
    std::string name;  ///< of the missing variable or member, for messages
    friend bool operator==(const Undefined&, const Undefined&) { return true; }
};
struct None {
    friend bool operator==(const None&, const None&) { return true; }
};

struct List {
    std::vector<Value> items;
    bool is_tuple = false;
    bool is_view = false;   ///< prints like Python's views and ranges
    std::size_t depth = 1;  ///< nesting depth of lists and dictionaries
};
/// Members in order of insertion.
struct Dictionary {
    std::vector<std::pair<std::string, Value>> members;
    std::size_t depth = 1;
    const Value* find(std::string_view key) const;
    void put(std::string key, Value value);
};
/// The result of `namespace()`, the only mutable value of a template; also the variable `loop`.
struct Namespace {
    Dictionary members;
    bool is_loop = false;
};
/// The result of map and select, which can be iterated once.
struct Sequence {
    std::vector<Value> items;
    std::size_t depth = 1;
    bool is_read = false;
};
struct Arguments {
    std::vector<Value> given;
    std::vector<std::pair<std::string, Value>> named;
};
struct Function {
    std::string name;
    std::function<Value(Interpreter&, Arguments&)> call;
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
    /// Nesting depth of lists and dictionaries.
    std::size_t depth() const;
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
bool equal(const Value& a, const Value& b);

/// As printed by a template.
std::string printed(const Value& value);
/// As JSON, in the form of Python's json.dumps: with `indent` spaces for each level, or in one line.
std::string json(const Value& value, const Value& indent, bool sorted);

}  // namespace splitscope::templates

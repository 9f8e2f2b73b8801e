// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "engine/models/templates/budget.hpp"
#include "engine/models/templates/syntax.hpp"
#include "engine/models/templates/value.hpp"

namespace splitscope::templates {

/// Renders one template once. Throws Failure; `line()` is then the line of the failure.
class Interpreter {
 public:
    /// Global names of the template. The job may stop the rendering.
    Interpreter(Dictionary names, const JobContext& job);

    std::string text_of(const Body& body);
    std::size_t line() const { return line_; }

    Value call(const Value& function, Arguments& arguments);
    Budget& budget() { return budget_; }

 private:
    struct Scope {
        std::map<std::string, Value, std::less<>> names;
        Scope* outer = nullptr;
    };
    enum class Flow { on, leave_loop, next_in_loop };
    class Level;
    class Inner;

    Flow run(const Body& body, std::string& out);
    Flow run(const Statement& statement, std::string& out);
    Flow run_loop(const Statement& loop, std::string& out);
    void assign(const Statement& statement, Value value);
    void put(const std::vector<std::string>& targets, const Value& value);
    Value macro(const Statement& statement);
    Value loop_value(const std::vector<Value>& items, std::size_t index);

    Value value_of(const Expression& expression);
    Value value_of_name(const Expression& expression);
    Dictionary dictionary_of(const Expression& expression);
    Value item_of(const Value& container, const Value& key);
    Value attribute_of(const Value& container, const std::string& name);
    Value slice_of(const Expression& slice);
    Value unary(std::string_view sign, const Value& value);
    Value binary(const Expression& expression);
    /// A chain of comparisons.
    bool holds(const Expression& comparison);
    bool compared(const std::string& sign, const Value& left, const Value& right);
    Arguments arguments_of(const Expression& expression, std::size_t first);

    Scope outermost_;
    Scope* scope_ = &outermost_;
    std::size_t line_ = 1;
    std::size_t level_ = 0;
    Budget budget_;
};

}  // namespace splitscope::templates

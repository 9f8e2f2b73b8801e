// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/models/templates/value.hpp"

namespace splitscope::templates {

struct Expression;
using ExpressionPtr = std::unique_ptr<const Expression>;

enum class ExpressionKind : std::uint8_t {
    constant,
    name,
    list,
    tuple,
    dictionary,  ///< alternating keys and values
    attribute,   ///< parts[0].name
    item,        ///< parts[0][parts[1]]
    slice,       ///< parts[0][parts[1]:parts[2]:parts[3]], each but the first may be null
    call,        ///< parts[0](parts[1], …, named)
    filter,      ///< parts[0] | name(parts[1], …, named)
    test,        ///< parts[0] is name(parts[1], …)
    unary,       ///< name is the operator
    binary,
    comparison,  ///< names of operators in `operators`, one between two parts
    both,
    either,
    choice  ///< parts[1] if parts[0] else parts[2], which may be null
};

struct Expression {
    ExpressionKind kind = ExpressionKind::constant;
    std::size_t line = 1;
    std::size_t depth = 1;
    std::string name;
    Value value;
    std::vector<ExpressionPtr> parts;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    std::vector<std::string> operators;
};

struct Statement;
using Body = std::vector<Statement>;

enum class StatementKind : std::uint8_t {
    data,
    print,
    choose,  ///< the first branch whose condition holds
    loop,
    set,       ///< targets = expression
    set_text,  ///< targets = what the body prints
    macro,
    part,  ///< a body without effect of its own, such as {% generation %}
    leave_loop,
    next_in_loop
};

struct Branch {
    ExpressionPtr condition;  ///< null = the else branch
    Body body;
};
struct Parameter {
    std::string name;
    ExpressionPtr fallback;  ///< may be null
};

struct Statement {
    StatementKind kind = StatementKind::data;
    std::size_t line = 1;
    std::string text;  ///< of data, or the name of a macro
    ExpressionPtr expression;
    ExpressionPtr condition;           ///< of a loop's items; may be null
    std::vector<std::string> targets;  ///< names, or one "space.member"
    std::vector<Branch> branches;
    std::vector<Parameter> parameters;
    Body body;
    Body fallback;  ///< of a loop without items
};

/// Throws Failure; `line` is then its line.
Body parsed(std::string_view source, std::size_t& line);

}  // namespace splitscope::templates

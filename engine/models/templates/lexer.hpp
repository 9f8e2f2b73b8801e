// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope::templates {

enum class TokenType : std::uint8_t {
    data,             ///< text that is printed literally
    begin_print,      ///< {{
    end_print,        ///< }}
    begin_statement,  ///< {%
    end_statement,    ///< %}
    name,
    integer,
    decimal,
    text,
    sign,  ///< an operator, a bracket or a separator
    end
};

struct Token {
    TokenType type = TokenType::end;
    std::string text;
    std::size_t line = 1;
};

/// The tokens of a template, with whitespace control applied: `trim_blocks` and `lstrip_blocks`, as chat
/// templates expect, and the marks "{%-" and "-%}". Throws Failure; `line` is then its line.
std::vector<Token> tokens_of(std::string_view source, std::size_t& line);

}  // namespace splitscope::templates

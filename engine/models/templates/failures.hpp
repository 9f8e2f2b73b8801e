// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

namespace splitscope::templates {

/// Why a template gives no text. Internal to this folder: `Template` throws an Error with the line.
struct Failure {
    enum class Kind { syntax, unsupported, failed, too_much, raised };
    Kind kind;
    std::string what;
};

/// Part of the language, but not supported: no prompt is better than a wrong one.
inline Failure unsupported(std::string what) {
    return {Failure::Kind::unsupported, std::move(what)};
}
/// The template's operation is invalid for these values.
inline Failure failed(std::string what) {
    return {Failure::Kind::failed, std::move(what)};
}
inline Failure too_much(std::string what) {
    return {Failure::Kind::too_much, std::move(what)};
}
inline Failure wrong_syntax(std::string what) {
    return {Failure::Kind::syntax, std::move(what)};
}

}  // namespace splitscope::templates

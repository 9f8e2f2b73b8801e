// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "engine/messages/message.hpp"

namespace splitscope::templates {

/// Why a template cannot be rendered. Internal to this folder: `Template` throws an Error with the line.
struct Failure {
    enum class Kind { syntax, unsupported, failed, too_much, raised };
    Kind kind;
    Message what;
};

/// Part of the language, but not supported: no prompt is better than a wrong one.
inline Failure unsupported(Message what) {
    return {Failure::Kind::unsupported, std::move(what)};
}
/// The template's operation is invalid for these values.
inline Failure failed(Message what) {
    return {Failure::Kind::failed, std::move(what)};
}
inline Failure too_much(Message what) {
    return {Failure::Kind::too_much, std::move(what)};
}
inline Failure wrong_syntax(Message what) {
    return {Failure::Kind::syntax, std::move(what)};
}

}  // namespace splitscope::templates

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

/// An extra function of kinds that remember options: those given, completed by the ones used before or, on a
/// question, allowed by the user.
using UsualOptions = std::function<KindOptions(const KindOptions& given)>;
inline constexpr const char* kUsualOptions = "usual-options";

}  // namespace splitscope

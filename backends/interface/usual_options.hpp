// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

/// An extra function of kinds that remember options: returns the given options, completed by those used last
/// or confirmed by the user.
using UsualOptions = std::function<KindOptions(const KindOptions& given)>;
inline constexpr const char* kUsualOptions = "usual-options";

}  // namespace splitscope

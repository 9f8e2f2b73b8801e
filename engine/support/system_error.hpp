// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope {

/// The message for an errno; the system's own text for rare codes.
Message system_error(int code);

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope {

/// What an errno means; in the system's own words where it is a rare one.
Message system_error(int code);

}  // namespace splitscope

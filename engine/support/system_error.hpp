// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope {

/// The message for an errno; the C library's text for codes without a catalogue entry.
Message system_error(int code);

}  // namespace splitscope

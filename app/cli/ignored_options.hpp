// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

#include "engine/messages/message.hpp"

namespace CLI {
class App;
}

namespace splitscope::cli {

/// Throws Error(usage) at the first given option of these, by their long names.
void refuse_ignored(const CLI::App& command, std::initializer_list<const char*> options, const Message& why,
                    const Message& remedy);

}  // namespace splitscope::cli

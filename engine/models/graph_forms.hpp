// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/messages/message.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/model.hpp"

namespace splitscope {

/// Why models of the architecture have no graph in this form; empty if they have one.
std::optional<Message> why_no_graph(const Architecture& architecture, GraphForm form);

}  // namespace splitscope

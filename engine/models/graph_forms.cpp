// SPDX-License-Identifier: MIT
#include "engine/models/graph_forms.hpp"

#include "engine/models/messages.hpp"

namespace splitscope {

std::optional<Message> why_no_graph(const Architecture& architecture, GraphForm form) {
    if (form != GraphForm::g2025_02 || architecture.older_forms) return std::nullopt;
    return msg::kNeedsNewerOperations(architecture.name);
}

}  // namespace splitscope

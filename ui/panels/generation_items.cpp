// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/generation_items.hpp"

#include <QStandardItemModel>

#include "engine/session/placed_graph.hpp"
#include "ui/models/message_text.hpp"

namespace splitscope::ui {

void enable_generations(QComboBox& box, const OpenedFile* file) {
    auto& items = dynamic_cast<QStandardItemModel&>(*box.model());
    for (const Generation generation : kGenerations) {
        const int at = box.findData(static_cast<int>(generation));
        if (at < 0) continue;
        std::optional<Message> reason;
        if (file != nullptr && file->model) reason = why_not_scheduled(*file->model, generation);
        items.item(at)->setEnabled(!reason);
        items.item(at)->setToolTip(reason ? as_sentence(message_text(*reason), *reason) : QString());
    }
}

}  // namespace splitscope::ui

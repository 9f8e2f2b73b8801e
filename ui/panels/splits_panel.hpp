// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>
#include <QWidget>

#include "ui/models/split_tree.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// Splits with the tensors copied into each, linked with the selection both ways.
class SplitsPanel : public QWidget {
    Q_OBJECT
 public:
    explicit SplitsPanel(const PanelContext& context);
    SplitTreeModel& model() { return model_; }

 private:
    void show_selection();

    Document& document_;
    SplitTreeModel model_;
    BackendDelegate* delegate_;
    QTreeView* tree_;
    bool following_ = false;
};

}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>
#include <QTreeWidget>
#include <QWidget>

#include "ui/panels/panel.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Errors, hazards, fallbacks and other findings with their causes; a click selects the tensor.
class FindingsPanel : public QWidget {
    Q_OBJECT
 public:
    explicit FindingsPanel(const PanelContext& context);
    QTreeWidget& list() { return *list_; }

 private:
    void show_findings();
    void add_remedy(QTreeWidgetItem& item, const Finding& finding);
    void fit_buttons();
    void fit_places();
    void fit_rows();
    void follow(const QTreeWidgetItem* item);

    Document& document_;
    const Theme& theme_;
    PanelLinks& links_;
    QTreeWidget* list_;
    QLabel* none_;
    QTimer fitting_;  ///< until the header has sized all its columns
};

}  // namespace splitscope::ui

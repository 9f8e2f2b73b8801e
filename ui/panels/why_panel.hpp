// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>
#include <QWidget>

#include "ui/models/why.hpp"
#include "ui/panels/panel.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Why the selected tensor is where it is: all decisions on it with evidence and links.
class WhyPanel : public QWidget {
    Q_OBJECT
 public:
    explicit WhyPanel(const PanelContext& context);

    void add_actions(const PanelContext& context);
    const WhyStory& story() const { return story_; }
    QString text() const { return view_->toPlainText(); }
    QString html_text() const { return view_->toHtml(); }
    /// Follows a link such as "backend:0".
    void follow(const QUrl& url);

 private:
    void show_tensor();
    QString html() const;
    QString step_html(const WhyStep& step) const;
    QString link(TensorId tensor) const;
    QString chip(BackendId backend) const;

    Document& document_;
    const Theme& theme_;
    PanelLinks& links_;
    QTextBrowser* view_;
    WhyStory story_;
};

}  // namespace splitscope::ui

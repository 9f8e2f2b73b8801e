// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QStringList>

#include "ui/document/document.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// The answer in one look, whether it fits first, each phrase a link.
class SummaryBar : public QFrame {
    Q_OBJECT
 public:
    SummaryBar(Document& document, const Theme& theme, QWidget* parent = nullptr);
    QString text() const;
    /// The same with its colours and links.
    QString phrases() const { return phrases_->text(); }
    /// Where the phrases lead, in their order.
    QStringList links() const;
    /// Goes where a phrase leads.
    void follow(const QString& link);

 signals:
    void backend_asked(splitscope::BackendId backend);
    void splits_asked();
    void memory_asked();
    void findings_asked();
    void machine_asked();
    void graph_asked();
    void tensor_asked(splitscope::TensorId tensor);

 protected:
    void resizeEvent(QResizeEvent* event) override;

 private:
    void show_summary();
    void place();
    QString graph_text() const;
    QString recorded_text() const;
    QString copied_text(const Summary& summary) const;

    Document& document_;
    const Theme& theme_;
    QLabel* title_;
    QLabel* phrases_;
};

}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QStringList>

#include "ui/document/document.hpp"
#include "ui/document/program_control.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Key figures, starting with the verdict, or with the state of the program whose graph is shown; each phrase
/// is a link.
class SummaryBar : public QFrame {
    Q_OBJECT
 public:
    SummaryBar(Document& document, const ProgramControl& program, const Theme& theme,
               QWidget* parent = nullptr);
    QString text() const;
    /// The text with colours and links.
    QString phrases() const { return phrases_->text(); }
    /// Targets of the links, in order.
    QStringList links() const;
    /// Follows a link.
    void follow(const QString& link);

 signals:
    void backend_panel_requested(splitscope::BackendId backend);
    void splits_requested();
    void memory_bound_exceeded();
    void findings_requested();
    void machine_panel_requested();
    void graph_requested();
    void program_requested(int tab);
    void tensor_requested(splitscope::TensorId tensor);

 protected:
    void resizeEvent(QResizeEvent* event) override;

 private:
    void show_summary();
    void place();
    bool shows_program() const;
    QString program_text() const;
    QString simulation_text() const;
    QString graph_text() const;
    QString recorded_text() const;
    QString copied_text(const Summary& summary) const;

    Document& document_;
    const ProgramControl& program_;
    const Theme& theme_;
    QLabel* title_;
    QLabel* phrases_;
};

}  // namespace splitscope::ui

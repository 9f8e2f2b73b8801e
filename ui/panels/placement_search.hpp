// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "engine/planning/suggest.hpp"
#include "ui/document/document.hpp"

namespace splitscope::ui {

/// Searches for the fastest fitting placement and compares it with the current one.
class PlacementSearch : public QWidget {
    Q_OBJECT
 public:
    explicit PlacementSearch(Document& document, QWidget* parent = nullptr);

    void search();
    /// Applies the result as one undoable edit.
    void apply();

    const std::optional<Suggestion>& suggestion() const { return suggestion_; }
    QPushButton& start_button() { return *start_; }
    QPushButton& apply_button() { return *apply_; }
    QString text() const { return result_->text(); }
    JobChannel& job() { return job_; }

 private:
    void show_session();
    void show_result();
    void forget();

    Document& document_;
    QPushButton* start_;
    QPushButton* cancel_;
    QPushButton* apply_;
    QProgressBar* progress_;
    QLabel* result_;
    std::optional<Suggestion> suggestion_;
    Session searched_;
    JobChannel job_;
};

}  // namespace splitscope::ui

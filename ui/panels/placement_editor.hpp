// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <functional>

#include "ui/document/document.hpp"
#include "ui/models/override_table.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Placement of a model: layers, shares of accelerators, experts, caches, and override rules with live
/// counts. Each change is an undoable edit of the session.
class PlacementEditor : public QGroupBox {
    Q_OBJECT
 public:
    PlacementEditor(Document& document, const Theme& theme, QWidget* parent = nullptr);

    /// Adds a rule for the selected weights, else for all experts.
    void add_rule();
    void remove_rule();
    /// Rules are applied first to last; the first match wins.
    void move_rule(int step);

    QSlider& layers() { return *layers_; }
    QComboBox& split_mode() { return *split_mode_; }
    QLineEdit& shares() { return *shares_; }
    QCheckBox& cpu_experts() { return *cpu_experts_; }
    QSpinBox& expert_blocks() { return *expert_blocks_; }
    QCheckBox& kv_offload() { return *kv_offload_; }
    OverrideTableModel& model() { return model_; }
    QTableView& rules() { return *rules_; }
    QString problem() const { return problem_->text(); }
    QString notes() const { return notes_->text(); }
    JobChannel& count_job() { return count_job_; }

 private:
    void make_fields();
    void make_rules();
    void connect_fields();
    void show_session();
    void show_split_mode(SplitMode mode);
    void show_notes();
    void show_problem(const QString& text);
    void count_matches();
    void edit(const QString& what, const std::function<void(ModelOptions&)>& change, bool gradual = false);
    void set_rules(const QString& what, std::vector<OverrideRule> rules);

    Document& document_;
    OverrideTableModel model_;
    JobChannel count_job_;
    QSlider* layers_;
    QLabel* layers_value_;
    QComboBox* split_mode_;
    QLineEdit* shares_;
    QComboBox* main_device_;
    QCheckBox* cpu_experts_;
    QSpinBox* expert_blocks_;
    QCheckBox* kv_offload_;
    QCheckBox* memory_map_;
    QTableView* rules_;
    QPushButton* add_;
    QPushButton* remove_;
    QPushButton* up_;
    QPushButton* down_;
    QLabel* problem_;
    QLabel* notes_;
    bool showing_ = false;
};

}  // namespace splitscope::ui

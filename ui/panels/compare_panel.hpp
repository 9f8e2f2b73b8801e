// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTabBar>
#include <QTableView>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <optional>

#include "ui/models/difference_table.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"
#include "ui/panels/value_compare_page.hpp"

namespace splitscope::ui {

/// The open session compared with another generation, session or recording: which decisions differ, in which
/// pass, at what cost, and which values differ. Follows edits of the session.
class ComparePanel : public QWidget {
    Q_OBJECT
 public:
    explicit ComparePanel(const PanelContext& context);

    enum Page : int { kDecisions, kValues };
    void show_page(int page) { tabs_->setCurrentIndex(page); }
    int page() const { return tabs_->currentIndex(); }
    ValueComparePage& values() { return *values_; }

    void compare_with(Generation generation);
    void compare_with(const std::filesystem::path& path);
    /// Compares with the recorded decisions of the opened log or recording: on the graph of the file or, if
    /// `model` is not empty, on the graph built from that model and placed as recorded.
    void compare_with_recorded(const std::filesystem::path& model);
    /// Opens the file that was refused because of the memory bound.
    void compare_anyway();
    /// Null before the first result.
    const std::shared_ptr<const Comparison>& comparison() const { return comparison_; }
    DifferenceTableModel& model() { return model_; }
    QTableView& table() { return *table_; }
    QComboBox& other() { return *other_; }
    QComboBox& pass() { return *pass_; }
    /// Follows a link of the text beside the table.
    void follow(const QString& link);
    QCheckBox& only_elsewhere() { return *only_elsewhere_; }
    JobChannel& job() { return job_; }
    /// Shows one side in all views: 0 = the session, 1 = the other side, 2 = the first side, if its graph is
    /// not the one on screen.
    void view_side(int side);
    QButtonGroup& sides() { return *sides_; }
    void add_actions(const PanelContext& context);
    /// Selects the next (+1) or previous (-1) row; false if there is none.
    bool go_to_difference(int step);
    QString figures_text() const;
    /// Which graph is compared and how both sides were built.
    QString built_text() const { return built_->text(); }
    QString detail_text() const;

 private:
    QWidget* make_decisions();
    void offer_recorded();
    void start();
    void show_result(Comparison comparison);
    void show_figures();
    void show_detail(const QModelIndex& current);
    void clear(const QString& message);
    void apply_filter();
    void analysis_changed();
    void show_sides();

    Document& document_;
    const Theme& theme_;
    PanelLinks& links_;
    JobChannel job_;
    DifferenceTableModel model_;
    std::shared_ptr<const Comparison> comparison_;
    std::optional<std::filesystem::path> path_;
    MemoryBound bound_ = MemoryBound::enforced;  ///< for the file at path_
    std::optional<Generation> generation_;
    bool recorded_ = false;  ///< compares with the recorded decisions; path_ is then the model
    QTabBar* tabs_;
    ValueComparePage* values_;
    QComboBox* other_;
    QComboBox* pass_;
    QCheckBox* only_elsewhere_;
    QButtonGroup* sides_;
    std::shared_ptr<const Analysis> compared_;  ///< the session's analysis of the last comparison
    std::shared_ptr<const Analysis> listed_;    ///< the analysis whose tensors comparison_ refers to
    QLabel* built_;
    QLabel* figures_;
    QLabel* detail_;
    QTableView* table_;
    BackendDelegate* mine_;  ///< for decisions of the first side, and ends
    BackendDelegate* other_side_;
};

}  // namespace splitscope::ui

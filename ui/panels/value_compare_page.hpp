// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/charts/node_error_chart.hpp"
#include "ui/document/run_control.hpp"
#include "ui/models/node_error_table.hpp"

namespace splitscope::ui {

/// Compares the values of two devices, runs or sessions node by node, and finds the first node beyond its
/// tolerance.
class ValueComparePage : public QWidget {
    Q_OBJECT
 public:
    ValueComparePage(Document& document, RunControl& control, const Theme& theme, QWidget* parent = nullptr);

    /// What can be compared; devices follow from kFirstDevice on, in the order of the device search.
    enum What : int { kSessionWithCpu, kLastRuns, kOtherSide, kFirstDevice };

    /// The other side of the comparison of decisions; null if there is none.
    void set_other(const QString& name, std::shared_ptr<const Analysis> other);
    void compare(int what);

    /// Null before the first result.
    const std::shared_ptr<const ValueComparison>& comparison() const { return comparison_; }
    NodeErrorTable& model() { return model_; }
    QTableView& table() { return *table_; }
    NodeErrorChart& chart() { return *chart_; }
    QComboBox& what() { return *what_; }
    QLineEdit& prompt() { return *prompt_; }
    QCheckBox& accumulate() { return *accumulate_; }
    QPushButton& go() { return *go_; }
    QPushButton& both() { return *both_; }
    /// Opens the values of the chosen node on both sides.
    void show_both();
    /// Selects the next (+1) or previous (-1) node beyond its tolerance; false if there is none.
    bool go_to_difference(int step);
    QString text() const;
    JobChannel& pair_job() { return pair_job_; }
    JobChannel& job() { return job_; }
    JobChannel& device_job() { return device_job_; }

 protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

 private:
    QWidget* make_bar();
    void fill_choices();
    void show_choice();
    void show_result(ValueComparison comparison);
    void show_text();
    void choose(std::size_t node);
    void follow_selection();
    void clear(const QString& message);
    void divide();

    Document& document_;
    RunControl& control_;
    const Theme& theme_;
    NodeErrorTable model_;
    std::shared_ptr<const ValueComparison> comparison_;
    std::shared_ptr<const Analysis> other_;
    QString other_name_;
    std::optional<std::vector<ComparableDevice>> devices_;
    QComboBox* what_;
    QLineEdit* prompt_;
    QCheckBox* accumulate_;
    QCheckBox* only_exceeding_;
    QPushButton* go_;
    QPushButton* both_;
    QLabel* text_;
    NodeErrorChart* chart_;
    QSplitter* parts_;
    bool divided_by_user_ = false;
    QTableView* table_;
    bool following_ = false;
    JobChannel device_job_;
    JobChannel pair_job_;
    JobChannel job_;
};

}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QWidget>
#include <memory>

#include "engine/execution/tensor_values.hpp"
#include "ui/models/kept_values.hpp"
#include "ui/models/tensor_table.hpp"
#include "ui/panels/panel.hpp"
#include "ui/panels/slice_bar.hpp"
#include "ui/panels/value_pictures.hpp"

namespace splitscope::ui {

/// Values of the selected tensor while a run is paused: a two-dimensional slice as table and heat map,
/// histogram, statistics, editing, and comparison with other sources of the same tensor. Reading, statistics
/// and comparisons run on workers.
class TensorPanel : public QWidget {
    Q_OBJECT
 public:
    explicit TensorPanel(const PanelContext& context);

    void add_actions(const PanelContext& context);

    /// The reference for comparisons. Further values: backends of the machine, each compared with the CPU.
    enum Reference : int { kNothing, kKept, kPreviousRun, kCpuAlone, kFirstBackend };

    TensorTable& model() { return model_; }
    ElementDifferenceTable& differences() { return differences_; }
    QTableView& table() { return *table_; }
    QComboBox& rows() { return slice_bar_->rows(); }
    QComboBox& columns() { return slice_bar_->columns(); }
    QComboBox& reference() { return *reference_; }
    QTabBar& shows() { return *shows_; }
    const std::shared_ptr<const TensorStatistics>& statistics() const { return statistics_; }
    /// Why there are no values; empty if there are.
    QString message() const { return pages_->currentIndex() == 0 ? message_->text() : QString(); }
    QString facts() const { return facts_->text(); }
    QString difference_text() const { return difference_->text(); }
    bool busy() const {
        return control_.writing() || read_job_.running() || slice_job_.running() || compare_job_.running();
    }
    HeatMapView& map() { return pictures_->map(); }
    Histogram& histogram() { return pictures_->histogram(); }
    QLineEdit& scale_low() { return pictures_->scale_low(); }
    QLineEdit& scale_high() { return pictures_->scale_high(); }
    QCheckBox& logarithmic() { return pictures_->logarithmic(); }
    void compare_with(int reference);
    /// Keeps the current values as a reference.
    void keep();
    void save(const QString& path, std::shared_ptr<const TensorCapture> capture);
    /// Saves as .npy, or as .csv for other suffixes.
    void save(const QString& path);
    void copy();
    JobChannel& save_job() { return save_job_; }

 protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    struct Reading {
        std::shared_ptr<const TensorCapture> capture;
        std::shared_ptr<const TensorStatistics> statistics;
    };
    struct Compared {
        std::shared_ptr<const TensorCapture> reference;
        double nmse = 0;
        double largest = 0;
        std::int64_t largest_at = -1;
        std::int64_t differing = 0;
        std::int64_t count = 0;
        DifferenceList list;
    };

    QWidget* make_slice_bar();
    QWidget* make_compare_bar();
    void refresh();
    void show_reading(Reading reading);
    void show_message(const QString& markup);
    void style_values();
    /// Recreates headers that have grown with the longest tensor: 16 bytes per row.
    void renew_headers();
    void show_slice();
    void apply_slice(const SliceChoice& slice);
    void show_map();
    void fit_cells();
    void show_references();
    void show_compared(const Compared& compared);
    void clear_comparison(const QString& text);
    void show_page();
    void show_editable();
    void enter(const Shape& element, float value);
    void ask_save();
    void reveal(const Shape& element);

    Document& document_;
    RunControl& control_;
    const Theme& theme_;
    TensorTable model_;
    ElementDifferenceTable differences_;
    std::shared_ptr<const TensorStatistics> statistics_;
    KeptValues kept_;
    std::uint64_t computation_ = 0;  ///< of the values shown
    bool stale_ = true;              ///< to be read when visible
    bool headers_are_long_ = false;  ///< or were
    int cell_width_ = 86;

    QStackedWidget* pages_;
    QLabel* message_;
    QLabel* facts_;
    SliceBar* slice_bar_;
    QComboBox* format_;
    QSpinBox* digits_;
    QToolButton* undo_;
    QToolButton* redo_;
    QTabBar* shows_;
    QComboBox* reference_;
    QPushButton* keep_;
    QLabel* difference_;
    QStackedWidget* tables_;
    QTableView* table_;
    QTableView* largest_;
    ValuePictures* pictures_;
    JobChannel read_job_;
    JobChannel slice_job_;
    JobChannel compare_job_;
    JobChannel save_job_;
};

}  // namespace splitscope::ui

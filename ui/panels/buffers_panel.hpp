// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "engine/memory/usage_timeline.hpp"
#include "ui/charts/line_chart.hpp"
#include "ui/charts/memory_bars.hpp"
#include "ui/charts/memory_map.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/lifetime_table.hpp"
#include "ui/models/memory_table.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// Contents of the buffers: totals per backend, usage over nodes, memory map.
class BuffersPanel : public QWidget {
    Q_OBJECT
 public:
    explicit BuffersPanel(const PanelContext& context);
    MemoryTableModel& model() { return model_; }
    LifetimeTableModel& lifetimes() { return lifetimes_; }
    /// The tensors live at the peak of the selected buffer.
    LifetimeTableModel& peak() { return peak_; }
    QString peak_text() const { return peak_text_->text(); }
    enum Page : int { kUsage, kMap, kGaps, kLifetimes, kPeak };
    void show_page(int page) { tabs_->setCurrentIndex(page); }
    int page() const { return pages_->currentIndex(); }
    /// Selects the first compute buffer of this type; false if there is none.
    bool show_buffer_of_type(const QString& buffer_type);
    QComboBox& buffer() { return *buffer_; }
    JobChannel& timeline_job() { return timeline_job_; }
    LineChart& usage() { return *usage_; }

 protected:
    void resizeEvent(QResizeEvent* event) override;

 private:
    void show_analysis();
    void show_buffer();
    void fit_totals();
    int room_of_totals() const;
    void fit_buffer_choice();
    void show_usage();
    void show_gaps();
    void show_lifetimes();
    void show_peak_text(const BufferTimeline* timeline);
    void show_reserved();
    QTableView* new_place_table(LifetimeTableModel& model);
    void follow(const LifetimeTableModel& model, QTableView& table, TensorId tensor);
    /// Derived from a plan on a worker.
    struct Usage {
        /// Data of one buffer, reduced to screen resolution.
        struct Lines {
            SeriesPoints bytes;
            SeriesPoints gaps;
            std::shared_ptr<const SeriesPoints> all_bytes;  ///< for zooming in
            std::shared_ptr<const SeriesPoints> all_gaps;
            std::pair<double, double> largest_gap{0, 0};  ///< node, bytes
        };
        std::vector<BufferTimeline> timelines;
        std::vector<Lines> lines;  ///< per timeline
        std::vector<int>
            scheduled_position;  ///< per tensor of the graph: position in the schedule graph, or -1
    };
    static std::shared_ptr<const Usage> usage_of(const Analysis& analysis, const JobContext& job);
    void show_usage_of(std::shared_ptr<const Usage> made);
    /// The selected timeline; empty: all.
    std::optional<std::size_t> chosen_number() const;
    bool is_drawn(std::size_t timeline) const;
    const BufferTimeline* chosen_timeline() const;
    void select_node(double x);
    void show_selection();
    /// Its buffer type.
    QString title_of(const BufferTimeline& timeline) const;
    /// The name of its device if the buffer type has the backend's name, else title_of().
    QString label_of(const BufferTimeline& timeline) const;
    BackendId backend_of(const BufferTimeline& timeline) const;
    std::size_t node_count() const;

    Document& document_;
    const Theme& theme_;
    MemoryTableModel model_;
    BackendDelegate* delegate_;
    MemoryBars* bars_;
    QWidget* left_;
    QTableView* totals_;
    QTabBar* tabs_;
    QComboBox* buffer_;
    QLabel* reserved_;  ///< that more is reserved than the graph shown uses; hidden if not
    QStackedWidget* pages_;
    LineChart* usage_;
    MemoryMap* map_;
    LineChart* gaps_;
    LifetimeTableModel lifetimes_;
    QTableView* lifetime_table_;
    LifetimeTableModel peak_{Places::at_peak};
    QTableView* peak_table_;
    QLabel* peak_text_;
    bool following_ = false;
    std::shared_ptr<const Usage> made_;  ///< null until available
    QString wanted_type_;                ///< to be selected once available
    JobChannel timeline_job_;            ///< last member: its threads end first
};

}  // namespace splitscope::ui

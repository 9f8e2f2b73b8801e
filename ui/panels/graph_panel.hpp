// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QWidget>
#include <memory>

#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/dot_process.hpp"
#include "ui/canvas/layout/collapsed_nodes.hpp"
#include "ui/canvas/minimap.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/paths.hpp"
#include "ui/panels/panel.hpp"
#include "ui/settings.hpp"

namespace splitscope::ui {

/// The canvas with its search bar, minimap and empty state. Layouts are computed on a worker: the built-in
/// layout first, then Graphviz's.
class GraphPanel : public QWidget {
    Q_OBJECT
 public:
    explicit GraphPanel(const PanelContext& context);

    /// Commands for search, zoom, paths, layers and the overview.
    void add_actions(const PanelContext& context);

    CanvasView& canvas() { return *view_; }
    /// Whether the picture is that of the current snapshot; a new one is laid out on a worker.
    bool shows_document() const;
    JobChannel& layout_job() { return layout_job_; }
    JobChannel& collapse_job() { return collapse_job_; }
    void set_dot_options(const DotOptions& options) { dot_options_ = options; }
    /// Opens and focuses the search bar.
    void open_search();
    void find_next(int step);
    /// The first kListedMatches hits of the search, in execution order.
    QListWidget& search_results() { return *results_; }
    static constexpr std::size_t kListedMatches = 200;
    /// Collapses a block of the outline to one box, or expands it.
    void toggle_block(std::size_t block);
    void toggle_block_of_selection();
    void collapse_all(bool collapse);
    std::size_t collapsed_count() const;
    /// Draws each split as one box, with the copies between them; opening a box returns to the graph.
    void set_overview(bool overview);
    bool is_overview() const { return overview_; }
    /// Highlights the direct and indirect inputs of the selected tensor, its outputs, or both.
    void show_path(PathSide side);
    void clear_path() { view_->set_path({}); }
    void set_options(const CanvasOptions& options);
    /// Sets the figure shown by node colours; times are those of the last run.
    void set_colour_by(ColourBy by);
    QString legend() const { return legend_->isVisibleTo(this) ? legend_->text() : QString(); }
    JobChannel& heat_job() { return heat_job_; }
    QLabel& empty_state() { return *empty_; }

 signals:
    void overview_changed(bool overview);
    /// A note about the layout for the status line; empty = none.
    void layout_note(const QString& note);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    /// Links, for the label of the empty state.
    QString open_links() const;
    void show_nothing();
    void show_analysis();
    void refine(std::shared_ptr<const CanvasContent> quick);
    void show_content(std::shared_ptr<const CanvasContent> content, bool keep_view);
    void show_wanted_part();
    void apply_collapsed();
    void show_state();
    void show_selection();
    void show_run_marks();
    void search_changed();
    void close_search();
    void show_match();
    void list_matches();
    void take_match(int step);
    void add_colour_actions(const PanelContext& context);
    void make_heat();
    void show_heat();
    void place_overlays();

    Document& document_;
    RunControl& run_;
    const Theme& theme_;
    CanvasView* view_;
    Minimap* minimap_;
    QFrame* search_bar_;
    QLineEdit* search_;
    QLabel* match_;
    QListWidget* results_;
    bool match_taken_ = false;  ///< the current match was selected; until then Enter selects it
    QLabel* empty_;
    bool has_message_ = false;  ///< in place of the invitation to open a file
    LastRun& last_run_;
    QLabel* legend_;
    ColourBy colour_by_ = ColourBy::backend;
    std::shared_ptr<const NodeHeat> heat_;
    JobChannel heat_job_;
    JobChannel layout_job_;
    JobChannel collapse_job_;
    DotOptions dot_options_;
    QString shown_file_;
    TensorId clicked_;
    bool overview_ = false;
    bool whole_wanted_ = false;  ///< fit the overview once it is laid out
    SplitId split_to_reveal_;    ///< reveal it once the graph is laid out again
    CollapsedNodes collapsed_;
    bool many_splits_ = false;  ///< all blocks are collapsed until the user expands them
    CanvasOptions options_;
};

}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsScene>
#include <QGraphicsView>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "engine/support/job.hpp"
#include "ui/canvas/canvas_content.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

class CrossEdgesItem;

/// A picture of the graph with panning, zooming, selection and search. Independent of documents; reports
/// clicks with signals.
class CanvasView : public QGraphicsView {
    Q_OBJECT
 public:
    explicit CanvasView(const Theme& theme, QWidget* parent = nullptr);
    ~CanvasView() override;

    /// Null clears the canvas. `keep_view` keeps the visible part of the graph.
    void set_content(std::shared_ptr<const CanvasContent> content, bool keep_view);
    const std::shared_ptr<const CanvasContent>& content() const { return content_; }
    void set_replay(std::shared_ptr<const Replay> replay, TensorId just_decided);
    void set_selected(TensorId tensor, SplitId split);
    /// The node where a run is paused or failed, and the nodes with breakpoints.
    void set_run_marks(TensorId at, TensorId failed, std::unordered_set<std::int32_t> breakpoints);
    TensorId run_at() const { return state_.run_at; }
    const std::unordered_set<std::int32_t>& breakpoints() const { return state_.breakpoints; }
    /// Colours the nodes by a figure; null: by backend. `heat` must belong to the content's graph.
    void set_heat(std::shared_ptr<const NodeHeat> heat);
    const std::shared_ptr<const NodeHeat>& heat() const { return state_.heat; }
    /// Dims tensors that are not on the path; empty: none.
    void set_path(std::unordered_set<std::int32_t> path);
    const std::unordered_set<std::int32_t>& path() const { return state_.path; }
    /// The block at a position or of a tensor; none outside of blocks.
    std::optional<std::size_t> block_at(QPoint viewport_place) const;
    std::optional<std::size_t> block_of(TensorId tensor) const;

    /// Highlights all tensors whose name or operation contains the text, or the tensor of an identity such as
    /// Qcur-1@ROPE. Returns their number.
    std::size_t search(const QString& text);
    /// Moves to the next or previous hit and reveals it; none without hits.
    TensorId next_match(int step);
    const std::vector<TensorId>& matches() const { return matches_; }
    std::size_t match_count() const { return matches_.size(); }
    std::size_t match_number() const { return match_at_ + 1; }

    /// Fits the picture to the view, until the user zooms, pans or goes to a tensor.
    void fit();
    bool is_fitted() const { return fitted_; }
    void zoom_by(double factor);
    double zoom() const { return transform().m11(); }
    /// Scrolls to the tensor, and zooms in if it would be illegible.
    void reveal(TensorId tensor, bool may_zoom);
    void reveal_split(SplitId split);
    /// The tensor drawn at a position of the viewport.
    TensorId tensor_at(QPoint viewport_place) const;
    QRectF scene_rect_of(TensorId tensor) const;
    /// Exports the whole picture or the visible part to an SVG or PNG file (by suffix), written atomically.
    /// Throws Error.
    void export_image(const QString& path, bool visible_only);
    /// The same for a worker: what is shown now, which later changes do not affect. Call with content.
    std::function<void(const JobContext&)> image_export(const QString& path, bool visible_only);

 signals:
    void tensor_clicked(splitscope::TensorId tensor);
    void split_clicked(splitscope::SplitId split);
    /// The context menu of a tensor was requested with mouse or keyboard.
    void menu_requested(splitscope::TensorId tensor, const QPoint& global_place);
    /// The background of a block was double-clicked.
    void block_toggled(std::size_t block);
    /// The visible part has changed.
    void view_moved();

 protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;

 private:
    /// Bounds of everything drawn at a zoom, with a margin.
    QRectF picture_bounds(double zoom) const;
    std::optional<ItemRef> item_at(QPoint viewport_place) const;
    SplitId split_at(QPoint viewport_place) const;
    QString tool_tip(ItemRef ref) const;
    QString block_tip(std::size_t block) const;
    QString frame_tip(std::size_t frame) const;
    QString tip_at(QPoint viewport_place) const;
    void walk(int direction);
    void select_beside(int step);
    std::vector<TensorId> readers_of(TensorId tensor) const;
    std::vector<TensorId> sources_of(TensorId tensor) const;

    QGraphicsScene scene_;
    CrossEdgesItem* edges_ = nullptr;  ///< the scene's
    PaintCache cache_;
    CanvasState state_;
    std::shared_ptr<const CanvasContent> content_;
    std::vector<TensorId> matches_;
    std::size_t match_at_ = 0;
    QPoint press_place_;
    bool pressed_ = false;
    bool panning_ = false;
    bool fit_on_show_ = false;
    bool fitted_ =
        false;  ///< the whole picture is in view, and stays so when the view or the picture changes size
    bool settling_ = false;  ///< the current scrolling is not caused by the user
    TensorId walked_from_;   ///< origin of the last step up or down, whose other neighbours are reached by
                             ///< stepping sideways
    int walked_ = 0;
};

}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsScene>
#include <QGraphicsView>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "ui/canvas/canvas_content.hpp"

namespace splitscope::ui {

class CrossEdgesItem;

/// The graph as a picture: pan, zoom, pick, search. Knows nothing of documents; it shows a content and tells
/// what was clicked.
class CanvasView : public QGraphicsView {
    Q_OBJECT
 public:
    explicit CanvasView(const Theme& theme, QWidget* parent = nullptr);
    ~CanvasView() override;

    /// Null clears the canvas. The same part of the graph stays in view when `keep_view` is set.
    void set_content(std::shared_ptr<const CanvasContent> content, bool keep_view);
    const std::shared_ptr<const CanvasContent>& content() const { return content_; }
    void set_replay(std::shared_ptr<const Replay> replay, TensorId just_decided);
    void set_selected(TensorId tensor, SplitId split);
    /// Where a run stands still or failed, and the nodes with breakpoints.
    void set_run_marks(TensorId at, TensorId failed, std::unordered_set<std::int32_t> breakpoints);
    TensorId run_at() const { return state_.run_at; }
    const std::unordered_set<std::int32_t>& breakpoints() const { return state_.breakpoints; }
    /// Colours the nodes by a figure; null: by their backends. Of the content's graph.
    void set_heat(std::shared_ptr<const NodeHeat> heat);
    const std::shared_ptr<const NodeHeat>& heat() const { return state_.heat; }
    /// Dims what is not on the path; empty: shows all alike.
    void set_path(std::unordered_set<std::int32_t> path);
    const std::unordered_set<std::int32_t>& path() const { return state_.path; }
    /// The block that a place or a tensor is in; none outside of blocks.
    std::optional<std::size_t> block_at(QPoint viewport_place) const;
    std::optional<std::size_t> block_of(TensorId tensor) const;

    /// Marks every tensor whose name or operation holds the text, or the one of an identity such as
    /// Qcur-1@ROPE; returns how many, in drawing order.
    std::size_t search(const QString& text);
    /// The n-th hit after (or before) the current one, brought into view; none when there is no hit.
    TensorId next_match(int step);
    const std::vector<TensorId>& matches() const { return matches_; }
    std::size_t match_count() const { return matches_.size(); }
    std::size_t match_number() const { return match_at_ + 1; }

    /// Shows the whole picture, until the user zooms, pans or goes to a tensor.
    void fit();
    bool is_fitted() const { return fitted_; }
    void zoom_by(double factor);
    double zoom() const { return transform().m11(); }
    /// Brings the tensor into view, zooming in when it would be too small to read.
    void reveal(TensorId tensor, bool may_zoom);
    void reveal_split(SplitId split);
    /// The tensor drawn at a place of the viewport.
    TensorId tensor_at(QPoint viewport_place) const;
    QRectF scene_rect_of(TensorId tensor) const;
    /// Draws everything, or what is visible, into an SVG or PNG file (told by its name); one that is there is
    /// replaced at the end or not at all. Throws Error.
    void export_image(const QString& path, bool visible_only);

 signals:
    void tensor_clicked(splitscope::TensorId tensor);
    void split_clicked(splitscope::SplitId split);
    /// The menu of a tensor was asked for, with the mouse or the keyboard.
    void menu_requested(splitscope::TensorId tensor, const QPoint& global_place);
    /// A block's free area was double-clicked.
    void block_toggled(std::size_t block);
    /// The visible part moved or changed size.
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
    /// Everything that is drawn at a zoom, with some room around it.
    QRectF picture_bounds(double zoom) const;
    QRectF part_to_export(bool visible_only) const;
    QByteArray svg_picture(bool visible_only);
    /// In the format that the name tells.
    QByteArray pixel_picture(const QString& path, bool visible_only);
    std::optional<ItemRef> item_at(QPoint viewport_place) const;
    SplitId split_at(QPoint viewport_place) const;
    QString tool_tip(ItemRef ref) const;
    QString block_tip(std::size_t block) const;
    QString frame_tip(std::size_t frame) const;
    QString tip_at(QPoint viewport_place) const;
    void walk(int direction);
    void walk_beside(int step);
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
    bool settling_ = false;  ///< what scrolls now is no move of the user's
    TensorId walked_from_;   ///< where the last step up or down began: its other neighbours lie beside
    int walked_ = 0;
};

}  // namespace splitscope::ui

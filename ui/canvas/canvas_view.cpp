// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_view.hpp"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "engine/scheduler/explain.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/canvas/canvas_items.hpp"
#include "ui/canvas/image_file.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/plain_text.hpp"

namespace splitscope::ui {
namespace {

/// Maps a tensor to another content, possibly of another graph.
TensorId same_tensor(const CanvasContent& before, const CanvasContent& now, TensorId tensor) {
    const auto& there = before.analysis->identities;
    const auto& here = now.analysis->identities;
    if (!tensor.valid() || before.analysis->graph == now.analysis->graph || !there || !here) return tensor;
    return here->find(there->of(tensor));
}

constexpr double kMaxZoom = 3.0;
constexpr double kReadableZoom = 0.75;
constexpr double kMargin = 160;
constexpr int kFitRounds = 3;
constexpr std::size_t kMaxInputs = 10;  ///< that the tip of a split names

Point to_point(QPointF p) {
    return {p.x(), p.y()};
}

}  // namespace

CanvasView::CanvasView(const Theme& theme, QWidget* parent) : QGraphicsView(parent) {
    // The window handles dropped files.
    setAcceptDrops(false);
    viewport()->setAcceptDrops(false);
    state_.colours = &theme.colours();
    state_.cache = &cache_;
    setScene(&scene_);
    scene_.setItemIndexMethod(QGraphicsScene::NoIndex);
    setFrameShape(QFrame::NoFrame);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setOptimizationFlag(QGraphicsView::DontAdjustForAntialiasing);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    viewport()->setCursor(Qt::ArrowCursor);
    // drawBackground() fills everything.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setAutoFillBackground(false);
    connect(&theme, &Theme::changed, this, [this] {
        cache_.forget();
        scene_.invalidate();
        viewport()->update();
    });
}

CanvasView::~CanvasView() {
    // The scroll bars move when the scene is removed, and the minimap follows them: all members must exist.
    setScene(nullptr);
    scene_.clear();
}

void CanvasView::set_content(std::shared_ptr<const CanvasContent> content, bool keep_view) {
    const bool fitted = fitted_;
    const TensorId anchor = state_.selected;
    const bool anchored = keep_view && content_ && anchor.valid();
    const TensorId anchor_now = anchored && content ? same_tensor(*content_, *content, anchor) : TensorId();
    const QPointF old_place = anchored ? QPointF(mapFromScene(scene_rect_of(anchor).center())) : QPointF();
    scene_.clear();
    edges_ = nullptr;
    cache_.forget();
    matches_.clear();
    state_.matches.clear();
    if (!content || !content_ || content->analysis != content_->analysis) {
        state_.path.clear();
        walked_ = 0;
    }
    content_ = std::move(content);
    if (!content_) {
        state_.replay = nullptr;
        return;
    }
    auto* frames = new FramesItem(*content_, state_);
    scene_.addItem(frames);
    scene_.addItem(new FrameTitlesItem(*frames));
    auto* blocks = new BlocksItem(*content_, state_);
    scene_.addItem(blocks);
    edges_ = new CrossEdgesItem(*content_, state_, *blocks);
    scene_.addItem(edges_);
    const QRectF bounds = to_qt(content_->picture.bounds);
    // Margin for panning beyond the picture.
    scene_.setSceneRect(bounds.adjusted(-bounds.width() - kMargin, -bounds.height() - kMargin,
                                        bounds.width() + kMargin, bounds.height() + kMargin));
    if (!keep_view || fitted) {
        fit();
    } else if (anchor_now.valid() && scene_rect_of(anchor_now).isValid()) {
        const QPointF now = mapFromScene(scene_rect_of(anchor_now).center());
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                        static_cast<int>(now.x() - old_place.x()));
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      static_cast<int>(now.y() - old_place.y()));
    }
    viewport()->update();
    emit view_moved();
}

void CanvasView::set_replay(std::shared_ptr<const Replay> replay, TensorId just_decided) {
    state_.replay = std::move(replay);
    state_.just_decided = just_decided;
    viewport()->update();
}

void CanvasView::set_selected(TensorId tensor, SplitId split) {
    state_.selected = tensor;
    state_.split = split;
    viewport()->update();
}

void CanvasView::set_run_marks(TensorId at, TensorId failed, std::unordered_set<std::int32_t> breakpoints) {
    state_.run_at = at;
    state_.failed = failed;
    state_.breakpoints = std::move(breakpoints);
    viewport()->update();
}

void CanvasView::set_heat(std::shared_ptr<const NodeHeat> heat) {
    state_.heat = std::move(heat);
    viewport()->update();
}

void CanvasView::set_path(std::unordered_set<std::int32_t> path) {
    state_.path = std::move(path);
    viewport()->update();
}

std::size_t CanvasView::search(const QString& text) {
    matches_.clear();
    state_.matches.clear();
    match_at_ = 0;
    const QString needle = text.trimmed();
    if (content_ && !needle.isEmpty()) {
        const Graph& graph = *content_->analysis->graph;
        const TensorIdentity identity = TensorIdentity::parse(needle.toStdString());
        const auto& identities = content_->analysis->identities;
        const TensorId one = identity.op && identities ? identities->find(identity) : TensorId();
        const auto look_at = [&](TensorId id) {
            const Tensor& t = graph[id];
            const bool hit = one.valid() ? id == one
                                         : to_text(t.name).contains(needle, Qt::CaseInsensitive) ||
                                               op_label(t).contains(needle, Qt::CaseInsensitive);
            if (hit && content_->outline->home[id.index()].valid()) {
                matches_.push_back(id);
                state_.matches.insert(id.value);
            }
        };
        for (const TensorId id : graph.nodes) look_at(id);
        for (const TensorId id : graph.leafs) look_at(id);
    }
    viewport()->update();
    return matches_.size();
}

TensorId CanvasView::next_match(int step) {
    if (matches_.empty()) return {};
    const auto count = static_cast<std::ptrdiff_t>(matches_.size());
    const auto next = (static_cast<std::ptrdiff_t>(match_at_) + step % count + count) % count;
    match_at_ = static_cast<std::size_t>(next);
    reveal(matches_[match_at_], true);
    return matches_[match_at_];
}

void CanvasView::fit() {
    if (!content_) return;
    fit_on_show_ = !isVisible();
    const QScopedValueRollback<bool> settling(settling_, true);
    // Label sizes depend on the zoom, so the margin is computed after choosing it.
    double wanted = 1;
    QRectF bounds;
    for (int round = 0; round < kFitRounds; ++round) {
        bounds = picture_bounds(wanted);
        fitInView(bounds, Qt::KeepAspectRatio);
        wanted = std::clamp(zoom(), kMinZoom, 1.0);
    }
    if (wanted != zoom()) {
        setTransform(QTransform::fromScale(wanted, wanted));
        centerOn(bounds.center());
    }
    fitted_ = true;
    emit view_moved();
}

QRectF CanvasView::picture_bounds(double zoom) const {
    return bounds_of_picture(*content_, *edges_, zoom);
}

void CanvasView::zoom_by(double factor) {
    const double wanted = std::clamp(zoom() * factor, kMinZoom, kMaxZoom);
    scale(wanted / zoom(), wanted / zoom());
    fitted_ = false;
    emit view_moved();
}

QRectF CanvasView::scene_rect_of(TensorId tensor) const {
    if (!content_ || !tensor.valid() || tensor.index() >= content_->outline->home.size()) return {};
    const ItemRef home = content_->outline->home[tensor.index()];
    // A collapsed layer represents its contents.
    if (home.valid() && content_->collapsed[static_cast<std::size_t>(home.block)]) {
        return to_qt(content_->picture.blocks[static_cast<std::size_t>(home.block)]);
    }
    return home.valid() ? to_qt(content_->picture.box_of(*content_->outline, home)) : QRectF();
}

void CanvasView::reveal(TensorId tensor, bool may_zoom) {
    const QRectF box = scene_rect_of(tensor);
    if (!box.isValid()) return;
    fitted_ = false;
    if (may_zoom && zoom() < kReadableZoom * 0.6) {
        setTransform(QTransform::fromScale(kReadableZoom, kReadableZoom));
        centerOn(box.center());
    } else {
        const QRectF seen = mapToScene(viewport()->rect()).boundingRect();
        const double margin = 40 / zoom();
        if (!seen.adjusted(margin, margin, -margin, -margin).contains(box)) centerOn(box.center());
    }
    emit view_moved();
}

void CanvasView::reveal_split(SplitId split) {
    if (!content_ || !split.valid()) return;
    const auto& frames = content_->outline->frames;
    const auto found = std::ranges::find(frames, split, &Frame::split);
    if (found == frames.end()) return;
    const QRectF box = to_qt(content_->picture.frames[static_cast<std::size_t>(found - frames.begin())]);
    fitted_ = false;
    fitInView(box.adjusted(-40, -70, 40, 40), Qt::KeepAspectRatio);
    if (zoom() > 1) {
        setTransform(QTransform::fromScale(1, 1));
        centerOn(box.center());
    }
    emit view_moved();
}

std::optional<ItemRef> CanvasView::item_at(QPoint viewport_place) const {
    if (!content_) return std::nullopt;
    const Point place = to_point(mapToScene(viewport_place));
    const Picture& picture = content_->picture;
    for (std::size_t b = 0; b < picture.blocks.size(); ++b) {
        if (!picture.blocks[b].contains(place)) continue;
        if (content_->collapsed[b]) return std::nullopt;
        const auto& items = content_->outline->blocks[b].items;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const ItemRef ref{static_cast<std::int32_t>(b), static_cast<std::int32_t>(i)};
            if (picture.box_of(*content_->outline, ref).contains(place)) return ref;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> CanvasView::block_at(QPoint viewport_place) const {
    if (!content_) return std::nullopt;
    const Point place = to_point(mapToScene(viewport_place));
    const auto& blocks = content_->picture.blocks;
    const auto found = std::ranges::find_if(blocks, [&](const Rect& block) { return block.contains(place); });
    if (found == blocks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - blocks.begin());
}

std::optional<std::size_t> CanvasView::block_of(TensorId tensor) const {
    if (!content_ || !tensor.valid() || tensor.index() >= content_->outline->home.size()) return std::nullopt;
    const ItemRef home = content_->outline->home[tensor.index()];
    if (!home.valid()) return std::nullopt;
    return static_cast<std::size_t>(home.block);
}

TensorId CanvasView::tensor_at(QPoint viewport_place) const {
    const auto ref = item_at(viewport_place);
    return ref ? content_->item(*ref).tensor : TensorId();
}

SplitId CanvasView::split_at(QPoint viewport_place) const {
    if (!content_) return {};
    const Point place = to_point(mapToScene(viewport_place));
    for (std::size_t f = 0; f < content_->picture.frames.size(); ++f) {
        if (content_->picture.frames[f].contains(place)) return content_->outline->frames[f].split;
    }
    return {};
}

QString CanvasView::tool_tip(ItemRef ref) const {
    const BlockItem& item = content_->item(ref);
    const Schedule& schedule = content_->schedule();
    const Tensor& t = schedule.tensor(item.tensor);
    QString text = QStringLiteral("<b>%1</b><br>%2 · %3 · %4")
                       .arg(tensor_label(schedule, item.tensor).toHtmlEscaped(), op_label(t), shape_label(t),
                            bytes_text(byte_size(t)));
    if (const QString params = op_params_label(t); !params.isEmpty())
        text += tr("<br>parameters %1").arg(params.toHtmlEscaped());
    const BackendId backend = state_.backend_of(item.tensor);
    text += QStringLiteral("<br>%1").arg(backend.valid()
                                             ? tr("on %1").arg(content_->device(backend).toHtmlEscaped())
                                             : tr("not assigned yet"));
    if (state_.replay && item.tensor.index() < state_.replay->cause().size()) {
        const Cause cause = state_.replay->cause()[item.tensor.index()];
        if (cause.kind != CauseKind::none) {
            text += QStringLiteral(" · <b>%1</b> %2")
                        .arg(to_text(label_of(cause)).toHtmlEscaped(),
                             message_text(explain(cause)).toHtmlEscaped());
        }
    }
    switch (item.kind) {
        case ItemKind::view:
            text += tr("<br><i>view operation: computes nothing, shares memory</i>");
            break;
        case ItemKind::stub:
            text += tr("<br><i>read in several places: drawn at each use</i>");
            break;
        case ItemKind::in_port:
            text += tr("<br><i>computed in an earlier block</i>");
            break;
        case ItemKind::out_port:
            text += tr("<br><i>read by later blocks</i>");
            break;
        default:
            break;
    }
    if (const QString figure = state_.heat ? state_.heat->text_of(item.tensor) : QString(); !figure.isEmpty())
        text += QStringLiteral("<br>%1").arg(figure);
    if (item.tensor == state_.run_at) text += tr("<br><b>the run is paused here</b>");
    if (item.tensor == state_.failed) text += tr("<br><b>the run failed here</b>");
    if (state_.breakpoints.contains(item.tensor.value)) text += tr("<br>has a breakpoint");
    if (content_->in_place[item.tensor.index()]) text += tr("<br><i>in-place: reuses a source's memory</i>");
    return text;
}

/// The tool tip of a collapsed layer.
QString CanvasView::block_tip(std::size_t number) const {
    const Block& block = content_->outline->blocks[number];
    const Graph& graph = *content_->analysis->graph;
    // Nodes that compute, and views.
    std::map<BackendId, std::array<std::size_t, 2>> nodes;
    for (std::size_t p = block.start; p < block.end; ++p) {
        const TensorId node = graph.nodes[p];
        ++nodes[state_.backend_of(node)][is_view_op(graph[node].op) ? 1 : 0];
    }
    QStringList shares;
    for (const auto& [backend, count] : nodes) {
        const QString counts = nodes_text(count[0], count[1]);
        shares += backend.valid() ? tr("%1 on %2").arg(counts, content_->device(backend).toHtmlEscaped())
                                  : tr("%1 not assigned yet").arg(counts);
    }
    return QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
        .arg(BlocksItem::title_of(block).toHtmlEscaped(), shares.join(QStringLiteral("<br>")),
             tr("double-click to open"));
}

/// The tool tip of a split, with its copies.
QString CanvasView::frame_tip(std::size_t number) const {
    const SplitId split = content_->outline->frames[number].split;
    QString text = QStringLiteral("<b>%1</b>").arg(FramesItem::title(*content_, number).toHtmlEscaped());
    if (!split.valid()) return text;
    const Schedule& schedule = content_->schedule();
    const std::vector<TensorId>& inputs = schedule.splits[split.index()].inputs;
    for (std::size_t i = 0; i < inputs.size() && i < kMaxInputs; ++i) {
        text += tr("<br>copied: %1, %2")
                    .arg(tensor_label(schedule, inputs[i]).toHtmlEscaped(),
                         bytes_text(byte_size(schedule.tensor(inputs[i]))));
    }
    if (inputs.size() > kMaxInputs) text += tr("<br>and %1 more").arg(inputs.size() - kMaxInputs);
    return text;
}

QString CanvasView::tip_at(QPoint viewport_place) const {
    if (const auto ref = item_at(viewport_place)) return tool_tip(*ref);
    const auto block = block_at(viewport_place);
    if (block && content_->collapsed[*block] && !content_->is_overview) return block_tip(*block);
    if (!content_ || (block && !content_->is_overview)) return {};
    const Point place = to_point(mapToScene(viewport_place));
    const auto& frames = content_->picture.frames;
    const auto found = std::ranges::find_if(frames, [&](const Rect& frame) { return frame.contains(place); });
    return found == frames.end() ? QString() : frame_tip(static_cast<std::size_t>(found - frames.begin()));
}

std::vector<TensorId> CanvasView::sources_of(TensorId tensor) const {
    std::vector<TensorId> sources;
    const Graph& graph = *content_->analysis->graph;
    // Computed tensors before weights and inputs.
    for (const bool leafs : {false, true}) {
        for (const TensorId s : graph[tensor].src) {
            if (s.valid() && (graph[s].op == Op::none) == leafs &&
                std::ranges::find(sources, s) == sources.end())
                sources.push_back(s);
        }
    }
    return sources;
}

std::vector<TensorId> CanvasView::readers_of(TensorId tensor) const {
    std::vector<TensorId> readers;
    const Graph& graph = *content_->analysis->graph;
    for (const TensorId node : graph.nodes) {
        if (std::ranges::find(graph[node].src, tensor) != graph[node].src.end()) readers.push_back(node);
    }
    return readers;
}

/// +1: to the first reader, -1: to the first computed source, else the first source.
void CanvasView::walk(int direction) {
    if (!content_ || !state_.selected.valid()) return;
    const auto neighbours = direction < 0 ? sources_of(state_.selected) : readers_of(state_.selected);
    if (neighbours.empty()) return;
    walked_from_ = state_.selected;
    walked_ = direction;
    emit tensor_clicked(neighbours.front());
}

/// To the next alternative of the last step up or down.
void CanvasView::select_beside(int step) {
    if (!content_ || !state_.selected.valid() || walked_ == 0 || !walked_from_.valid()) return;
    const auto beside = walked_ < 0 ? sources_of(walked_from_) : readers_of(walked_from_);
    const auto found = std::ranges::find(beside, state_.selected);
    if (found == beside.end()) return;
    const auto count = static_cast<std::ptrdiff_t>(beside.size());
    const auto next = ((found - beside.begin()) + step + count) % count;
    emit tensor_clicked(beside[static_cast<std::size_t>(next)]);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    const QPoint angle = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - angle.y() - angle.x());
    } else {
        zoom_by(std::pow(1.0015, angle.y()));
    }
    event->accept();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        press_place_ = event->pos();
        pressed_ = true;
        panning_ = false;
        event->accept();
        return;
    }
    QGraphicsView::mousePressEvent(event);
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) {
        viewport()->setCursor(item_at(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        QGraphicsView::mouseMoveEvent(event);
        return;
    }
    const QPoint moved = event->pos() - press_place_;
    if (!panning_ && moved.manhattanLength() < QApplication::startDragDistance()) return;
    panning_ = true;
    viewport()->setCursor(Qt::ClosedHandCursor);
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - moved.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
    press_place_ = event->pos();
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = pressed_ && !panning_ && event->button() == Qt::LeftButton;
    pressed_ = false;
    panning_ = false;
    viewport()->setCursor(Qt::ArrowCursor);
    if (!click) return;
    if (const auto ref = item_at(event->pos())) {
        emit tensor_clicked(content_->item(*ref).tensor);
    } else if (const SplitId split = split_at(event->pos()); split.valid()) {
        emit split_clicked(split);
    }
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const TensorId tensor = tensor_at(event->pos()); tensor.valid()) {
        reveal(tensor, true);
    } else if (const auto block = block_at(event->pos())) {
        emit block_toggled(*block);
    } else {
        reveal_split(split_at(event->pos()));
    }
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
            walk(-1);
            break;
        case Qt::Key_Down:
            walk(+1);
            break;
        case Qt::Key_Left:
            select_beside(-1);
            break;
        case Qt::Key_Right:
            select_beside(+1);
            break;
        default:
            QGraphicsView::keyPressEvent(event);
    }
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const TensorId tensor = by_keyboard ? state_.selected : tensor_at(event->pos());
    if (!tensor.valid()) return;
    const QPoint place = by_keyboard ? mapFromScene(scene_rect_of(tensor).center()) : event->pos();
    emit menu_requested(tensor, viewport()->mapToGlobal(place));
    event->accept();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    {
        const QScopedValueRollback<bool> settling(settling_, true);
        QGraphicsView::resizeEvent(event);
    }
    if ((fit_on_show_ || fitted_) && isVisible()) fit();
    emit view_moved();
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    if (!settling_) fitted_ = false;
    emit view_moved();
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        // Empty text hides the tool tip.
        PlainText::show_rich_tip(help->globalPos(), tip_at(help->pos()), *viewport());
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

void CanvasView::drawBackground(QPainter* painter, const QRectF& rect) {
    cache_.use(zoom(), devicePixelRatioF());
    painter->fillRect(rect, state_.colours->canvas);
}

void CanvasView::export_image(const QString& path, bool visible_only) {
    if (content_) image_export(path, visible_only)(JobContext());
}

std::function<void(const JobContext&)> CanvasView::image_export(const QString& path, bool visible_only) {
    ImageRequest request;
    request.content = content_;
    request.colours = *state_.colours;
    request.state = state_;
    request.state.cache = nullptr;
    request.state.large_titles = !visible_only;
    if (visible_only) {
        request.visible = mapToScene(viewport()->rect()).boundingRect();
        request.size = viewport()->size();
    }
    return [path, request](const JobContext& job) { save_image(path, request, job); };
}

}  // namespace splitscope::ui

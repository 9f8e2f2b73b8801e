// SPDX-License-Identifier: GPL-3.0-or-later
// Paths, collapsed layers, neighbours by keyboard, images, views of the buffers, both sides of a comparison,
// settings and the tour.
#include <QAbstractItemModelTester>
#include <QFile>
#include <QPointer>
#include <QRegularExpression>
#include <QTextBrowser>
#include <algorithm>
#include <fstream>
#include <limits>
#include <map>

#include "engine/formats/graph_json.hpp"
#include "tests/gui/sample_graphs.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/canvas/canvas_items.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/settings_dialog.hpp"
#include "ui/dialogs/tour.hpp"
#include "ui/models/paths.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

class CanvasTest : public WindowTest {
 protected:
    CanvasView& canvas() { return graph_panel(window()).canvas(); }
    void trigger(const char* id) { window().actions().find(QLatin1String(id))->trigger(); }
    void wait_for_collapse() {
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !graph_panel(window()).collapse_job().running(); }, kPatienceMs));
    }
};

TEST(Paths, ContainSourcesReadersOrBoth) {
    const auto graph = layered_graph(3);
    const TensorId middle = *graph->find("rope-1");
    const auto inputs = path_of(*graph, middle, PathSide::inputs);
    const auto outputs = path_of(*graph, middle, PathSide::outputs);
    EXPECT_TRUE(inputs.contains(graph->find("Qcur-1")->value));
    EXPECT_TRUE(inputs.contains(graph->find("inp_embd")->value));
    EXPECT_TRUE(inputs.contains(graph->find("blk.1.attn_q.weight")->value));
    EXPECT_FALSE(inputs.contains(graph->find("ffn_out-1")->value));
    EXPECT_TRUE(outputs.contains(graph->find("result_output")->value));
    EXPECT_FALSE(outputs.contains(graph->find("Qcur-1")->value));
    const auto both = path_of(*graph, middle, PathSide::both);
    EXPECT_EQ(both.size(), inputs.size() + outputs.size() - 1);
    EXPECT_TRUE(path_of(*graph, {}, PathSide::both).empty());
}

TEST_F(CanvasTest, PathStaysHighlightedUntilCleared) {
    open_sample();
    document().select_tensor(analysis().graph->nodes[analysis().graph->nodes.size() / 2]);
    const QImage before = canvas().grab().toImage();
    trigger("view.path-inputs");
    EXPECT_TRUE(canvas().path().contains(document().selection().tensor().value));
    EXPECT_NE(canvas().grab().toImage(), before);
    const std::size_t inputs = canvas().path().size();
    trigger("view.path");
    EXPECT_GT(canvas().path().size(), inputs);
    trigger("view.path-clear");
    EXPECT_TRUE(canvas().path().empty());
}

TEST_F(CanvasTest, LayersCollapseAndExpand) {
    open_sample();
    const Rect full = canvas().content()->picture.bounds;
    trigger("view.collapse-all");
    wait_for_collapse();
    const auto& collapsed = *canvas().content();
    EXPECT_EQ(graph_panel(window()).collapsed_count(), collapsed.outline->blocks.size());
    EXPECT_LT(collapsed.picture.bounds.width * collapsed.picture.bounds.height, full.width * full.height / 4);
    // A tensor inside a collapsed layer is represented by the layer, which must not take clicks for it.
    const TensorId node = analysis().graph->nodes[analysis().graph->nodes.size() / 2];
    document().select_tensor(node);
    const QRectF box = canvas().scene_rect_of(node);
    const QPoint place = canvas().mapFromScene(box.center());
    EXPECT_FALSE(canvas().tensor_at(place).valid());
    EXPECT_EQ(canvas().block_at(place), canvas().block_of(node));
    EXPECT_FALSE(canvas().grab().isNull());
    QTest::mouseDClick(canvas().viewport(), Qt::LeftButton, {}, place);
    wait_for_collapse();
    EXPECT_EQ(graph_panel(window()).collapsed_count(), canvas().content()->outline->blocks.size() - 1);
    EXPECT_LT(canvas().scene_rect_of(node).width(), box.width());
    trigger("view.expand-all");
    wait_for_collapse();
    EXPECT_EQ(canvas().content()->picture.bounds, full);
}

TEST_F(CanvasTest, ManySplitsStartCollapsed) {
    const std::string file = scratch_file(QStringLiteral("many.graph.json")).toStdString();
    std::ofstream(file) << write_graph_json(*layered_graph(25));
    window().open_file(file);
    settle();
    const auto without = [this](std::vector<std::string> ops) {
        Session changed = document().session();
        changed.machine.backends[0].unsupported_ops = std::move(ops);
        document().edit(QStringLiteral("other operations"), changed);
        settle();
    };
    EXPECT_EQ(graph_panel(window()).collapsed_count(), 0U);
    without({"ROPE"});
    ASSERT_GT(analysis().schedule->splits.size(), 40U);
    EXPECT_EQ(graph_panel(window()).collapsed_count(), canvas().content()->outline->blocks.size());
    trigger("view.expand-all");
    wait_for_collapse();
    EXPECT_EQ(graph_panel(window()).collapsed_count(), 0U);
    without({"ROPE", "RMS_NORM"});
    EXPECT_EQ(graph_panel(window()).collapsed_count(), 0U);
    without({});
    without({"ROPE"});
    EXPECT_GT(graph_panel(window()).collapsed_count(), 0U);
    without({});
    EXPECT_EQ(graph_panel(window()).collapsed_count(), 0U);
}

TEST_F(CanvasTest, ManySplitsStayCollapsedAfterAnEdit) {
    const std::string file = scratch_file(QStringLiteral("many.graph.json")).toStdString();
    std::ofstream(file) << write_graph_json(*layered_graph(25));
    window().open_file(file);
    settle();
    const auto without = [this](std::vector<std::string> ops) {
        Session changed = document().session();
        changed.machine.backends[0].unsupported_ops = std::move(ops);
        document().edit(QStringLiteral("other operations"), changed);
        settle();
        wait_for_collapse();
    };
    without({"ROPE", "RMS_NORM"});
    const std::size_t before = canvas().content()->outline->blocks.size();
    without({"ROPE"});
    const auto& content = *canvas().content();
    ASSERT_GT(content.outline->blocks.size(), before);
    EXPECT_EQ(std::ranges::count(content.collapsed, false), 0);
    // What the user expanded stays visible, also in a larger block, and is alone again after undo.
    const TensorId node = analysis().graph->nodes[analysis().graph->nodes.size() / 2];
    document().select_tensor(node);
    trigger("view.collapse");
    wait_for_collapse();
    const auto expanded = [this] { return std::ranges::count(canvas().content()->collapsed, false); };
    ASSERT_EQ(expanded(), 1);
    without({"ROPE", "RMS_NORM"});
    EXPECT_FALSE(canvas().content()->collapsed[*canvas().block_of(node)]);
    EXPECT_GT(std::ranges::count(canvas().content()->collapsed, true), 0);
    document().undo_stack().undo();
    settle();
    wait_for_collapse();
    EXPECT_FALSE(canvas().content()->collapsed[*canvas().block_of(node)]);
    EXPECT_EQ(expanded(), 1);
}

TEST_F(CanvasTest, CollapsedLayersSurviveAnEdit) {
    open_sample();
    trigger("view.collapse-all");
    wait_for_collapse();
    window().machine().layers().setValue(0);
    settle();
    wait_for_collapse();
    const auto& content = *canvas().content();
    EXPECT_GT(std::ranges::count(content.collapsed, true), 0);
}

TEST_F(CanvasTest, ArrowKeysSelectNeighbours) {
    open_sample();
    const Graph& graph = *analysis().graph;
    TensorId node;
    for (const TensorId n : graph.nodes) {
        if (graph[n].op == Op::add) node = n;
    }
    ASSERT_TRUE(node.valid());
    document().select_tensor(node);
    canvas().setFocus();
    QTest::keyClick(&canvas(), Qt::Key_Up);
    const TensorId source = document().selection().tensor();
    EXPECT_NE(source, node);
    QTest::keyClick(&canvas(), Qt::Key_Right);
    const TensorId beside = document().selection().tensor();
    EXPECT_NE(beside, source);
    EXPECT_NE(std::ranges::find(graph[node].src, beside), graph[node].src.end());
    QTest::keyClick(&canvas(), Qt::Key_Left);
    EXPECT_EQ(document().selection().tensor(), source);
    QTest::keyClick(&canvas(), Qt::Key_Down);
    EXPECT_TRUE(document().selection().tensor().valid());
}

TEST_F(CanvasTest, ExportsTheVisiblePart) {
    open_sample();
    canvas().reveal(analysis().graph->nodes[3], true);
    for (const char* name : {"part.svg", "part.png"}) {
        const QString path = scratch_file(QLatin1String(name));
        canvas().export_image(path, true);
        EXPECT_GT(QFile(path).size(), 1000) << name;
    }
}

TEST_F(CanvasTest, BuffersShowGapsAndLifetimesAndFollowTheSelection) {
    open_sample();
    LifetimeTableModel& model = buffers_panel(window()).lifetimes();
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !buffers_panel(window()).timeline_job().running(); }, kPatienceMs));
    window().show_panel(QStringLiteral("buffers"));
    buffers_panel(window()).show_page(BuffersPanel::kGaps);
    EXPECT_EQ(buffers_panel(window()).page(), BuffersPanel::kGaps);
    buffers_panel(window()).show_page(BuffersPanel::kLifetimes);
    ASSERT_GT(model.rowCount(), 0);
    for (int column = 0; column < LifetimeTableModel::kColumnCount; ++column) {
        model.sort(column, Qt::DescendingOrder);
    }
    // "start" is not a node.
    model.sort(LifetimeTableModel::kNodes, Qt::DescendingOrder);
    const QString longest = model.index(0, LifetimeTableModel::kNodes).data().toString();
    EXPECT_EQ(longest.section(QLatin1Char(','), 0, 0).toULongLong(), analysis().schedule->nodes.size());
    model.sort(LifetimeTableModel::kBytes, Qt::DescendingOrder);
    for (int row = 1; row < model.rowCount(); ++row) EXPECT_GE(model.at(row - 1).size, model.at(row).size);
    const TensorId tensor = model.at(0).tensor;
    if (!analysis().schedule->is_added(tensor)) {
        document().select_tensor(tensor);
        EXPECT_EQ(model.row_of(tensor), 0);
    }
}

TEST_F(CanvasTest, BuffersShowTheTensorsAtThePeak) {
    open_sample();
    BuffersPanel& buffers = buffers_panel(window());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !buffers.timeline_job().running(); }, kPatienceMs));
    window().show_panel(QStringLiteral("buffers"));
    QAbstractItemModelTester tester(&buffers.peak(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    buffers.show_page(BuffersPanel::kPeak);
    ASSERT_GT(buffers.peak().rowCount(), 1);
    std::uint64_t together = 0;
    for (int row = 0; row < buffers.peak().rowCount(); ++row) together += buffers.peak().at(row).size;
    EXPECT_TRUE(buffers.peak_text().contains(bytes_text(together))) << buffers.peak_text().toStdString();
    EXPECT_GE(buffers.peak().at(0).size, buffers.peak().at(1).size);
    for (int column = 0; column < LifetimeTableModel::kColumnCount; ++column)
        buffers.peak().sort(column, Qt::AscendingOrder);
}

TEST_F(CanvasTest, TotalsAreComparedWithDeviceMemory) {
    open_sample();
    const MemoryTableModel& totals = buffers_panel(window()).model();
    const auto total = [&](int role) { return totals.index(0, MemoryTableModel::kTotal).data(role); };
    EXPECT_FALSE(total(Qt::ForegroundRole).isValid());
    EXPECT_EQ(totals.index(0, MemoryTableModel::kCapacity).data().toString(), QStringLiteral("not known"));
    Session changed = document().session();
    changed.devices[changed.machine.backends[0].name].memory_free = std::uint64_t{1} << 20;
    document().edit(QStringLiteral("memory"), changed);
    settle();
    EXPECT_EQ(totals.index(0, MemoryTableModel::kCapacity).data().toString(), bytes_text(1 << 20));
    EXPECT_EQ(total(Qt::ForegroundRole).value<QColor>(), theme_.colours().error);
    EXPECT_TRUE(total(Qt::ToolTipRole).toString().contains(QStringLiteral("more than")));
    EXPECT_TRUE(MemoryBars::used_text(3 << 20, 1 << 20).contains(QStringLiteral("short")));
    EXPECT_FALSE(MemoryBars::used_text(1 << 19, 1 << 20).contains(QStringLiteral("short")));
    EXPECT_FALSE(buffers_panel(window()).grab().isNull());
}

TEST_F(CanvasTest, EveryViewShowsTheOtherSide) {
    open_sample();
    const auto own = document().analysis();
    compare_panel(window()).compare_with(Generation::g2026_08);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
    ASSERT_NE(compare_panel(window()).comparison(), nullptr);
    const auto other = compare_panel(window()).comparison()->b;
    compare_panel(window()).view_side(1);
    settle();
    EXPECT_EQ(document().analysis(), other);
    EXPECT_EQ(document().own_analysis(), own);
    EXPECT_EQ(canvas().content()->analysis, other);
    EXPECT_EQ(static_cast<std::size_t>(nodes_panel(window()).model().rowCount()), other->graph->nodes.size());
    document().select_tensor(other->graph->nodes[4]);
    EXPECT_FALSE(why_panel(window()).text().isEmpty());
    document().navigation().step_decision(-1);
    EXPECT_TRUE(window().differences().text().contains(compare_panel(window()).comparison()->name_b));
    compare_panel(window()).view_side(0);
    settle();
    EXPECT_EQ(document().analysis(), own);
    EXPECT_EQ(compare_panel(window()).comparison()->b, other);
    // An edit returns to the session.
    compare_panel(window()).view_side(1);
    settle();
    window().machine().layers().setValue(0);
    settle();
    EXPECT_FALSE(document().viewing_other());
    EXPECT_EQ(document().session().model_options.gpu_layers, 0);
}

TEST_F(CanvasTest, SettingsApplyAtOnceAndPersist) {
    SettingsDialog dialog(settings_, theme_);
    dialog.theme().setCurrentIndex(dialog.theme().findData(static_cast<int>(ThemeMode::light)));
    EXPECT_FALSE(theme_.colours().dark);
    dialog.generation().setCurrentIndex(dialog.generation().findData(static_cast<int>(Generation::g2026_08)));
    dialog.graphviz().setChecked(false);
    dialog.autosave().setChecked(false);
    EXPECT_EQ(settings_.generation(), Generation::g2026_08);
    EXPECT_FALSE(settings_.canvas().graphviz);
    EXPECT_FALSE(settings_.autosave());
    make_window();
    window().show();
    open_sample();
    EXPECT_EQ(analysis().schedule->generation, Generation::g2026_08);
}

TEST_F(CanvasTest, TourAdvancesAndCanBeSkipped) {
    open_sample();
    window().start_tour();
    auto* tour = window().findChild<Tour*>();
    ASSERT_NE(tour, nullptr);
    const QString first = tour->title();
    QTest::mouseClick(&tour->next(), Qt::LeftButton);
    EXPECT_NE(tour->title(), first);
    QTest::keyClick(tour, Qt::Key_Escape);
    EXPECT_TRUE(settings_.tour_done());
    ASSERT_TRUE(QTest::qWaitFor([&] { return window().findChild<Tour*>() == nullptr; }, kPatienceMs));
    window().start_tour();
    window().start_tour();
    EXPECT_EQ(window().findChildren<Tour*>().size(), 1) << "one at a time";
    tour = window().findChild<Tour*>();
    for (int i = 0; i < 10 && window().findChild<Tour*>(); ++i) {
        window().findChild<Tour*>()->next().click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    EXPECT_EQ(window().findChild<Tour*>(), nullptr);
}

/// The meaning of a term in docs/glossary.md, as plain text and without the name that ggml has for it.
QString documented_meaning(const QString& term) {
    QFile file(QStringLiteral(SPLITSCOPE_SOURCE_DIR "/docs/glossary.md"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    static const QRegularExpression row(QStringLiteral(R"(^\| ([^|]+?)(?:, [^|]+)? \| (.+) \|$)"),
                                        QRegularExpression::MultilineOption);
    static const QRegularExpression original_name(QStringLiteral(R"( \([^()]*`[^()]*\)$)"));
    auto rows = row.globalMatch(QString::fromUtf8(file.readAll()));
    while (rows.hasNext()) {
        const QRegularExpressionMatch match = rows.next();
        if (match.captured(1).compare(term, Qt::CaseInsensitive) != 0) continue;
        return match.captured(2).remove(original_name).remove(QLatin1Char('`')).remove(QLatin1Char('*'));
    }
    return {};
}

TEST(Glossary, HasTheTermsOfTheDocumentation) {
    ASSERT_FALSE(glossary().empty());
    for (const Term& term : glossary()) {
        EXPECT_EQ(term.meaning.toStdString(), documented_meaning(term.name).toStdString())
            << term.name.toStdString();
    }
}

TEST(Glossary, TermsComeBeforeThoseTheyExplain) {
    const GlossaryDialog dialog(QStringLiteral("Split"));
    const auto* text = dialog.findChild<QTextBrowser*>();
    ASSERT_NE(text, nullptr);
    EXPECT_TRUE(text->toPlainText().startsWith(QStringLiteral("Split\n")))
        << text->toPlainText().toStdString();
}

TEST_F(CanvasTest, FittedPictureStaysFittedUntilMoved) {
    open_sample();
    CanvasView& canvas = graph_panel(window()).canvas();
    // High enough that docks do not shrink in favour of the graph.
    window().resize(1366, 1000);
    QTest::qWait(50);
    canvas.fit();
    ASSERT_TRUE(canvas.is_fitted());
    const double before = canvas.zoom();
    window().resize(900, 920);
    QTest::qWait(50);
    EXPECT_TRUE(canvas.is_fitted());
    EXPECT_LT(canvas.zoom(), before);
    window().resize(1366, 1000);
    QTest::qWait(50);
    EXPECT_NEAR(canvas.zoom(), before, before * 0.02);
    trigger("view.collapse-all");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !graph_panel(window()).collapse_job().running(); }, kPatienceMs));
    EXPECT_TRUE(canvas.is_fitted());
    EXPECT_GT(canvas.zoom(), before) << "a smaller picture is drawn larger";
    trigger("view.zoom-in");
    EXPECT_FALSE(canvas.is_fitted());
    const double chosen = canvas.zoom();
    window().resize(1000, 930);
    QTest::qWait(50);
    EXPECT_EQ(canvas.zoom(), chosen);
}

/// Of the widest pieces of the layers.
double narrowest_layer(const CanvasContent& content) {
    std::map<std::int32_t, double> widest;
    for (std::size_t b = 0; b < content.outline->blocks.size(); ++b) {
        const Block& block = content.outline->blocks[b];
        if (block.part != BlockPart::layer || block.layer < 0) continue;
        widest[block.layer] = std::max(widest[block.layer], content.picture.blocks[b].width);
    }
    double least = std::numeric_limits<double>::max();
    for (const auto& [layer, width] : widest) least = std::min(least, width);
    return least;
}

TEST_F(CanvasTest, LayerTitlesAreAllLongAllShortOrAbsent) {
    open_sample();
    const auto& content = *graph_panel(window()).canvas().content();
    CanvasState state;
    state.colours = &theme_.colours();
    const BlocksItem blocks(content, state);
    EXPECT_EQ(blocks.layer_titles(1), BlocksItem::Titles::full);
    bool brief = false;
    auto last = BlocksItem::Titles::full;
    for (double zoom = 1; zoom > kMinZoom; zoom *= 0.97) {
        const auto now = blocks.layer_titles(zoom);
        EXPECT_LE(static_cast<int>(now), static_cast<int>(last)) << "at " << zoom;
        brief = brief || now == BlocksItem::Titles::brief;
        last = now;
    }
    EXPECT_TRUE(brief);
    EXPECT_EQ(last, BlocksItem::Titles::none);
    // The few nodes of layer 1 on the GPU hide no title: layers of that width alone have the same ones.
    const double zoom = 60 / narrowest_layer(content);
    EXPECT_NE(blocks.layer_titles(zoom), BlocksItem::Titles::none) << "60 pixels per layer at " << zoom;
    for (const Block& block : content.outline->blocks) {
        if (block.part == BlockPart::layer && block.layer >= 0) {
            EXPECT_EQ(BlocksItem::short_title_of(block), QString::number(block.layer));
        }
    }
}

/// The nodes of a small group take its upper edge.
TEST_F(CanvasTest, TitlesOfSmallGroupsCoverNoNode) {
    window().resize(1366, 768);
    open_sample();
    graph_panel(window()).canvas().fit();
    const auto& content = *graph_panel(window()).canvas().content();
    CanvasState state;
    state.colours = &theme_.colours();
    const BlocksItem blocks(content, state);
    const double least = narrowest_layer(content);
    std::size_t seen = 0;
    for (double zoom = 0.29; zoom > 0.17; zoom *= 0.9) {
        for (std::size_t b = 0; b < content.outline->blocks.size(); ++b) {
            const QRectF title = blocks.title_pill(b, zoom);
            const Block& block = content.outline->blocks[b];
            const bool layer = block.part == BlockPart::layer && block.layer >= 0;
            if (title.isEmpty() || (layer && content.picture.blocks[b].width >= least)) continue;
            ++seen;
            const auto covers = [&](const Rect& box) { return title.intersects(to_qt(box)); };
            for (std::size_t i = 0; i < content.outline->blocks[b].items.size(); ++i) {
                const ItemRef ref{static_cast<std::int32_t>(b), static_cast<std::int32_t>(i)};
                EXPECT_FALSE(covers(content.picture.box_of(*content.outline, ref)))
                    << BlocksItem::title_of(content.outline->blocks[b]).toStdString() << " at " << zoom;
            }
            for (std::size_t other = 0; other < content.picture.blocks.size(); ++other)
                EXPECT_TRUE(other == b || !covers(content.picture.blocks[other])) << b << " at " << zoom;
        }
    }
    EXPECT_GT(seen, 10U);
}

TEST_F(CanvasTest, TourLetsTheHighlightedPartBeUsedAndEndsElsewhere) {
    open_sample();
    window().start_tour();
    QPointer<Tour> tour = window().findChild<Tour*>();
    ASSERT_NE(tour, nullptr);
    // The headline is highlighted: a click on its first link, the missing memory, leads to the machine.
    SummaryBar& summary = window().summary();
    window().show_panel(QStringLiteral("why"));
    // Docks behind others count as visible.
    const auto shown = [&] { return !machine_panel(window()).visibleRegion().isEmpty(); };
    QTest::qWait(50);
    ASSERT_FALSE(shown());
    for (int x = 0; x < summary.width() && !shown(); x += 20)
        QTest::mouseClick(window().windowHandle(), Qt::LeftButton, {},
                          summary.mapTo(&window(), QPoint(x, 14)));
    EXPECT_TRUE(shown());
    ASSERT_FALSE(tour.isNull());
    const QPoint dim(window().width() / 2, window().height() - 4);
    ASSERT_TRUE(tour->mask().contains(dim));
    const QPoint card = tour->skip().mapTo(tour, QPoint(-6, -6));
    QTest::mouseClick(tour, Qt::LeftButton, {}, card);
    EXPECT_TRUE(tour->isVisible()) << "a click beside the buttons of the text";
    QTest::mouseClick(tour, Qt::LeftButton, {}, dim);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_TRUE(tour.isNull());
    EXPECT_TRUE(settings_.tour_done());
}

TEST_F(CanvasTest, EscapeEndsTheTourWhileTheHighlightedPartHasTheFocus) {
    open_sample();
    window().start_tour();
    const QPointer<Tour> tour = window().findChild<Tour*>();
    ASSERT_NE(tour, nullptr);
    canvas().setFocus();
    ASSERT_TRUE(canvas().hasFocus());
    QTest::keyClick(window().windowHandle(), Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_TRUE(tour.isNull());
    EXPECT_TRUE(settings_.tour_done());
}

}  // namespace
}  // namespace splitscope::ui

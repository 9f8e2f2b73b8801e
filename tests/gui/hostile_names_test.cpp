// SPDX-License-Identifier: GPL-3.0-or-later
// Names, notes and messages with markup are shown literally, and nothing is opened for them.
#include <QApplication>
#include <QChartView>
#include <QDockWidget>
#include <QFile>
#include <QGraphicsTextItem>
#include <QHelpEvent>
#include <QLabel>
#include <QMessageBox>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolTip>
#include <QXmlStreamReader>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <stop_token>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/reports/escape.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// A pipe without writers: opening it for reading would block forever. A thread detects that, records it and
/// unblocks the reader.
class WatchedPipe {
 public:
    explicit WatchedPipe(const QString& path) : path_(QFile::encodeName(path)) {
        EXPECT_EQ(::mkfifo(path_.constData(), S_IRUSR | S_IWUSR), 0);
        watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    }
    bool was_opened() const { return opened_; }

 private:
    void watch(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            // Refused while there is no reader.
            const int end = ::open(path_.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            if (end >= 0) {
                opened_ = true;
                ::close(end);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    QByteArray path_;
    std::atomic<bool> opened_{false};
    std::jthread watcher_;
};

void put_before_all_names(Machine& machine, const std::string& text) {
    machine.name = text + machine.name;
    for (MachineBufferType& type : machine.buffer_types) type.name = text + type.name;
    for (MachineBuffer& buffer : machine.buffers) buffer.name = text + buffer.name;
    for (MachineBackend& backend : machine.backends) backend.name = text + backend.name;
}

void put_before_all_names(Graph& graph, const std::string& text) {
    graph.name = text + graph.name;
    for (Tensor& tensor : graph.tensors) tensor.name = text + tensor.name;
    for (std::string& buffer : graph.buffers) buffer = text + buffer;
    graph.alloc_sizes.clear();
}

class HostileNamesTest : public RunWindowTest {
 protected:
    void SetUp() override {
        RunWindowTest::SetUp();
        ASSERT_TRUE(folder_.isValid());
        const QString path = folder_.filePath(QStringLiteral("p"));
        pipe_ = std::make_unique<WatchedPipe>(path);
        markup_ = QStringLiteral("<img src='%1'>").arg(path);
        ASSERT_LT(markup_.size(), 40) << "names of tensors are cut";
    }
    void TearDown() override {
        RunWindowTest::TearDown();
        EXPECT_FALSE(pipe_->was_opened());
    }

    /// The graph and the machine of the sample with this text before all names.
    void open_named(const std::string& text) {
        Graph graph = *analysis().graph;
        Machine machine = *analysis().machine;
        put_before_all_names(graph, text);
        put_before_all_names(machine, text);
        const auto write = [this](const char* name, const std::string& content) {
            std::ofstream(file(name), std::ios::binary) << content;
        };
        write("a.graph.json", write_graph_json(graph));
        write("a.machine.json", write_machine_json(machine));
        window().open_file(file("a.graph.json"));
        settle();
        ASSERT_EQ(document().analysis()->graph->name, graph.name) << window().status().error().toStdString();
        ASSERT_EQ(document().analysis()->machine->backends.front().name, machine.backends.front().name);
    }
    std::string file(const char* name) const {
        return folder_.filePath(QString::fromLatin1(name)).toStdString();
    }
    /// A note, breakpoints of both kinds, a message, and texts of a change and a comparison.
    void write_into_everything() {
        const TensorId node = analysis().graph->nodes[3];
        const std::string text = markup_.toStdString();
        SessionNotes notes;
        notes.bookmarks = {{(*analysis().graph)[node].name, text}};
        notes.stops = {{StopKind::tensor, text, true}};
        document().edit_notes(QStringLiteral("Write"), notes);
        control().breakpoints().add(BreakpointKind::node, text);
        take_soft_max_away();
        document().select_tensor(node);
        compare_panel(window()).compare_with(Generation::g2024_10);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
        compare_panel(window()).table().selectRow(0);
        window().status().set_note(markup_);
        window().status().show_error(markup_);
    }

    static bool speaks_markup(const QString& text) { return text.contains(QStringLiteral("<img")); }
    /// The window's own markup.
    static bool uses_own_markup(const QString& text) {
        static const QRegularExpression ours(QStringLiteral("<(b|i|br|h3|p|span|table|a href)\\b"));
        return text.contains(ours);
    }
    static bool is_right(const QLabel& label) {
        if (label.textFormat() == Qt::PlainText) return !uses_own_markup(label.text());
        return label.textFormat() == Qt::RichText && !speaks_markup(label.text());
    }
    /// Returns each text once: there are thousands of tooltips.
    void expect_right(const QLabel& label) {
        if (is_right(label) || reported_.contains(label.text())) return;
        reported_.insert(label.text());
        ADD_FAILURE() << "shown as " << (label.textFormat() == Qt::PlainText ? "text: " : "markup: ")
                      << label.text().toStdString();
    }
    void look_at_tip() {
        for (const QWidget* widget : QApplication::topLevelWidgets()) {
            if (!widget->inherits("QTipLabel") || !widget->isVisible()) continue;
            const auto& tip = *qobject_cast<const QLabel*>(widget);
            expect_right(tip);
            if (speaks_markup(tip.text())) ++plain_tips_;
            if (tip.text().contains(QStringLiteral("&lt;img"))) ++rich_tips_;
        }
    }
    /// Like a mouse that enters and rests.
    void rest_at(QWidget& widget, QPoint place) {
        const QPoint global = widget.mapToGlobal(place);
        QMouseEvent move(QEvent::MouseMove, place, global, Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&widget, &move);
        look_at_tip();
        QHelpEvent help(QEvent::ToolTip, place, global);
        QApplication::sendEvent(&widget, &help);
        look_at_tip();
    }
    /// The middle; a grid of positions in widgets without children, such as tables and pictures.
    static std::vector<QPoint> places_in(const QWidget& widget) {
        std::vector<QPoint> places{widget.rect().center()};
        for (const QWidget* inside : widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!inside->isWindow()) return places;
        }
        for (int y = 8; y < widget.height(); y += 22) {
            for (int x = 30; x < widget.width(); x += 75) places.emplace_back(x, y);
        }
        return places;
    }
    void look_at_what_is_shown() {
        QApplication::processEvents();
        EXPECT_FALSE(window().grab().isNull());
        std::vector<QWidget*> shown;
        for (QWidget* widget : window().findChildren<QWidget*>()) {
            if (widget->isVisible() && !widget->isWindow()) shown.push_back(widget);
        }
        for (QWidget* widget : shown) {
            for (const QPoint place : places_in(*widget)) rest_at(*widget, place);
        }
    }
    void look_at_everything() {
        for (const PanelDescriptor& panel : all_panels()) {
            window().show_panel(QLatin1String(panel.id));
            look_at_what_is_shown();
            EXPECT_FALSE(pipe_->was_opened()) << panel.id;
        }
        window().show_panel(QStringLiteral("buffers"));
        for (int page = BuffersPanel::kUsage; page <= BuffersPanel::kPeak; ++page) {
            buffers_panel(window()).show_page(page);
            look_at_what_is_shown();
            EXPECT_FALSE(pipe_->was_opened()) << "page " << page << " of the buffers";
        }
        look_at_labels();
        look_at_charts();
    }
    /// All of them, on screen or not.
    void look_at_labels() {
        for (const QWidget* widget : QApplication::allWidgets()) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            if (!label) continue;
            label->ensurePolished();
            expect_right(*label);
            if (speaks_markup(label->text())) ++plain_labels_;
            if (label->text().contains(QStringLiteral("&lt;img"))) ++rich_labels_;
        }
    }
    void look_at_charts() {
        for (const QChartView* view : window().findChildren<QChartView*>()) {
            for (const QGraphicsItem* item : view->scene()->items()) {
                const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                EXPECT_FALSE(text && speaks_markup(text->toHtml())) << text->toPlainText().toStdString();
            }
        }
    }

    QTemporaryDir folder_{QStringLiteral("/tmp/XXXXXX")};  ///< a short name, which fits into others
    std::unique_ptr<WatchedPipe> pipe_;
    QString markup_;
    QSet<QString> reported_;
    int plain_tips_ = 0;
    int rich_tips_ = 0;
    int plain_labels_ = 0;
    int rich_labels_ = 0;
};

TEST_F(HostileNamesTest, WatchedPipeDetectsReaders) {
    WatchedPipe other(folder_.filePath(QStringLiteral("other")));
    EXPECT_FALSE(other.was_opened());
    QFile reader(folder_.filePath(QStringLiteral("other")));
    ASSERT_TRUE(reader.open(QIODevice::ReadOnly));
    EXPECT_TRUE(reader.readAll().isEmpty());
    EXPECT_TRUE(other.was_opened());
}

TEST_F(HostileNamesTest, LabelsAndDialogsShowMarkupAsText) {
    QLabel early(markup_);
    QLabel late;
    QLabel ours(QStringLiteral("<b>ours</b>"));
    ours.setTextFormat(Qt::RichText);
    for (QLabel* label : {&early, &late, &ours}) label->show();
    late.setText(markup_);
    QMessageBox box(QMessageBox::Warning, markup_, markup_);
    box.setInformativeText(markup_);
    box.show();
    QStatusBar bar;
    bar.addWidget(new QLabel(markup_));
    bar.showMessage(markup_);
    bar.show();
    QApplication::processEvents();
    for (QWidget* widget : std::initializer_list<QWidget*>{&early, &late, &ours, &box, &bar}) widget->grab();
    EXPECT_EQ(early.textFormat(), Qt::PlainText);
    EXPECT_EQ(late.textFormat(), Qt::PlainText);
    EXPECT_EQ(ours.textFormat(), Qt::RichText);
    look_at_labels();
    EXPECT_EQ(plain_labels_, 5);
}

TEST_F(HostileNamesTest, OurOwnMarkupIsRendered) {
    Qt::TextFormat format = Qt::AutoText;
    QTimer::singleShot(0, &window(), [this, &format] {
        auto* box = window().findChild<QMessageBox*>();
        ASSERT_NE(box, nullptr);
        format = box->textFormat();
        box->close();
    });
    trigger("help.about");
    ASSERT_TRUE(QTest::qWaitFor([&format] { return format != Qt::AutoText; }, kPatienceMs));
    EXPECT_EQ(format, Qt::RichText);
    look_at_everything();
    make_window();
    window().show();
    look_at_everything();
}

TEST_F(HostileNamesTest, TooltipsMixOurMarkupWithPlainText) {
    graph_panel(window()).canvas().reveal(analysis().graph->nodes[3], true);
    QWidget& canvas = *graph_panel(window()).canvas().viewport();
    const QPoint node = graph_panel(window()).canvas().mapFromScene(
        graph_panel(window()).canvas().scene_rect_of(analysis().graph->nodes[3]).center());
    QWidget& other = window().status();
    other.setToolTip(markup_);
    const auto format = [] {
        for (const QWidget* widget : QApplication::topLevelWidgets()) {
            if (widget->inherits("QTipLabel") && widget->isVisible())
                return qobject_cast<const QLabel*>(widget)->textFormat();
        }
        return Qt::AutoText;
    };
    for (int round = 0; round < 2; ++round) {
        rest_at(canvas, node);
        EXPECT_EQ(format(), Qt::RichText);
        EXPECT_TRUE(QToolTip::text().startsWith(QStringLiteral("<b>")));
        rest_at(other, QPoint(1, 1));
        EXPECT_EQ(format(), Qt::PlainText);
        EXPECT_EQ(QToolTip::text(), markup_);
    }
    rest_at(canvas, node);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&canvas, &leave);
    // Shown without a triggering event.
    QToolTip::showText(window().mapToGlobal(QPoint(9, 9)), markup_, &window());
    EXPECT_EQ(format(), Qt::PlainText);
    EXPECT_FALSE(pipe_->was_opened());
}

TEST_F(HostileNamesTest, ShownVerbatimInAGraph) {
    // High enough for the line below the scrubber.
    window().resize(1366, 1000);
    open_named(markup_.toStdString());
    ASSERT_NO_FATAL_FAILURE(write_into_everything());
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !buffers_panel(window()).timeline_job().running(); }, kPatienceMs));
    look_at_everything();
    EXPECT_GT(plain_tips_, 0);
    EXPECT_GT(rich_tips_, 0);
    EXPECT_GT(plain_labels_, 3);
    // The bar of the last change names devices only where it has room for them.
    EXPECT_GE(rich_labels_, 2);
    ReportDialog dialog(document().analysis(), nullptr, settings_);
    dialog.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return dialog.preview_ready(); }, kPatienceMs));
    EXPECT_FALSE(dialog.grab().isNull());
    EXPECT_TRUE(speaks_markup(dialog.preview_text()));
    look_at_labels();
}

TEST_F(HostileNamesTest, ShownVerbatimInARunsDevices) {
    Session changed = document().session();
    put_before_all_names(changed.machine, markup_.toStdString());
    document().edit(QStringLiteral("Rename"), changed);
    settle();
    ASSERT_TRUE(speaks_markup(to_text(analysis().machine->backends.front().name)));
    pause_first();
    trigger("run.step-node");
    ASSERT_TRUE(wait_stop(stop_number()));
    window().show_panel(QStringLiteral("tensor"));
    ASSERT_TRUE(wait_values());
    look_at_everything();
    EXPECT_GT(rich_labels_, 3);
    trigger("run.stop");
    ASSERT_TRUE(wait_end());
    ASSERT_NO_FATAL_FAILURE(fail_a_run());
    EXPECT_FALSE(run_panel(window()).banner().isEmpty());
    look_at_everything();
}

TEST_F(HostileNamesTest, ShownVerbatimInAnOpenError) {
    make_window();
    window().show();
    window().open_file((folder_.path() + QLatin1Char('/') + markup_).toStdString());
    settle();
    ASSERT_EQ(document().analysis(), nullptr);
    EXPECT_TRUE(speaks_markup(window().status().error()));
    EXPECT_TRUE(graph_panel(window()).empty_state().text().contains(QStringLiteral("&lt;img")));
    look_at_everything();
}

TEST_F(HostileNamesTest, SavedPicturesAreValidXml) {
    const std::string name = "x</title><script>alert('1')</script>&amp;<\x01\x1f\xef\xbf\xbe\xc2\x85";
    open_named(name);
    const QString path = scratch_file(QStringLiteral("hostile.svg"));
    graph_panel(window()).canvas().fit();
    graph_panel(window()).canvas().export_image(path, false);
    QFile svg(path);
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&svg);
    QString title;
    bool has_text = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        EXPECT_NE(xml.name(), QStringLiteral("script"));
        if (xml.name() == QStringLiteral("title")) title = xml.readElementText();
        has_text = has_text || (xml.name() == QStringLiteral("text") &&
                                xml.readElementText().contains(QStringLiteral("x</title>")));
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString() << " in line " << xml.lineNumber();
    EXPECT_EQ(title.toStdString(), printable(analysis().graph->name));
    EXPECT_TRUE(has_text);
}

}  // namespace
}  // namespace splitscope::ui

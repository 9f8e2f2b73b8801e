// SPDX-License-Identifier: GPL-3.0-or-later
#include <QEvent>
#include <QFontMetrics>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleOptionViewItem>
#include <QTreeWidget>
#include <algorithm>
#include <filesystem>

#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/golden_models.hpp"
#include "ui/models/message_text.hpp"
#include "ui/panels/findings_panel.hpp"
#include "ui/panels/placement_search.hpp"

namespace splitscope::ui {
namespace {

/// Counts the layouts of a list; ends endless ones.
class LayoutCount : public QObject {
 public:
    explicit LayoutCount(QTreeWidget& list) : list_(list) { list_.installEventFilter(this); }

    int take() { return std::exchange(count_, 0); }

 private:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        constexpr int kEndless = 500;
        if (event->type() == QEvent::LayoutRequest && ++count_ == kEndless) list_.hide();
        return false;
    }

    QTreeWidget& list_;
    int count_ = 0;
};

// Rows grow as columns become narrower, which the last one does when a scroll bar comes.
TEST_F(WindowTest, FindingsSettleAtEverySize) {
    open_sample();
    take_soft_max_away();
    ASSERT_FALSE(document().findings().empty());
    FindingsPanel panel(window().panel_context());
    LayoutCount layouts(panel.list());
    panel.show();
    QScrollBar& across = *panel.list().horizontalScrollBar();
    for (int width = 60; width < 1000; width += 11) {
        for (int height = 40; height < 260; height += 9) {
            panel.resize(width, height);
            QCoreApplication::processEvents();
            across.setValue(across.maximum());
            QCoreApplication::processEvents();
            ASSERT_LT(layouts.take(), 50) << width << " x " << height;
        }
    }
}

TEST_F(WindowTest, FindingsAreSentences) {
    open_sample();
    take_soft_max_away();
    ASSERT_FALSE(document().findings().empty());
    QTreeWidget& list = findings_panel(window()).list();
    const auto& findings = document().findings();
    ASSERT_EQ(static_cast<std::size_t>(list.topLevelItemCount()), findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const QTreeWidgetItem& item = *list.topLevelItem(static_cast<int>(i));
        const int last = list.columnCount() - 1;
        const QString remedy = item.text(last - 1);
        EXPECT_TRUE(remedy.isEmpty() || remedy[0].isUpper()) << remedy.toStdString();
    }
    // Names stay as they are.
    const Message of_name = msg::kFirstIs("norm-1");
    EXPECT_EQ(as_sentence(message_text(of_name), of_name), QStringLiteral("The first is norm-1"));
    const Message verbatim = Message::verbatim("blk.0 is large");
    EXPECT_EQ(as_sentence(message_text(verbatim), verbatim), QStringLiteral("blk.0 is large"));
    const Message name_first = msg::kDoesNotRun("rtx");
    EXPECT_EQ(as_sentence(message_text(name_first), name_first), message_text(name_first));
}

TEST_F(WindowTest, UnknownMemoryFindingLinksToTheMachine) {
    open_sample();
    ASSERT_FALSE(document().findings().empty());
    window().show_panel(QStringLiteral("findings"));
    QTest::qWait(50);
    const auto all = window().panel(QStringLiteral("findings")).findChildren<QPushButton*>();
    const auto button = std::ranges::find(all, QStringLiteral("Choose a machine"), &QPushButton::text);
    ASSERT_NE(button, all.end());
    for (const Finding& finding : document().findings())
        EXPECT_EQ(english(finding.remedy).find("--device"), std::string::npos) << "not a switch of llama.cpp";
    EXPECT_GE((*button)->width(), (*button)->sizeHint().width());
    EXPECT_TRUE(machine_panel(window()).visibleRegion().isEmpty());
    (*button)->click();
    QTest::qWait(50);
    EXPECT_FALSE(machine_panel(window()).visibleRegion().isEmpty());
}

TEST_F(WindowTest, FindingOfMissingMemoryMovesExperts) {
    const std::filesystem::path model = test::golden_models() / "header-qwen3-30b-a3b-q4_k_m.gguf";
    if (!std::filesystem::exists(model))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    window().open_file(model);
    settle();
    Session small = document().session();
    use_presets(small, {"rtx-4060-laptop"});
    small.model_options.gpu_layers = GpuLayers::all();
    document().edit(QStringLiteral("a laptop"), small);
    settle();
    ASSERT_EQ(document().plan()->verdict.kind, Verdict::Kind::lacks);
    const auto all = findings_panel(window()).list().findChildren<QPushButton*>();
    const auto button = std::ranges::find(all, QStringLiteral("Try it"), &QPushButton::text);
    ASSERT_NE(button, all.end());
    // The text names the search as well.
    window().show_panel(QStringLiteral("findings"));
    QTest::qWait(50);
    const auto search = std::ranges::find(all, QStringLiteral("Find the best placement"), &QPushButton::text);
    ASSERT_NE(search, all.end());
    for (const QPushButton* one : {*button, *search})
        EXPECT_EQ(one->visibleRegion().boundingRect(), one->rect());
    (*search)->click();
    EXPECT_FALSE(machine_panel(window()).visibleRegion().isEmpty());
    EXPECT_TRUE(window().findChild<PlacementSearch*>()->job().running());
    window().findChild<PlacementSearch*>()->job().cancel();
    EXPECT_TRUE((*button)->toolTip().contains(QStringLiteral("experts")))
        << (*button)->toolTip().toStdString();
    (*button)->click();
    settle();
    EXPECT_TRUE(document().plan()->fits());
    EXPECT_GT(document().session().model_options.cpu_expert_blocks, 0U);
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(document().plan()->verdict.kind, Verdict::Kind::lacks);
}

TEST_F(WindowTest, FindingsHaveNoEmptyLines) {
    window().resize(1366, 768);
    open_sample();
    take_soft_max_away();
    window().show_panel(QStringLiteral("findings"));
    QTest::qWait(50);
    auto& list = *window().panel(QStringLiteral("findings")).findChild<QTreeWidget*>();
    const QFontMetrics metrics(list.font());
    ASSERT_GE(list.topLevelItemCount(), 2);
    for (int i = 0; i < list.topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list.topLevelItem(i);
        int needed = 0;
        for (int column = 0; column < list.columnCount(); ++column) {
            const QRect room(0, 0, list.columnWidth(column) - 12, 10000);
            needed =
                std::max(needed, metrics.boundingRect(room, Qt::TextWordWrap, item->text(column)).height());
        }
        if (const QWidget* cell = list.itemWidget(item, 5))
            needed = std::max(needed, cell->sizeHint().height());
        EXPECT_LT(list.visualItemRect(item).height(), needed + metrics.height()) << i;
    }
}

/// The last line of every text is inside its row, at any width.
TEST_F(WindowTest, FindingsAreNotCutOff) {
    open_sample();
    take_soft_max_away();
    window().show_panel(QStringLiteral("findings"));
    QTreeWidget& list = findings_panel(window()).list();
    constexpr int kHigh = 400;
    for (int width = 1100; width < 1366; width += 7) {
        window().resize(width, 768);
        QTest::qWait(20);
        for (int row = 0; row < list.topLevelItemCount(); ++row) {
            const int height = list.visualItemRect(list.topLevelItem(row)).height();
            for (int column = 0; column < list.columnCount(); ++column) {
                if (list.isColumnHidden(column)) continue;
                QStyleOptionViewItem option;
                option.initFrom(&list);
                option.widget = &list;
                option.font = list.font();
                option.features = QStyleOptionViewItem::WrapText;
                option.rect = QRect(0, 0, list.columnWidth(column), kHigh);
                QImage drawn(option.rect.size(), QImage::Format_ARGB32_Premultiplied);
                drawn.fill(Qt::transparent);
                QPainter painter(&drawn);
                list.itemDelegate()->paint(&painter, option, list.model()->index(row, column));
                painter.end();
                for (int y = height; y < kHigh; ++y)
                    for (int x = 0; x < drawn.width(); ++x)
                        ASSERT_EQ(drawn.pixel(x, y), drawn.pixel(x, kHigh - 1))
                            << width << ": " << list.topLevelItem(row)->text(column).toStdString();
            }
        }
    }
}

}  // namespace
}  // namespace splitscope::ui

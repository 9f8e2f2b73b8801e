// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language.hpp"

#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTextBrowser>
#include <QXmlStreamReader>
#include <set>

#include "backends/interface/op_support.hpp"
#include "engine/planning/messages.hpp"
#include "engine/scheduler/explain.hpp"
#include "engine/scheduler/messages.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/settings_dialog.hpp"
#include "ui/dialogs/shortcuts_dialog.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/window_words.hpp"

namespace splitscope::ui {
namespace {

/// Records untranslated texts of the program.
class Listener : public QTranslator {
 public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QByteArray where(context);
        if (where.startsWith("splitscope")) asked_.insert(where + ": " + source);
        return {};
    }
    bool isEmpty() const override { return false; }

    /// The last translator, which receives only texts unknown to the others.
    mutable std::set<QByteArray> asked_;
};

class LanguageTest : public RunWindowTest {
 protected:
    void SetUp() override {
        QCoreApplication::installTranslator(&listener_);
        translation_ = std::make_unique<Translation>(Language::chinese);
        RunWindowTest::SetUp();
    }
    void TearDown() override {
        close_window();
        translation_.reset();
        QCoreApplication::removeTranslator(&listener_);
    }
    static bool is_chinese(const QString& text) {
        return std::ranges::any_of(text, [](QChar c) { return c.script() == QChar::Script_Han; });
    }

    Listener listener_;
    std::unique_ptr<Translation> translation_;
};

TEST_F(LanguageTest, WindowIsChinese) {
    for (QAction* menu : window().menuBar()->actions()) EXPECT_TRUE(is_chinese(menu->text()));
    for (const auto& entry : window().actions().entries())
        EXPECT_TRUE(is_chinese(entry.action->text())) << entry.id.toStdString();
    for (const QDockWidget* dock : window().findChildren<QDockWidget*>())
        EXPECT_TRUE(is_chinese(dock->windowTitle())) << dock->objectName().toStdString();
    for (const Term& term : glossary()) EXPECT_TRUE(is_chinese(term.name + term.meaning));
    select("result_norm");
    EXPECT_TRUE(is_chinese(why_panel(window()).text()));
    const QString folder = qEnvironmentVariable("SPLITSCOPE_PICTURES", scratch_.path());
    QDir().mkpath(folder);
    EXPECT_TRUE(window().grab().save(folder + QStringLiteral("/chinese.png")));
}

TEST_F(LanguageTest, NothingInTheWindowIsLeftInEnglish) {
    for (const PanelDescriptor& panel : all_panels()) {
        window().show_panel(QLatin1String(panel.id));
        QApplication::processEvents();
    }
    document().navigation().step_decision(-1);
    compare_panel(window()).compare_with(Generation::g2024_10);
    window().machine().layers().setValue(1);
    settle();
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    SettingsDialog settings(settings_, theme_);
    for (const QByteArray& sentence : listener_.asked_) ADD_FAILURE() << sentence.toStdString();
}

TEST_F(LanguageTest, CausesPassesAndRefusalsAreTranslated) {
    for (int kind = 0; kind <= static_cast<int>(CauseKind::cur3); ++kind) {
        const Message text = explain({static_cast<CauseKind>(kind), 0});
        EXPECT_TRUE(is_chinese(message_text(text))) << text;
    }
    for (const Generation generation : kGenerations) {
        for (int pass = 0; pass <= static_cast<int>(Pass::p5); ++pass) {
            const Message text = pass_purpose(static_cast<Pass>(pass), generation);
            EXPECT_TRUE(is_chinese(message_text(text))) << text;
        }
    }
    const GraphView view(*analysis().graph);
    const TensorId node = analysis().graph->nodes.back();
    for (int rule = 0; rule <= static_cast<int>(RefusalRule::limit); ++rule) {
        for (const TensorId culprit : {TensorId(), node}) {
            const OpSupport support{static_cast<RefusalRule>(rule), culprit, ElementType::f16};
            const Message text = splitscope::describe(support, OpQuery{view, node});
            EXPECT_TRUE(is_chinese(message_text(text))) << text;
        }
    }
    for (const Decision& decision : analysis().schedule->decisions) {
        const Message text = evidence_of(*analysis().schedule, decision);
        EXPECT_TRUE(text.empty() || is_chinese(message_text(text))) << text;
        EXPECT_FALSE(message_text(text).contains(QStringLiteral("cannot"))) << text;
    }
}

TEST_F(LanguageTest, FindingsAreTranslated) {
    Session changed = document().session();
    changed.machine.backends[0].unsupported_ops = {"SOFT_MAX"};
    changed.devices[changed.machine.backends[0].name].memory_free = 1;
    document().edit(QStringLiteral("less"), changed);
    settle();
    ASSERT_GE(document().findings().size(), 2U);
    for (const Finding& row : document().findings()) {
        EXPECT_TRUE(is_chinese(message_text(row.finding()))) << row.what;
        EXPECT_TRUE(is_chinese(message_text(row.remedy))) << row.remedy;
    }
    const Message& cause = document().findings().back().cause;
    EXPECT_TRUE(is_chinese(message_text(cause))) << cause;
}

TEST_F(LanguageTest, ErrorsAreTranslated) {
    // No Latin letters except those of names, paths and options.
    const auto expect_chinese = [](const QString& said, const QString& kept) {
        EXPECT_TRUE(is_chinese(said)) << said.toStdString();
        static const QRegularExpression words(QStringLiteral("[a-z]+ [a-z]+"));
        QString rest = said;
        rest.remove(kept);
        EXPECT_FALSE(rest.contains(words)) << said.toStdString();
    };
    const auto error_of_opening = [&](const QString& name, const QByteArray& bytes) {
        QFile file(scratch_file(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        window().open_file(file.fileName().toStdString());
        settle();
        expect_chinese(window().status().error(), file.fileName());
    };
    error_of_opening(QStringLiteral("broken.gguf"), "GGUF and nothing that makes sense");
    error_of_opening(QStringLiteral("cut.gguf"), QByteArray("GGUF\3\0\0\0\1", 9));
    error_of_opening(QStringLiteral("other.txt"), "what is this?");
    error_of_opening(QStringLiteral("cut.graph.json"), R"({"format": "splitscope-graph", "version": 1, )");
    error_of_opening(QStringLiteral("other.graph.json"), R"({"format": "splitscope-graph", "version": 9})");
    error_of_opening(QStringLiteral("bad.splitscope.json"),
                     R"({"format": "splitscope-session", "version": 1, "generation": "1999-01"})");
    window().open_file("no-such-file.gguf");
    settle();
    expect_chinese(window().status().error(), QStringLiteral("no-such-file.gguf"));
    window().save_report(scratch_file(QStringLiteral("no-such-folder/report.html")));
    wait_for_export();
    expect_chinese(window().status().error(), QStringLiteral("no-such-folder"));

    BreakpointsPanel& breakpoints = run_panel(window()).breakpoints();
    const auto refuse = [&](BreakpointKind kind, const char* text) {
        breakpoints.kind().setCurrentIndex(breakpoints.kind().findData(static_cast<int>(kind)));
        breakpoints.text().setText(QString::fromLatin1(text));
        breakpoints.add();
        expect_chinese(breakpoints.error(), QString());
    };
    refuse(BreakpointKind::node, "");
    refuse(BreakpointKind::op, "NO_SUCH_OP");
    refuse(BreakpointKind::regex, "(");
    refuse(BreakpointKind::regex, "a{3,1}");

    ASSERT_NO_FATAL_FAILURE(fail_a_run());
    expect_chinese(control().failure()->text, QString());
    expect_chinese(control().failure()->remedy, QString());
}

TEST_F(LanguageTest, ArgumentsAreNotTranslated) {
    // Names are not translated, even if they resemble placeholders.
    const QString told = message_text(msg::kReadsIn(msg::kOfSource("weights", 2), "%1 {tensor}"));
    EXPECT_TRUE(told.contains(QStringLiteral("weights"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("%1 {tensor}"))) << told.toStdString();
}

/// A row of a catalogue of the engine, as list_rows.sh lists it.
struct CatalogueRow {
    QString file;
    QString id;
    QString text;
    QString one;
};

QString without_escapes(QString literal) {
    return literal.replace(QStringLiteral("\\\""), QStringLiteral("\""))
        .replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
}

std::vector<CatalogueRow> all_rows() {
    const QString root = QStringLiteral(SPLITSCOPE_SOURCE_DIR);
    QProcess list;
    list.start(root + QStringLiteral("/engine/messages/list_rows.sh"), {root});
    EXPECT_TRUE(list.waitForFinished());
    std::vector<CatalogueRow> rows;
    for (const QString& line : QString::fromUtf8(list.readAllStandardOutput()).split(QLatin1Char('\n'))) {
        const QStringList fields = line.split(QLatin1Char('\t'));
        if (fields.size() == 5)
            rows.push_back({fields[0], fields[2], without_escapes(fields[3]), without_escapes(fields[4])});
    }
    return rows;
}

QSet<QString> places_in(const QString& text) {
    static const QRegularExpression places(QStringLiteral(R"(\{\w+\})"));
    QSet<QString> found;
    for (auto place = places.globalMatch(text); place.hasNext();) found += place.next().captured();
    return found;
}

TEST_F(LanguageTest, EveryCatalogueRowIsTranslated) {
    // Texts with words other than names, numbers and placeholders.
    static const QRegularExpression places(QStringLiteral(R"(\{\w+\})"));
    static const QRegularExpression kept(QStringLiteral("[^a-z]+"));
    const std::vector<CatalogueRow> rows = all_rows();
    EXPECT_GT(rows.size(), 900U);
    for (const CatalogueRow& row : rows) {
        for (const int count : {1, 2}) {
            if (count == 2 && row.one.isEmpty()) continue;
            const QString told = QCoreApplication::translate("splitscope::Message", row.text.toUtf8(),
                                                             nullptr, row.one.isEmpty() ? -1 : count);
            EXPECT_EQ(places_in(row.text), places_in(told)) << row.id.toStdString();
            QString words = row.text;
            if (!words.remove(places).remove(kept).isEmpty()) {
                EXPECT_TRUE(is_chinese(told)) << row.id.toStdString() << ": " << told.toStdString();
            }
        }
        EXPECT_TRUE(places_in(row.text).contains(places_in(row.one))) << row.id.toStdString();
    }
}

TEST(WindowWords, NameNoSwitchAndNoCommand) {
    static const QRegularExpression shell(QStringLiteral("--[a-z]|[ (]-[a-z]|'splitscope |SPLITSCOPE_"));
    // Switches of the user's own programs.
    const QSet<QString> of_programs = {
        QStringLiteral("plan.fitting-gives-up"),      QStringLiteral("plan.little-left"),
        QStringLiteral("plan.fitting-moves-layers"),  QStringLiteral("plan.fitting-lowers-context"),
        QStringLiteral("attach.run-without-mapping"), QStringLiteral("attach.run-without-repacking"),
        QStringLiteral("open.run-with-debug")};
    QSet<QString> shown_instead;
    QSet<QString> of_window;
    for (const CatalogueRow& row : all_rows()) {
        if (row.file.startsWith(QStringLiteral("app/"))) continue;
        if (row.id.startsWith(QStringLiteral("window."))) of_window += row.id;
        const std::string id = row.id.toStdString();
        const std::string text = row.text.toStdString();
        const MessageText own{id, text, {}};
        const MessageText& shown = window_row(own);
        if (&shown != &own) shown_instead += to_text(std::string(shown.id));
        const QString words = to_text(std::string(shown.text));
        EXPECT_TRUE(places_in(row.text).contains(places_in(words))) << id << ": " << shown.text;
        if (of_programs.contains(row.id)) continue;
        EXPECT_FALSE(words.contains(shell)) << id << ": " << shown.text;
    }
    const QStringList unused((of_window - shown_instead).values());
    EXPECT_TRUE(unused.isEmpty()) << unused.join(QLatin1Char(' ')).toStdString();
    EXPECT_EQ(message_text(msg::kNameDevices), message_text(msg::kChooseMachineOrMemory));
}

/// Switches that the engine names as places of errors have a field, or are those of commands.
TEST(WindowWords, PlacesAreFields) {
    // Options of commands without a field: the margin and one table of `report`; switches that are pasted.
    const QSet<QString> of_commands = {QStringLiteral("--margin"), QStringLiteral("--table"),
                                       QStringLiteral("--tensor-split"), QStringLiteral("--parallel")};
    static const QRegularExpression thrown(
        QStringLiteral(R"re(throw Error\([^;]*?"(--[a-z][a-z -]*)"[^;]*;)re"));
    QSet<QString> seen;
    for (const char* folder : {"engine", "backends"}) {
        QDirIterator files(QStringLiteral(SPLITSCOPE_SOURCE_DIR "/") + QLatin1String(folder),
                           {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            ASSERT_TRUE(file.open(QIODevice::ReadOnly));
            const QString source = QString::fromUtf8(file.readAll());
            for (auto found = thrown.globalMatch(source); found.hasNext();) {
                const QString place = found.next().captured(1);
                seen += place;
                const QString shown = message_text(Message::verbatim(place.toStdString()));
                EXPECT_EQ(shown.startsWith(QStringLiteral("--")), of_commands.contains(place))
                    << place.toStdString() << " is shown as " << shown.toStdString();
            }
        }
    }
    EXPECT_GE(seen.size(), 8);
    // Also inside other messages.
    const Error error(ErrorKind::usage, msg::kNameDevices, "--main-gpu");
    EXPECT_TRUE(error_text(error).startsWith(QStringLiteral("Main device: ")))
        << error_text(error).toStdString();
}

// Also of translations not used by this window.
TEST(Translations, KeepPlaceholders) {
    const QDir folder(QStringLiteral(SPLITSCOPE_SOURCE_DIR "/resources/translations"));
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.ts")})) {
        QFile file(info.filePath());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString context;
        QString source;
        int seen = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == QLatin1String("name")) context = xml.readElementText();
            if (xml.name() == QLatin1String("source")) source = xml.readElementText();
            if (context != QLatin1String("splitscope::Message") || xml.name() != QLatin1String("translation"))
                continue;
            const QString told = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            EXPECT_EQ(places_in(source), places_in(told)) << source.toStdString();
            ++seen;
        }
        EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
        EXPECT_GT(seen, 500);
    }
}

TEST_F(LanguageTest, DialogsAreChinese) {
    ShortcutsDialog shortcuts(window().actions(), theme_, nullptr);
    const QString keys = shortcuts.findChild<QTextBrowser*>()->toPlainText();
    EXPECT_TRUE(keys.contains(QStringLiteral("Ctrl+O")));
    EXPECT_FALSE(keys.contains(QStringLiteral("(O)"))) << "the access key of a menu";
    EXPECT_FALSE(keys.contains(QStringLiteral(" or ")));
    GlossaryDialog terms(QStringLiteral("no such term"));
    EXPECT_TRUE(is_chinese(terms.findChild<QTextBrowser*>()->toPlainText()));
    // Terms are found by the names of ggml as well.
    const GlossaryDialog split(QStringLiteral("split"));
    EXPECT_TRUE(split.findChild<QTextBrowser*>()->toPlainText().startsWith(QStringLiteral("分段 (Split)")));
    const SettingsDialog settings(settings_, theme_);
    for (const QDialog* dialog : std::initializer_list<const QDialog*>{&shortcuts, &terms, &settings}) {
        const auto buttons = dialog->findChildren<QPushButton*>();
        ASSERT_FALSE(buttons.isEmpty());
        for (const QPushButton* button : buttons)
            EXPECT_TRUE(is_chinese(button->text())) << button->text().toStdString();
    }
}

/// Chinese lines may break after any character.
TEST_F(LanguageTest, HeadlineBreaksBetweenPhrases) {
    const auto labels = window().summary().findChildren<QLabel*>();
    const auto phrases = std::ranges::find(labels, Qt::RichText, &QLabel::textFormat);
    ASSERT_NE(phrases, labels.end());
    const QString text = (*phrases)->text();
    int han = 0;
    for (qsizetype i = 0; i + 1 < text.size(); ++i) {
        if (text[i].script() != QChar::Script_Han) continue;
        ++han;
        EXPECT_EQ(text[i + 1].unicode(), 0x2060) << text.mid(i, 8).toStdString();
    }
    EXPECT_GT(han, 20);
    EXPECT_FALSE(window().summary().text().contains(QChar(0x2060)));
}

/// lupdate may find a context that the program does not ask for.
TEST(Translations, ContextsAreClasses) {
    const QDir folder(QStringLiteral(SPLITSCOPE_SOURCE_DIR "/resources/translations"));
    const QSet<QString> others = {QStringLiteral("Actions"), QStringLiteral("Panels"),
                                  QStringLiteral("QPlatformTheme")};
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.ts")})) {
        QFile file(info.filePath());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        int seen = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("name"))
                continue;
            const QString context = xml.readElementText();
            EXPECT_TRUE(context.startsWith(QStringLiteral("splitscope::")) || others.contains(context))
                << context.toStdString();
            ++seen;
        }
        EXPECT_GT(seen, 50);
    }
}

TEST_F(LanguageTest, LanguageIsASetting) {
    SettingsDialog dialog(settings_, theme_);
    EXPECT_EQ(settings_.language(), Language::system);
    dialog.language().setCurrentIndex(dialog.language().findData(static_cast<int>(Language::chinese)));
    EXPECT_EQ(settings_.language(), Language::chinese);
    dialog.language().setCurrentIndex(dialog.language().findData(static_cast<int>(Language::english)));
    EXPECT_EQ(settings_.language(), Language::english);
}

TEST(Language, WindowIsEnglishWithoutATranslation) {
    const Translation translation(Language::english);
    EXPECT_EQ(GlossaryDialog::tr("Terms"), QStringLiteral("Terms"));
}

}  // namespace
}  // namespace splitscope::ui

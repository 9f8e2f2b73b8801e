// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through the program and saves a picture of every state: gui_screenshots FOLDER [FILE].
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <utility>
#include <vector>

#include "backends/all_backends.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/session/resources.hpp"
#include "tests/gui/panels.hpp"
#include "tests/gui/sample_graphs.hpp"
#include "ui/application.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/guide.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/dialogs/settings_dialog.hpp"
#include "ui/dialogs/shortcuts_dialog.hpp"
#include "ui/dialogs/tour.hpp"
#include "ui/dialogs/verify_dialog.hpp"
#include "ui/language.hpp"

namespace {

using splitscope::ui::MainWindow;
using splitscope::ui::Settings;
using splitscope::ui::Theme;
using splitscope::ui::ThemeMode;

struct Look {
    const char* name;
    ThemeMode mode;
    QSize size;
    splitscope::ui::Language language = splitscope::ui::Language::english;
};

bool settle(MainWindow& window) {
    return QTest::qWaitFor(
        [&] {
            return window.document().analysis() && !window.document().open_job().running() &&
                   !window.document().analyse_job().running() &&
                   !graph_panel(window).layout_job().running() &&
                   !graph_panel(window).collapse_job().running();
        },
        60000);
}

/// A chosen machine and the best placement on it.
template <class Save>
bool take_placement(MainWindow& window, const Save& save) {
    auto& machine = machine_panel(window);
    const int before = window.document().undo_stack().index();
    machine.source().use_preset(QStringLiteral("rtx-4060-laptop"));
    if (!QTest::qWaitFor([&] { return !machine.source().job().running(); }, 60000) || !settle(window))
        return false;
    machine.search().search();
    if (!QTest::qWaitFor([&] { return !machine.search().job().running(); }, 60000)) return false;
    window.show_panel(QStringLiteral("machine"));
    save(QStringLiteral("8c-placement"));
    machine.setup().copy();
    machine.search().apply();
    if (!settle(window)) return false;
    window.show_panel(QStringLiteral("buffers"));
    buffers_panel(window).show_page(splitscope::ui::BuffersPanel::kUsage);
    save(QStringLiteral("8d-applied"));
    window.document().undo_stack().setIndex(before);
    return settle(window);
}

/// The devices of the engine in the folder SPLITSCOPE_REFERENCE, if it is set, and its own scheduler.
bool take_engine(MainWindow& window, const Look& look, const QString& folder) {
    namespace ui = splitscope::ui;
    auto& source = machine_panel(window).source();
    const auto save = [&](QWidget& widget, const char* state) {
        QTest::qWait(100);
        widget.grab().save(
            QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(look.name), QLatin1String(state)));
    };
    window.show_panel(QStringLiteral("machine"));
    source.kind_values().popup(window.mapToGlobal(QPoint(0, 0)));
    save(source.kind_values(), "f-engine-menu");
    source.kind_values().close();
    const std::string reference = qEnvironmentVariable("SPLITSCOPE_REFERENCE").toStdString();
    if (reference.empty()) return true;
    const int before = window.document().undo_stack().index();
    window.document().set_kind_option("engine", reference);
    source.use_this_computer();
    if (!QTest::qWaitFor([&] { return !source.job().running(); }, 60000) || !settle(window)) return false;
    save(window, "g-engine");
    ui::VerifyDialog dialog(window.document().session());
    dialog.show();
    if (!QTest::qWaitFor([&] { return !dialog.running(); }, 60000)) return false;
    save(dialog, "h-verify");
    window.document().set_kind_option("engine", {});
    window.document().undo_stack().setIndex(before);
    return settle(window);
}

/// A measured machine file whose devices are RPC servers.
bool take_servers(MainWindow& window, const std::function<void(const char*)>& save) {
    const QTemporaryDir scratch;
    const std::string path = scratch.filePath(QStringLiteral("cluster.machine.json")).toStdString();
    std::ofstream(path) << R"({"format": "splitscope-machine", "version": 1, "name": "two servers",
      "buffer_types": [{"name": "RPC0[192.168.1.21:50052]", "alignment": 128, "max_size": null, "is_host": false},
        {"name": "RPC1[192.168.1.22:50052]", "alignment": 128, "max_size": null, "is_host": false},
        {"name": "CPU", "alignment": 32, "max_size": null, "is_host": true}],
      "backends": [{"name": "RPC0", "device": "gpu", "buffer_type": "RPC0[192.168.1.21:50052]",
          "supports_buffer_types": ["RPC0[192.168.1.21:50052]"], "unsupported_ops": [], "unsupported_types": [],
          "offload_min_batch": null, "async": false, "events": false, "claims_all": true},
        {"name": "RPC1", "device": "gpu", "buffer_type": "RPC1[192.168.1.22:50052]",
          "supports_buffer_types": ["RPC1[192.168.1.22:50052]"], "unsupported_ops": [], "unsupported_types": [],
          "offload_min_batch": null, "async": false, "events": false, "claims_all": true},
        {"name": "CPU", "device": "cpu", "buffer_type": "CPU", "supports_buffer_types": ["CPU"],
          "unsupported_ops": [], "unsupported_types": [], "offload_min_batch": null}],
      "scheduler": {"parallel": false, "op_offload": true},
      "devices": {"RPC0": {"memory_total": 25769803776, "memory_free": 25769803776, "memory_bandwidth": 8e11, "flops_f16": 3e13, "flops_f32": 3e13,
          "node_seconds": 4e-6, "link_bandwidth": 1.1e8, "link_latency": 2e-4, "measured": true},
        "RPC1": {"memory_total": 12884901888, "memory_free": 12884901888, "memory_bandwidth": 3e11, "flops_f16": 1e13, "flops_f32": 1e13,
          "node_seconds": 4e-6, "link_bandwidth": 1.1e8, "link_latency": 2e-4, "measured": true},
        "CPU": {"memory_total": 34359738368, "memory_free": 34359738368, "link_bandwidth": 0,  "memory_bandwidth": 4e10, "flops_f16": 4e11, "flops_f32": 4e11,
          "node_seconds": 2e-6, "measured": true}}})";
    auto& source = machine_panel(window).source();
    const int before = window.document().undo_stack().index();
    source.use_file(path);
    if (!QTest::qWaitFor([&] { return !source.job().running(); }, 60000) || !settle(window)) return false;
    machine_panel(window).select_device(splitscope::BackendId(0));
    save("28-servers");
    const auto scroll_to = [](QWidget& shown) {
        for (QWidget* at = shown.parentWidget(); at != nullptr; at = at->parentWidget())
            if (auto* area = dynamic_cast<QScrollArea*>(at)) area->ensureWidgetVisible(&shown, 0, 0);
    };
    scroll_to(machine_panel(window).offload_batch());
    save("28b-servers-device");
    scroll_to(machine_panel(window).sequences());
    save("28c-servers-options");
    scroll_to(machine_panel(window).devices());
    window.document().undo_stack().setIndex(before);
    return settle(window);
}

/// The dialogs, and a device whose rates are measured.
bool take_dialogs(MainWindow& window, const Look& look, const QString& folder, Settings& settings,
                  const Theme& theme) {
    namespace ui = splitscope::ui;
    const auto save = [&](QWidget& widget, const char* state) {
        widget.show();
        QTest::qWait(100);
        widget.grab().save(
            QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(look.name), QLatin1String(state)));
    };
    for (const auto& [typed, state] :
         {std::pair{"break", "23-palette"}, {"nothing like it", "23b-palette"}}) {
        ui::CommandPalette palette(window.actions(), &window);
        palette.show();
        QTest::keyClicks(palette.findChild<QLineEdit*>(), QLatin1String(typed));
        save(palette, state);
    }
    ui::ShortcutsDialog shortcuts(window.actions(), theme, &window);
    save(shortcuts, "24-shortcuts");
    ui::GlossaryDialog terms(QStringLiteral("split"), &window);
    save(terms, "25-terms");
    ui::ReportDialog report(window.document().analysis(), run_panel(window).result(), settings, &window);
    report.show();
    if (!QTest::qWaitFor([&] { return report.preview_ready(); }, 60000)) return false;
    save(report, "26-report");
    splitscope::Session measured = window.document().session();
    splitscope::DeviceFacts& facts = measured.devices[measured.machine.backends.front().name];
    facts.memory_free = std::uint64_t{8} << 30;
    facts.memory_bandwidth = 201e9;
    facts.flops_f32 = 11e12;
    facts.node_seconds = 4e-6;
    facts.link_latency = 2e-5;
    facts.measured = true;
    window.document().edit(QStringLiteral("measured rates"), measured);
    if (!settle(window)) return false;
    window.show_panel(QStringLiteral("machine"));
    machine_panel(window).select_device(splitscope::BackendId(0));
    save(window, "27-calibrated");
    window.document().undo_stack().undo();
    return settle(window) && take_servers(window, [&](const char* state) { save(window, state); });
}

/// A paused run, its values and its times.
template <class Save>
int take_debugging(MainWindow& window, const Save& save) {
    namespace ui = splitscope::ui;
    ui::RunControl& control = window.run_control();
    if (!control.can_run()) return 0;
    QTest::keyClick(graph_panel(window).findChild<QLineEdit*>(), Qt::Key_Escape);
    window.show_panel(QStringLiteral("timeline"));
    save(QStringLiteral("a-timeline"));
    window.show_panel(QStringLiteral("profile"));
    save(QStringLiteral("b-profile"));
    auto& profile = profile_panel(window);
    profile.by().setCurrentIndex(profile.by().count() - 1);
    if (!QTest::qWaitFor([&] { return !profile.job().running(); }, 60000)) return 1;
    save(QStringLiteral("b2-flame"));
    profile.by().setCurrentIndex(0);
    control.breakpoints().add(splitscope::BreakpointKind::glob, "Kcur-1");
    control.breakpoints().add(splitscope::BreakpointKind::op, "SOFT_MAX");
    control.breakpoints().add(splitscope::BreakpointKind::not_finite, "");
    run_panel(window).start();
    const auto stands = [&] {
        return control.state() == ui::RunState::paused && !tensor_panel(window).busy();
    };
    if (!QTest::qWaitFor([&] { return control.state() != ui::RunState::running; }, 60000)) return 1;
    run_panel(window).show_breakpoints();
    window.show_panel(QStringLiteral("tensor"));
    if (!QTest::qWaitFor(stands, 60000)) return 1;
    save(QStringLiteral("c-stands"));
    tensor_panel(window).keep();
    QAbstractItemModel& values = tensor_panel(window).model();
    values.setData(values.index(0, 3), QStringLiteral("7.5"), Qt::EditRole);
    if (!QTest::qWaitFor(stands, 60000)) return 1;
    tensor_panel(window).compare_with(ui::TensorPanel::kKept);
    if (!QTest::qWaitFor(stands, 60000)) return 1;
    save(QStringLiteral("d-compared"));
    control.stop();
    if (!QTest::qWaitFor([&] { return !control.active(); }, 60000)) return 1;
    // A token outside the vocabulary: the first node fails.
    run_panel(window).start(true);
    if (!QTest::qWaitFor([&] { return control.state() == ui::RunState::paused; }, 60000)) return 1;
    for (const splitscope::Tensor& t : window.document().analysis()->graph->tensors) {
        if (!t.is_input() || t.name.find("tok") == std::string::npos) continue;
        const auto input = splitscope::TensorIdentity::parse(t.name);
        auto after = control.debugger()->read(input).bytes;
        after[1] = std::byte{0x7f};
        control.edit_values(input, after);
    }
    control.breakpoints().clear();
    control.resume();
    if (!QTest::qWaitFor([&] { return !control.active(); }, 60000)) return 1;
    save(QStringLiteral("e-failed"));
    return 0;
}

int take_all(const QString& folder, const QString& file, const Look& look) {
    const QTemporaryDir scratch;
    const splitscope::ui::Translation translation(look.language);
    Theme theme;
    theme.set_mode(look.mode);
    Settings settings(scratch.filePath(QStringLiteral("settings.ini")));
    splitscope::ui::Document document(splitscope::all_backends());
    MainWindow window(document, theme, settings);
    window.resize(look.size);
    window.reset_layout();
    window.show();
    const auto save = [&](const QString& state) {
        QTest::qWait(150);
        const QString path = QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(look.name), state);
        if (!window.grab().save(path)) std::cerr << path.toStdString() << ": cannot be written\n";
    };
    save(QStringLiteral("0-empty"));
    if (file.isEmpty()) {
        window.open_sample();
    } else {
        window.open_file(file.toStdString());
    }
    if (!settle(window)) {
        std::cerr << "not opened: " << window.status().error().toStdString() << '\n';
        save(QStringLiteral("error"));
        return 1;
    }
    QTest::qWait(200);
    graph_panel(window).canvas().fit();
    save(QStringLiteral("1-opened"));
    const auto& graph = *window.document().analysis()->graph;
    window.document().select_tensor(graph.nodes[graph.nodes.size() * 2 / 3]);
    save(QStringLiteral("2-why"));
    window.document().navigation().seek(window.document().navigation().decision_count() / 3);
    window.show_panel(QStringLiteral("decisions"));
    graph_panel(window).canvas().fit();
    save(QStringLiteral("3-stepping"));
    window.document().navigation().seek(window.document().navigation().decision_count());
    window.show_panel(QStringLiteral("splits"));
    graph_panel(window).canvas().reveal_split(splitscope::SplitId(1));
    save(QStringLiteral("4-splits"));
    window.show_panel(QStringLiteral("buffers"));
    save(QStringLiteral("5-buffers"));
    compare_panel(window).compare_with(splitscope::Generation::g2024_10);
    if (!QTest::qWaitFor([&] { return !compare_panel(window).job().running(); }, 60000)) return 1;
    window.show_panel(QStringLiteral("compare"));
    compare_panel(window).table().selectRow(0);
    save(QStringLiteral("7-compare"));
    window.show_panel(QStringLiteral("machine"));
    machine_panel(window).refused_ops().setText(QStringLiteral("SOFT_MAX"));
    emit machine_panel(window).refused_ops().editingFinished();
    if (!settle(window)) return 1;
    save(QStringLiteral("8-machine"));
    window.show_panel(QStringLiteral("findings"));
    save(QStringLiteral("9-findings"));
    bookmarks_panel(window).toggle();
    window.show_panel(QStringLiteral("bookmarks"));
    window.show_panel(QStringLiteral("why"));
    graph_panel(window).canvas().fit();
    graph_panel(window).show_path(splitscope::ui::PathSide::inputs);
    save(QStringLiteral("10-path"));
    graph_panel(window).clear_path();
    graph_panel(window).collapse_all(true);
    QTest::qWait(300);
    graph_panel(window).canvas().fit();
    save(QStringLiteral("11-collapsed"));
    graph_panel(window).collapse_all(false);
    QTest::qWait(300);
    graph_panel(window).canvas().export_image(
        QStringLiteral("%1/%2-22-exported.png").arg(folder, QLatin1String(look.name)), false);
    window.show_panel(QStringLiteral("buffers"));
    buffers_panel(window).show_page(splitscope::ui::BuffersPanel::kGaps);
    save(QStringLiteral("12-gaps"));
    buffers_panel(window).show_page(splitscope::ui::BuffersPanel::kLifetimes);
    save(QStringLiteral("13-lifetimes"));
    buffers_panel(window).show_page(splitscope::ui::BuffersPanel::kPeak);
    save(QStringLiteral("13b-peak"));
    splitscope::Session small = window.document().session();
    small.devices[small.machine.backends.front().name].memory_free = std::uint64_t{2} << 20;
    window.document().edit(QStringLiteral("memory"), small);
    if (!settle(window)) return 1;
    machine_panel(window).placement().add_rule();
    if (!settle(window)) return 1;
    window.show_panel(QStringLiteral("machine"));
    save(QStringLiteral("8b-over"));
    window.show_panel(QStringLiteral("findings"));
    save(QStringLiteral("9b-tried"));
    window.document().undo_stack().undo();
    window.document().undo_stack().undo();
    if (!settle(window)) return 1;
    if (!take_placement(window, save)) return 1;
    if (run_panel(window).can_run()) {
        window.show_panel(QStringLiteral("compare"));
        compare_panel(window).show_page(splitscope::ui::ComparePanel::kValues);
        auto& values = compare_panel(window).values();
        if (!QTest::qWaitFor([&] { return !values.device_job().running(); }, 60000)) return 1;
        const int device = values.what().findData(splitscope::ui::ValueComparePage::kFirstDevice);
        values.compare(device < 0 ? splitscope::ui::ValueComparePage::kSessionWithCpu
                                  : splitscope::ui::ValueComparePage::kFirstDevice);
        if (!QTest::qWaitFor([&] { return !values.job().running(); }, 60000)) return 1;
        save(QStringLiteral("7b-values"));
    }
    if (!take_engine(window, look, folder)) return 1;
    if (!take_dialogs(window, look, folder, settings, theme)) return 1;
    window.start_tour();
    save(QStringLiteral("14-tour"));
    window.findChild<splitscope::ui::Tour*>()->skip().click();
    splitscope::ui::SettingsDialog dialog(settings, theme);
    dialog.show();
    QTest::qWait(50);
    dialog.grab().save(QStringLiteral("%1/%2-15-settings.png").arg(folder, QLatin1String(look.name)));
    splitscope::ui::GuideDialog guide;
    guide.show_heading(QStringLiteral("the-window"));
    guide.show();
    QTest::qWait(50);
    guide.grab().save(QStringLiteral("%1/%2-15b-guide.png").arg(folder, QLatin1String(look.name)));
    window.document().undo_stack().undo();
    if (!settle(window)) return 1;
    if (run_panel(window).can_run()) {
        window.show_panel(QStringLiteral("run"));
        run_panel(window).start();
        if (!QTest::qWaitFor([&] { return !run_panel(window).running(); }, 60000)) return 1;
    }
    window.show_panel(QStringLiteral("run"));
    graph_panel(window).open_search();
    QTest::keyClicks(graph_panel(window).findChild<QLineEdit*>(), QStringLiteral("ffn"));
    save(QStringLiteral("6-run"));
    return take_debugging(window, save);
}

/// Unusual states: an invalid file, a graph while it is being opened, and a huge graph.
int take_edges(const QString& folder, const Look& look) {
    namespace ui = splitscope::ui;
    const QTemporaryDir scratch;
    const ui::Translation translation(look.language);
    Theme theme;
    theme.set_mode(look.mode);
    Settings settings(scratch.filePath(QStringLiteral("settings.ini")));
    ui::Document document(splitscope::all_backends());
    MainWindow window(document, theme, settings);
    window.resize(look.size);
    window.reset_layout();
    window.show();
    const auto save = [&](const char* state) {
        window.grab().save(
            QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(look.name), QLatin1String(state)));
    };
    const std::string broken = scratch.filePath(QStringLiteral("broken.gguf")).toStdString();
    std::ofstream(broken) << "GGUF and then nothing that makes sense";
    window.open_file(broken);
    if (!QTest::qWaitFor([&] { return !document.open_job().running(); }, 60000)) return 1;
    QTest::qWait(100);
    save("16-error");
    // A program's recorded decisions compared with the simulation.
    window.open_file(SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log");
    if (!QTest::qWaitFor([&] { return document.analysis() != nullptr; }, 60000) || !settle(window)) return 1;
    compare_panel(window).compare_with_recorded(splitscope::sample_model_path());
    window.show_panel(QStringLiteral("compare"));
    if (!QTest::qWaitFor([&] { return !compare_panel(window).job().running(); }, 60000)) return 1;
    QTest::qWait(100);
    save("16b-recorded");
    // Many splits: every layer leaves a device without ROPE for it.
    for (const int layers : {25, 600}) {
        const std::string many = scratch.filePath(QStringLiteral("%1.graph.json").arg(layers)).toStdString();
        std::ofstream(many) << splitscope::write_graph_json(*ui::layered_graph(layers));
        window.open_file(many);
        if (!settle(window)) return 1;
        splitscope::Session session = document.session();
        session.machine.backends[0].unsupported_ops = {"ROPE"};
        session.generation = splitscope::Generation::g2026_08;
        document.edit(QStringLiteral("without ROPE"), session);
        graph_panel(window).set_overview(true);
        if (!settle(window)) return 1;
        QTest::qWait(300);
        graph_panel(window).canvas().fit();
        QTest::qWait(100);
        save(layers == 25 ? "20-overview-50" : "21-overview-1200");
        graph_panel(window).set_overview(false);
        if (!settle(window)) return 1;
        QTest::qWait(100);
        save(layers == 25 ? "22b-splits-50" : "22c-splits-1200");
    }
    const std::string huge = scratch.filePath(QStringLiteral("huge.graph.json")).toStdString();
    std::ofstream(huge) << splitscope::write_graph_json(*ui::layered_graph(16670));
    window.open_file(huge);
    if (!QTest::qWaitFor([&] { return window.status().busy() || !document.open_job().running(); }, 60000))
        return 1;
    save("17-loading");
    if (!settle(window)) return 1;
    QTest::qWait(100);
    save("18-huge");
    const auto& nodes = document.analysis()->graph->nodes;
    document.select_tensor(nodes[nodes.size() / 2]);
    QTest::qWait(100);
    save("19-huge-node");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const splitscope::ui::Application application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    constexpr const char* kUsage = "usage: gui_screenshots FOLDER [FILE]\n";
    if (arguments.contains(QStringLiteral("--help")) || arguments.contains(QStringLiteral("-h"))) {
        std::cout << kUsage;
        return 0;
    }
    if (arguments.size() < 2 || arguments[1].startsWith(QLatin1Char('-'))) {
        std::cerr << kUsage;
        return 2;
    }
    QDir().mkpath(arguments[1]);
    const QString file = arguments.size() > 2 ? arguments[2] : QString();
    int result = 0;
    // The scale is that of the whole program, so it is restarted.
    const bool scaled = !qEnvironmentVariableIsEmpty("QT_SCALE_FACTOR");
    const std::vector<Look> looks =
        scaled ? std::vector<Look>{{"dark-scale-2", ThemeMode::dark, {1366, 768}},
                                   {"light-scale-2", ThemeMode::light, {1366, 768}}}
               : std::vector<Look>{
                     {"dark-1366", ThemeMode::dark, {1366, 768}},
                     {"light-1366", ThemeMode::light, {1366, 768}},
                     {"dark-1920", ThemeMode::dark, {1920, 1080}},
                     {"light-1920", ThemeMode::light, {1920, 1080}},
                     {"dark-2560", ThemeMode::dark, {2560, 1440}},
                     {"light-2560", ThemeMode::light, {2560, 1440}},
                     {"chinese-1366", ThemeMode::light, {1366, 768}, splitscope::ui::Language::chinese}};
    for (const Look& look : looks) {
        result |= take_all(arguments[1], file, look);
        if (file.isEmpty()) result |= take_edges(arguments[1], look);
    }
    if (scaled) return result;
    qputenv("QT_SCALE_FACTOR", "2");
    return result | QProcess::execute(QApplication::applicationFilePath(), arguments.mid(1));
}

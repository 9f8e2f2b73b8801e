// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a model fits, in the window and on the command line.
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QTextDocument>
#include <algorithm>
#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/session/model_placement.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::vector<fs::path> golden_models() {
    std::vector<fs::path> files;
    const fs::path folder = fs::path(SPLITSCOPE_GOLDEN_DIR) / "models";
    if (fs::is_directory(folder))
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".gguf") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

json plan_of(const fs::path& model, const QStringList& switches) {
    QProcess program;
    program.start(QStringLiteral(SPLITSCOPE_PROGRAM),
                  QStringList{QStringLiteral("plan"), QString::fromStdString(model.string()),
                              QStringLiteral("--json")} +
                      switches);
    EXPECT_TRUE(program.waitForFinished(kPatienceMs));
    const QByteArray text = program.readAllStandardOutput();
    const json plan = json::parse(text.begin(), text.end(), nullptr, false);
    EXPECT_TRUE(plan.is_object()) << program.readAllStandardError().toStdString();
    return plan;
}

class HeadlineTest : public WindowTest {
 protected:
    void use(const std::vector<std::string>& presets) {
        document().set_new_session_defaults(
            {std::nullopt, Program::llama_server, known_machine(hardware_of_presets(presets))});
    }
    void open(const fs::path& model) {
        window().open_file(model);
        settle();
        ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
        ASSERT_EQ(document().session().file->path, model) << window().status().error().toStdString();
    }
    QString text() { return window().summary().text(); }
    bool says(const QString& phrase) { return text().contains(phrase); }

    /// Every figure of the headline is one of `splitscope plan --json`.
    void expect_same(const json& plan) {
        const ModelPlan& shown = *document().plan();
        EXPECT_EQ(name_of(shown.verdict.kind), plan["verdict"]["kind"].get<std::string>());
        ASSERT_EQ(shown.devices.size(), plan["devices"].size());
        std::uint64_t total = 0;
        for (std::size_t d = 0; d < shown.devices.size(); ++d) {
            const json& device = plan["devices"][d];
            EXPECT_EQ(shown.devices[d].name, device["name"]);
            if (device["total"].is_null()) continue;
            const auto needed = device["total"].get<std::uint64_t>();
            EXPECT_EQ(shown.devices[d].total(), needed) << device["name"];
            EXPECT_EQ(document().summary()->backends[d].total_bytes(), needed) << device["name"];
            total += needed;
        }
        if (plan["verdict"]["kind"] == "fits" || plan["verdict"]["kind"] == "lacks") {
            EXPECT_TRUE(says(bytes_text(total) + QStringLiteral(" of memory"))) << text().toStdString();
        }
        for (const json& shortage : plan["verdict"]["shortages"]) {
            if (shortage["pages"].get<bool>()) continue;
            EXPECT_TRUE(text().startsWith(QStringLiteral("Does not fit: "))) << text().toStdString();
            EXPECT_TRUE(
                says(QStringLiteral("%1 short on %2")
                         .arg(bytes_text(shortage["bytes"].get<std::uint64_t>()),
                              device_label(document().session(), shortage["device"].get<std::string>()))))
                << text().toStdString();
        }
        if (plan["verdict"]["kind"] == "fits") {
            expect_fits(plan);
        } else {
            EXPECT_FALSE(says(QStringLiteral("tokens/s"))) << text().toStdString();
        }
    }
    void expect_fits(const json& plan) {
        std::uint64_t left = UINT64_MAX;
        for (const json& device : plan["devices"])
            if (device["total"].get<std::uint64_t>() > 0)
                left = std::min(left,
                                device["memory"].get<std::uint64_t>() - device["total"].get<std::uint64_t>());
        EXPECT_TRUE(text().startsWith(QStringLiteral("Fits, %1 left").arg(bytes_text(left))))
            << text().toStdString();
        const json& seconds = plan["decode"]["seconds"];
        if (seconds.is_null()) {
            EXPECT_FALSE(says(QStringLiteral("tokens/s"))) << text().toStdString();
            return;
        }
        EXPECT_TRUE(
            says(QStringLiteral("about %1 tokens/s").arg(to_text(format_figure(1 / seconds.get<double>())))))
            << text().toStdString();
    }
};

TEST_F(HeadlineTest, MatchesPlanForEveryModel) {
    const std::vector<fs::path> models = golden_models();
    if (models.empty()) GTEST_SKIP() << "no golden models";
    use({"rtx-4090", "ryzen-7950x-ddr5"});
    std::size_t fit = 0;
    std::size_t lack = 0;
    for (const fs::path& model : models) {
        SCOPED_TRACE(model.filename().string());
        open(model);
        const json plan =
            plan_of(model, {QStringLiteral("--device"), QStringLiteral("rtx-4090,ryzen-7950x-ddr5")});
        expect_same(plan);
        fit += plan["verdict"]["kind"] == "fits" ? 1 : 0;
        lack += plan["verdict"]["kind"] == "lacks" ? 1 : 0;
        if (HasFatalFailure()) return;
    }
    // Both answers were compared.
    EXPECT_GT(fit, 0U);
    EXPECT_GT(lack, 0U);
}

TEST_F(HeadlineTest, FollowsSwitchesProgramAndDisplayedGraph) {
    const std::vector<fs::path> models = golden_models();
    if (models.empty()) GTEST_SKIP() << "no golden models";
    const auto found = std::ranges::find(models, "header-llama-3.1-8b-q4_k_m.gguf", &fs::path::filename);
    ASSERT_NE(found, models.end());
    const QStringList devices{QStringLiteral("--device"), QStringLiteral("rtx-3060,rtx-3090")};
    use({"rtx-3060", "rtx-3090"});
    open(*found);
    expect_same(plan_of(*found, devices));
    // The displayed graph is independent of it.
    EXPECT_TRUE(says(QStringLiteral("shown: graph of %1 token").arg(document().summary()->tokens)))
        << text().toStdString();
    const QString before = text().section(QStringLiteral("·"), 0, 1);
    window().machine().kind().setCurrentIndex(1);
    settle();
    EXPECT_TRUE(says(QStringLiteral("shown: graph of a prompt of 512 tokens"))) << text().toStdString();
    EXPECT_EQ(text().section(QStringLiteral("·"), 0, 1), before);
    Session changed = document().session();
    changed.model_options.gpu_layers = 12;
    changed.model_options.context = 16384;
    document().edit(QStringLiteral("switches"), changed);
    settle();
    expect_same(plan_of(*found, devices + QStringList{QStringLiteral("-ngl"), QStringLiteral("12"),
                                                      QStringLiteral("-c"), QStringLiteral("16384")}));
    for (const Program program : kPrograms) {
        Session like = document().session();
        use_defaults(like, program);
        document().edit(QStringLiteral("program"), like);
        settle();
        expect_same(
            plan_of(*found, devices + QStringList{QStringLiteral("--like"), to_text(name_of(program))}));
    }
}

TEST_F(HeadlineTest, LinesBreakBetweenPhrases) {
    open_sample();
    const auto labels = window().summary().findChildren<QLabel*>();
    const auto phrases = std::ranges::find(labels, Qt::RichText, &QLabel::textFormat);
    ASSERT_NE(phrases, labels.end());
    EXPECT_TRUE(text().contains(QStringLiteral("2 findings")));
    EXPECT_TRUE((*phrases)->text().contains(QStringLiteral("2\u00a0findings")));
    EXPECT_FALSE((*phrases)->text().contains(QStringLiteral("2 findings")));
    // Shares of backends with product names too.
    machine_panel(window()).source().use_preset(QStringLiteral("rtx-4060-laptop"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !machine_panel(window()).source().job().running(); }, kPatienceMs));
    settle();
    EXPECT_TRUE(text().contains(QStringLiteral("RTX 4060 Laptop")));
    EXPECT_TRUE((*phrases)->text().contains(QStringLiteral("\u00a0nodes,\u00a0")));
    EXPECT_FALSE((*phrases)->text().contains(QStringLiteral(" nodes, ")));
}

TEST_F(HeadlineTest, ReportsUnknownFiguresWithALink) {
    open_sample();
    EXPECT_TRUE(text().startsWith(QStringLiteral(
        "Not known whether it fits: choose a machine (the memory of GPU0 and CPU is not known)")))
        << text().toStdString();
    EXPECT_FALSE(says(QStringLiteral("tokens/s")));
    EXPECT_EQ(window().summary().links().front(), QStringLiteral("machine:"));
    window().summary().follow(QStringLiteral("machine:"));
    EXPECT_TRUE(machine_panel(window()).isVisible());
    // A model that cannot run with any memory reports that.
    Session changed = document().session();
    changed.model_options.cache_type = ElementType::f64;
    document().edit(QStringLiteral("an impossible cache"), changed);
    settle();
    EXPECT_TRUE(text().startsWith(QStringLiteral("Cannot run: a K cache of f64 is not possible")))
        << text().toStdString();
    EXPECT_EQ(window().summary().links().front(), QStringLiteral("findings:"));
}

TEST_F(HeadlineTest, ShortagesAreRedAndNameTheDevice) {
    use({"rtx-4090:0.001"});
    window().open_sample();
    settle();
    EXPECT_TRUE(text().startsWith(QStringLiteral("Does not fit: "))) << text().toStdString();
    EXPECT_TRUE(says(QStringLiteral("short on RTX 4090"))) << text().toStdString();
    EXPECT_FALSE(says(QStringLiteral("tokens/s"))) << text().toStdString();
    EXPECT_EQ(window().summary().links().front(), QStringLiteral("memory:"));
    const QString first = window().summary().phrases().section(QStringLiteral("</a>"), 0, 0);
    EXPECT_TRUE(first.contains(theme_.colours().error.name())) << first.toStdString();
}

TEST(DeviceLabel, UsesProductNames) {
    EXPECT_EQ(short_device_title("NVIDIA GeForce RTX 4090 24GB"), QStringLiteral("RTX 4090"));
    EXPECT_EQ(short_device_title("NVIDIA GeForce RTX 4060 Laptop GPU 8GB"),
              QStringLiteral("RTX 4060 Laptop"));
    EXPECT_EQ(short_device_title("AMD Radeon RX 7900 XTX 24GB"), QStringLiteral("RX 7900 XTX"));
    EXPECT_EQ(short_device_title("Intel Core i7-13700H (laptop), 2 channels of DDR5-5200, 32 GiB"),
              QStringLiteral("Core i7-13700H"));
    EXPECT_EQ(short_device_title("Intel(R) Xeon(R) CPU @ 2.20GHz"), QStringLiteral("Xeon"));
    EXPECT_EQ(short_device_title("llvmpipe (LLVM 15.0.6, 256 bits)"), QStringLiteral("llvmpipe"));
    EXPECT_EQ(short_device_title(""), QString());
    Session session;
    KnownMachine known = known_machine(hardware_of_presets({"rtx-3090", "rtx-3090"}));
    session.machine = std::move(known.machine);
    session.devices = std::move(known.devices);
    EXPECT_EQ(device_label(session, BackendId(1)), QStringLiteral("RTX 3090 (CUDA1)"));
    session.devices.clear();
    EXPECT_EQ(device_label(session, BackendId(1)), QStringLiteral("CUDA1"));
}

}  // namespace
}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the engine with their arguments in a Chinese window contain no English.
#include <QRegularExpression>
#include <QTemporaryDir>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "engine/formats/graph_json.hpp"
#include "engine/importers/dot_graph.hpp"
#include "engine/importers/recording.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/scheduler/hazards.hpp"
#include "engine/session/compare_sessions.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/resources.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/limits.hpp"
#include "tests/planning/crowded_session.hpp"
#include "ui/language.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/why.hpp"

namespace splitscope::ui {
namespace {

/// English words of a text, except names. Names have capitals, digits, dots and the like.
QStringList english_in(QString text) {
    static const QRegularExpression quoted(QStringLiteral(
        "'[^']*'|\"[^\"]*\"|“[^”]*”|--[a-z-]+( auto)?|splitscope [a-z]+|flash attention|GPU architecture"));
    static const QRegularExpression word(QStringLiteral(R"((?<![\w.:#-])[a-z]{3,}(?![\w.:#-]))"));
    text.remove(quoted);
    QStringList words;
    for (auto found = word.globalMatch(text); found.hasNext();) words += found.next().captured();
    return words;
}

class TranslatedMessagesTest : public ::testing::Test {
 protected:
    static Session sample() { return default_session(open_file(sample_model_path())); }
    static Session on(const std::vector<std::string>& devices) {
        Session session = sample();
        use_presets(session, devices);
        session.model_options.gpu_layers = GpuLayers::all();
        return session;
    }
    void expect_reported(const Message& message) {
        if (message.empty()) return;
        const QString told = message_text(message);
        EXPECT_NE(told, to_text(english(message))) << message;
        EXPECT_TRUE(english_in(told).isEmpty()) << message << " becomes " << told.toStdString() << ", with "
                                                << english_in(told).join(QLatin1Char(' ')).toStdString();
    }
    /// Keeps their rules.
    void expect_reported(const std::vector<Finding>& findings) {
        for (const Finding& finding : findings) {
            rules_.insert(finding.rule);
            expect_reported(finding.finding());
            expect_reported(finding.cause);
            expect_reported(finding.remedy);
        }
    }
    void expect_findings_reported(const Session& session) { expect_reported(lint(*analyse(session))); }

    Translation translation_{Language::chinese};
    std::set<std::string> rules_;
};

TEST_F(TranslatedMessagesTest, AllFindings) {
    Session small = on({"rtx-3090:0.0001"});
    small.model_options.overrides = parse_overrides("no_such_tensor=CPU,ffn_=CPU,ffn_up=CPU");
    expect_findings_reported(small);
    small.model_options.overrides.clear();
    small.model_options.context = 4096;
    expect_findings_reported(small);
    small.model_options.kind = GraphKind::prefill;
    small.model_options.batch = 512;
    expect_findings_reported(small);

    Session two = on({"rtx-3090", "rtx-3090"});
    expect_findings_reported(two);
    two.model_options.overrides = parse_overrides("ffn_=CPU");
    expect_findings_reported(two);

    Session uploads = on({"rtx-3090"});
    uploads.model_options.gpu_layers = 0;
    uploads.model_options.kind = GraphKind::prefill;
    expect_findings_reported(uploads);
    Session fetched = on({"rtx-3090"});
    fetched.machine.backends.front().unsupported_ops = {"GET_ROWS"};
    fetched.model_options.overrides = {{"token_embd", "CUDA0", "--override-tensor"}};
    fetched.model_options.tensor_split = {3, 1};
    expect_findings_reported(fetched);
    // The sample model has heads of 8, for which CUDA has no kernels.
    Hardware any_heads = hardware_of_presets({"rtx-3090"});
    any_heads.machine.backends.front().attention_heads.clear();
    PlacementFlags caches_in_host_memory;
    caches_in_host_memory.flash_attention = FlashAttention::on;
    caches_in_host_memory.kv_offload = false;
    const Model& model = *small.file->model;
    expect_reported(
        lint(plan_model(model.file(), &model, any_heads, caches_in_host_memory, Generation::g2026_08)));

    Session attention = on({"rtx-3090"});
    attention.model_options.flash_attention = true;
    attention.model_options.cache_type = ElementType::bf16;
    attention.model_options.cache_type_v = ElementType::f16;
    expect_findings_reported(attention);
    attention.model_options.kv_offload = false;
    expect_findings_reported(attention);

    for (const char* op : {"SOFT_MAX", "MUL_MAT"}) {
        Session refused = sample();
        refused.machine.backends.front().unsupported_ops = {op};
        expect_findings_reported(refused);
        refused = on({"rtx-3090"});
        refused.machine.backends.front().unsupported_ops = {op};
        expect_findings_reported(refused);
    }
    expect_findings_reported(test::crowded_session());

    for (const char* rule :
         {"does-not-fit", "override-matches-nothing", "override-shadowed", "overrides-stop-pipelining",
          "pipelining-multiplies-inputs", "weights-uploaded", "weights-fetched", "caches-uploaded",
          "shares-unused", "attention-unsupported", "cpu-detour", "cpu-fallback", "split-input-limit"}) {
        EXPECT_TRUE(rules_.contains(rule)) << rule;
    }
}

TEST_F(TranslatedMessagesTest, CostOfPipeliningPerDevice) {
    const ModelPlan plan = plan_session(on({"rtx-3090", "rtx-3090"}));
    bool costs = false;
    for (const Finding& finding : lint(plan)) {
        if (finding.rule != "pipelining-multiplies-inputs") continue;
        expect_reported(finding.finding());
        costs = costs || english(finding.what).find("without pipelining") != std::string::npos;
    }
    EXPECT_TRUE(costs);
}

TEST_F(TranslatedMessagesTest, ReasonsSavingFails) {
    const auto refused = [this](const std::function<void(SavedSession&)>& change) {
        SavedSession saved{sample(), {}, {}};
        change(saved);
        try {
            write_session_json(saved, sample_model_path().parent_path());
            ADD_FAILURE() << "written";
        } catch (const Error& error) {
            expect_reported(error.problem());
            expect_reported(error.remedy());
        }
    };
    refused([](SavedSession& s) { s.session.machine.backends.front().name.assign(257, 'X'); });
    refused([](SavedSession& s) { s.session.machine.backends.front().supports_buffer_types.clear(); });
    refused([](SavedSession& s) {
        const MachineBackend one = s.session.machine.backends.front();
        s.session.machine.backends.insert(s.session.machine.backends.begin(), 16, one);
    });
    refused([](SavedSession& s) { s.session.model_options.tensor_split = {-1}; });
    refused([](SavedSession& s) { s.notes.bookmarks.resize(10'001); });
    refused([](SavedSession& s) { s.breakpoints.resize(kMaxBreakpoints + 1); });
    refused([](SavedSession& s) {
        auto piped = std::make_shared<OpenedFile>(*s.session.file);
        piped->path = "-";
        s.session.file = piped;
    });
    BreakpointBudget budget;
    try {
        for (std::size_t i = 0; i <= kMaxBreakpoints; ++i) budget.add({0, BreakpointKind::node, "x"});
    } catch (const Error& error) {
        expect_reported(error.problem());
        expect_reported(error.remedy());
    }
}

TEST_F(TranslatedMessagesTest, Hazards) {
    const auto analysis = analyse(sample());
    const TensorId tensor = analysis->graph->nodes.front();
    for (const HazardKind kind : {HazardKind::copy_overlaps_original, HazardKind::copied_before_computed})
        expect_reported(describe(Hazard{kind, SplitId(1), tensor, tensor}, *analysis->schedule));
}

TEST_F(TranslatedMessagesTest, ReasonsAgainstPipelining) {
    std::set<std::string> reasons;
    const auto expect_reason_reported = [&](const Session& session) {
        const Message reason = analyse(session)->layout->pipeline.reason;
        expect_reported(reason);
        reasons.insert(english(reason));
    };
    expect_reason_reported(sample());
    const Session two = on({"rtx-3090", "rtx-3090"});
    expect_reason_reported(two);
    const auto changed = [&](const auto& change) {
        Session session = two;
        change(session);
        expect_reason_reported(session);
    };
    changed([](Session& s) { s.machine.parallel = true; });
    changed([](Session& s) { s.model_options.gpu_layers = 1; });
    changed([](Session& s) { s.model_options.split_mode = SplitMode::row; });
    changed([](Session& s) { s.model_options.kv_offload = false; });
    changed([](Session& s) { s.model_options.overrides = parse_overrides("ffn_=CPU"); });
    changed([](Session& s) { s.machine.backends[0].async = false; });
    changed([](Session& s) { s.machine.backends[0].events = false; });
    EXPECT_EQ(reasons.size(), 9U);
}

TEST_F(TranslatedMessagesTest, NotesAndReasonsAFileCannotRun) {
    Session automatic = on({"rtx-3090"});
    automatic.model_options.flash_attention = automatic.model_options.flash_attention_if_supported = true;
    automatic.model_options.cache_type = ElementType::bf16;
    automatic.model_options.cache_type_v = ElementType::f16;
    const auto analysis = analyse(automatic);
    ASSERT_FALSE(analysis->notes.empty());
    for (const Message& note : analysis->notes) expect_reported(note);
    expect_reported(why_not_runnable(Session()).value_or(Message()));
    const auto captured = why_not_runnable(test::crowded_session());
    ASSERT_TRUE(captured);
    expect_reported(*captured);
}

TEST_F(TranslatedMessagesTest, WhyPanel) {
    Session refused = sample();
    refused.machine.backends.front().unsupported_ops = {"SOFT_MAX"};
    Session typed = sample();
    typed.machine.backends.front().unsupported = {{"MUL_MAT", {"q8_0"}}};
    for (const Session& session : {sample(), refused, typed, on({"rtx-3090", "arc-a770"})}) {
        for (const Generation generation : {Generation::g2024_10, Generation::g2026_08}) {
            Session one = session;
            one.generation = generation;
            const auto analysis = analyse(one);
            std::map<std::string, Message> said;
            const auto add = [&said](const Message& message) { said.try_emplace(english(message), message); };
            for (std::size_t t = 0; t < analysis->graph->tensors.size(); ++t) {
                const WhyStory story = explain_placement(*analysis, TensorId(t));
                for (const WhyStep& step : story.steps) {
                    add(step.explanation);
                    add(step.via_role);
                    for (const WhyRefusal& refusal : step.refusals) add(refusal.reason);
                }
                for (const WhyNot& entry : story.not_on) add(entry.rule);
                for (const WhyChange& change : story.changes) {
                    // Names of tensors may be words.
                    if (!change.tensor.valid()) add(change.text);
                }
            }
            for (const auto& [words, message] : said) expect_reported(message);
            for (const Summary::Fallback& fallback : summarise(*analysis).fallbacks)
                expect_reported(fallback.reason(*analysis->schedule));
        }
    }
}

TEST_F(TranslatedMessagesTest, RemarksOnImports) {
    std::set<std::string> remarks;
    const auto add = [&](const std::vector<Message>& found) {
        for (const Message& remark : found) {
            expect_reported(remark);
            remarks.insert(english(remark));
        }
    };
    add(parse_dot_graph("digraph G {\n"
                        "  \"0x10\" [ style = filled; fillcolor = white; shape = record; label=\"up (q9_9)|0 "
                        "[64, 7] | <x>nothing(x)\"; ]\n"
                        "  \"0x99\" [ style = filled; fillcolor = white; label=\"cut\n"
                        "  \"0x60\" -> \"0x10\" [ arrowhead = vee; style = solid; label = \"src 0\"; ]\n"
                        "}\n")
            .remarks);
    EXPECT_GE(remarks.size(), 3U);
    const auto dot_remarks = remarks.size();
    const QTemporaryDir folder;
    const std::string log = folder.filePath(QStringLiteral("run.log")).toStdString();
    std::ofstream(log)
        << "## SPLIT #0: CPU # 0 inputs\n"
           "node #  0 (  GET_ROWS):             inp_embd (  16K) [  CPU         ] use=1,c=1:    "
           "token_embd.weight (  16K) [  CPU         ]           inp_tokens (  16K) [  CPU         "
           "]\n"
           "node #  5 ( FOO_BAR):                 Kcur-0 (  16K) [  CPU         ] use=1,c=1:      "
           "        inp_embd (  16K) [  CPU         ]\n"
           "## SPLIT #1: what is th\n"
           "node #  6 (  nonsense\n";
    add(open_file(log)->remarks);
    EXPECT_GT(remarks.size(), dot_remarks);
}

TEST_F(TranslatedMessagesTest, SourcesOfPresetFigures) {
    for (const DevicePreset& preset : device_presets()) {
        expect_reported(preset.source);
        EXPECT_TRUE(english_in(to_text(preset.facts.title)).isEmpty()) << preset.facts.title;
    }
}

TEST_F(TranslatedMessagesTest, Progress) {
    std::map<std::string, Message> doings;
    const JobContext job({},
                         [&](double, const Message& doing) { doings.try_emplace(english(doing), doing); });
    const QTemporaryDir folder;
    const auto opened = open_file(sample_model_path(), job);
    const auto first = analyse(default_session(opened), job);
    const std::string graph = folder.filePath(QStringLiteral("a.graph.json")).toStdString();
    std::ofstream(graph) << write_graph_json(*first->graph);
    Session captured = default_session(open_file(graph, job));
    captured.machine = *first->machine;
    const auto second = analyse(captured, job);
    compare_sessions(*first, *second, job);
    detect_machine(nullptr, {}, job, DeviceUse::by_default);
    plan_session(default_session(opened), job);
    EXPECT_GT(doings.size(), 4U);
    for (const auto& [words, doing] : doings) expect_reported(doing);
}

}  // namespace
}  // namespace splitscope::ui

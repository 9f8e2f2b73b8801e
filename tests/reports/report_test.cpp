// SPDX-License-Identifier: MIT
#include "engine/reports/report.hpp"

#include <set>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/messages/render.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/render.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/reports/markup_check.hpp"
#include "tests/reports/sample_analysis.hpp"

namespace splitscope {
namespace {

using test::first_load;
using test::long_analysis;
using test::markup_problem;
using test::twice_listed_analysis;
using test::two_backend_analysis;

std::string text_at(const Table& table, std::size_t row, std::string_view key) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].key == key) return plain_cell(table.rows.at(row).at(c));
    }
    return "no column " + std::string(key);
}

/// A table that the report must have.
const Table& table_of(const Report& report, std::string_view id) {
    const Table* const table = find_table(report, id);
    if (table == nullptr) throw std::logic_error("no table " + std::string(id));
    return *table;
}

std::vector<const Table*> decisions_of(const Report& report) {
    std::vector<const Table*> tables;
    for (const Table* table : tables_of(report))
        if (table->id.ends_with("-decisions")) tables.push_back(table);
    return tables;
}

const Fact* fact_of(const Report& report, std::string_view name) {
    for (const Part& part : report.find("summary")->parts)
        if (const auto* facts = std::get_if<Facts>(&part.what))
            for (const Fact& fact : facts->facts)
                if (fact.name == name) return &fact;
    return nullptr;
}

/// A run as recorded by the executor, with simple times.
RunResult recorded_run(const std::shared_ptr<const Analysis>& analysis) {
    Execution execution;
    std::int64_t now = 0;
    for (std::size_t s = 0; s < analysis->schedule->splits.size(); ++s) {
        const Split& split = analysis->schedule->splits[s];
        for (const TensorId input : split.inputs) {
            ExecutionEvent copy{ExecutionEventKind::copy, SplitId(s), split.backend, input, 0, 0, 1024};
            copy.start = std::chrono::nanoseconds(now);
            copy.end = std::chrono::nanoseconds(now += 1000);
            execution.events.push_back(copy);
        }
        ExecutionEvent compute{
            ExecutionEventKind::compute, SplitId(s), split.backend, {}, split.start, split.end - 1, 0};
        compute.start = std::chrono::nanoseconds(now);
        compute.end = std::chrono::nanoseconds(now += 5000);
        execution.events.push_back(compute);
    }
    execution.duration = std::chrono::nanoseconds(now);
    RunResult run;
    run.prompt_tokens = {1, 2};
    run.tokens = {3};
    run.text = "some <b>text</b>";
    run.prefill_time = std::chrono::milliseconds(2);
    run.decode_time = std::chrono::milliseconds(1);
    run.decode = analysis;
    run.decode_execution = std::make_shared<const Execution>(std::move(execution));
    return run;
}

TEST(Report, ListsFindingsOfTheSchedule) {
    const auto analysis = two_backend_analysis();
    ASSERT_FALSE(analysis->schedule->error) << analysis->schedule->error->message;
    const Report report = make_report(*analysis);
    EXPECT_EQ(report.title, "two products");
    ASSERT_EQ(report.backends.size(), 2U);
    EXPECT_NE(report.backends[0].colour, report.backends[1].colour);

    EXPECT_EQ(table_of(report, "splits").rows.size(), analysis->schedule->splits.size());
    EXPECT_EQ(report.overview.boxes.size(), analysis->schedule->splits.size());
    std::size_t decisions = 0;
    for (const Table* pass : decisions_of(report)) decisions += pass->rows.size();
    EXPECT_EQ(decisions, analysis->schedule->decisions.size());
    EXPECT_EQ(table_of(report, "nodes").rows.size(), analysis->graph->nodes.size());
}

/// The displayed graph is one of two that share each device's memory.
TEST(Report, GivesOneMemoryPerDevice) {
    const Session session = default_session(open_file(sample_model_path()));
    const auto analysis = analyse(session);
    const auto plans = plan_for_report(analysis->session, false);
    ASSERT_TRUE(plans);
    ReportOptions options = options_for(ReportFormat::markdown);
    options.plans = &*plans;
    const Report report = make_report(*analysis, nullptr, options);
    const Table& shares = table_of(report, "backend-shares");
    const Table& memory = table_of(report, "device-memory");
    ASSERT_EQ(shares.rows.size(), memory.rows.size());
    for (std::size_t row = 0; row < shares.rows.size(); ++row)
        for (const char* key : {"weights_bytes", "cache_bytes", "compute_bytes"})
            EXPECT_EQ(text_at(shares, row, key), text_at(memory, row, key)) << key << " in row " << row;
    // The simulated machine has no stated memory.
    EXPECT_NE(render_markdown(report).find("Memory of the devices is not known"), std::string::npos);
}

TEST(Report, GivesNoSpeedOfAModelThatDoesNotFit) {
    const test::TemporaryFile place("");
    RandomModelOptions shape = kShapeOf8b;
    shape.header_only = true;
    write_random_model(place.path(), shape);
    Session session = default_session(open_file(place.path()));
    session.model_options.gpu_layers = GpuLayers::all();
    for (const char* device : {"rtx-3090", "rtx-3090:0.1"}) {
        use_presets(session, {device});
        const auto analysis = analyse(session);
        const auto plans = plan_for_report(analysis->session, false);
        ReportOptions options = options_for(ReportFormat::markdown);
        options.plans = &*plans;
        const Report report = make_report(*analysis, nullptr, options);
        for (const char* fact : {"Generates, estimated", "Reads prompts, estimated"})
            EXPECT_EQ(fact_of(report, fact) != nullptr, plans->plan.fits()) << device;
        EXPECT_EQ(render_markdown(report).find("Estimates assume") != std::string::npos, plans->plan.fits());
    }
}

TEST(Report, NamesTheTokensOfItsGraph) {
    Session session = default_session(open_file(sample_model_path()));
    use_defaults(session, Program::llama_server);
    const auto text = [&] { return render_markdown(make_report(*analyse(session), nullptr, {})); };
    const std::string page = text();
    EXPECT_NE(page.find("| Graph | decode of 4 tokens, one per sequence |"), std::string::npos);
    EXPECT_NE(page.find(" copies for 4 tokens |"), std::string::npos);
    EXPECT_NE(page.find("| FLOPs of 4 tokens |"), std::string::npos);
    session.model_options.sequences = 1;
    EXPECT_NE(text().find("| Graph | decode of 1 token |"), std::string::npos);
    session.model_options.kind = GraphKind::prefill;
    session.model_options.batch = 32;
    EXPECT_NE(text().find("| Graph | prefill of 32 tokens |"), std::string::npos);
}

std::string note_of(const Report& report, std::string_view section) {
    for (const Part& part : report.find(section)->parts)
        if (const auto* note = std::get_if<Note>(&part.what)) return note->text;
    return {};
}

TEST(Report, DoesNotCallFiguresGoodBesideFindings) {
    Session session = default_session(open_file(sample_model_path()));
    use_presets(session, {"rtx-3060"});
    const auto note = [&](std::int32_t layers) {
        session.model_options.gpu_layers = layers;
        const auto analysis = analyse(session);
        const auto plans = plan_for_report(analysis->session, false);
        ReportOptions options = options_for(ReportFormat::markdown);
        options.plans = &*plans;
        const Report report = make_report(*analysis, nullptr, options);
        EXPECT_TRUE(table_of(report, "suggestions").rows.empty()) << layers;
        EXPECT_EQ(table_of(report, "findings").rows.empty(), layers != 0);
        return note_of(report, "suggestions");
    };
    EXPECT_EQ(note(99), "Nothing in these figures asks for a change.");
    EXPECT_EQ(note(0), "Nothing beyond the remedies of the findings.");
}

/// People read products, programs the engine's names.
TEST(Report, NamesProductsOfDevices) {
    Session session = default_session(open_file(sample_model_path()));
    EXPECT_EQ(fact_of(make_report(*analyse(session), nullptr, {}), "GPU0"), nullptr);
    use_presets(session, {"rtx-4060-laptop", "rtx-3090", "rtx-3090"});
    const Report report = make_report(*analyse(session), nullptr, {});
    for (const auto& [name, product] : {std::pair{"CUDA0", "RTX 4060 Laptop"},
                                        {"CUDA1", "RTX 3090 (CUDA1)"},
                                        {"CUDA2", "RTX 3090 (CUDA2)"}}) {
        const Fact* const fact = fact_of(report, name);
        ASSERT_NE(fact, nullptr) << name;
        EXPECT_EQ(fact->value, product);
    }
    EXPECT_NE(report.headline.find("RTX 4060 Laptop "), std::string::npos) << report.headline;
    EXPECT_EQ(report.headline.find("CUDA0"), std::string::npos) << report.headline;
    EXPECT_EQ(text_at(table_of(report, "backend-shares"), 0, "backend"), "CUDA0");
    EXPECT_NE(render_markdown(report).find("| RTX 3090 (CUDA1) | "), std::string::npos);
    const std::string page = render_html(report);
    EXPECT_NE(page.find("<td class=\"b c b1\">RTX 3090 (CUDA1)</td>"), std::string::npos);
    EXPECT_EQ(page.find("<td class=\"b c b1\">CUDA1</td>"), std::string::npos);
    const auto json = nlohmann::json::parse(render_json(report));
    EXPECT_EQ(json["backends"][1]["name"], "CUDA1");
    EXPECT_EQ(json["backends"][1]["label"], "RTX 3090 (CUDA1)");
}

TEST(Report, SentencesNameProductsOfDevices) {
    Session session = default_session(open_file(sample_model_path()));
    use_presets(session, {"rtx-4060-laptop"});
    session.devices.at("CUDA0").memory_free = 1 << 20;
    const ReportPlans plans = *plan_for_report(session, false);
    ReportOptions options;
    options.plans = &plans;
    const Report report = make_report(*analyse(session), nullptr, options);
    const std::string finding = text_at(table_of(report, "findings"), 0, "finding");
    EXPECT_NE(finding.find("RTX 4060 Laptop"), std::string::npos) << finding;
    const std::string suggestion = text_at(table_of(report, "suggestions"), 0, "what");
    EXPECT_NE(suggestion.find("RTX 4060 Laptop"), std::string::npos) << suggestion;
}

TEST(Report, NamesSourcesOfCopies) {
    const auto analysis = two_backend_analysis();
    const Report report = make_report(*analysis);
    const Table& copies = table_of(report, "copies");
    ASSERT_GE(copies.rows.size(), 2U);
    EXPECT_EQ(text_at(copies, 0, "tensor"), "input");
    EXPECT_EQ(text_at(copies, 0, "made_by"), "input");
    EXPECT_EQ(text_at(copies, 0, "from"), "CPU");
    EXPECT_EQ(text_at(copies, 0, "to"), "GPU0");
    EXPECT_EQ(text_at(copies, 0, "bytes"), "1024");
    EXPECT_EQ(text_at(copies, 1, "tensor"), "squared");
    EXPECT_EQ(text_at(copies, 1, "made_by"), "0");
}

TEST(Report, ShowsTheEvidenceOfADecision) {
    const auto analysis = two_backend_analysis("heavy");
    const Report report = make_report(*analysis);
    bool found = false;
    for (const Table* pass : decisions_of(report)) {
        for (std::size_t row = 0; row < pass->rows.size(); ++row) {
            if (text_at(*pass, row, "tensor") != "first") continue;
            found = true;
            EXPECT_EQ(text_at(*pass, row, "cause"), "1.wgt0");
            EXPECT_EQ(text_at(*pass, row, "to"), "GPU0");
            EXPECT_NE(text_at(*pass, row, "evidence").find("heavy"), std::string::npos);
        }
    }
    EXPECT_TRUE(found);
}

TEST(HtmlReport, IsASelfContainedPage) {
    const auto analysis = two_backend_analysis();
    const RunResult run = recorded_run(analysis);
    const std::string page = render_html(make_report(*analysis, &run));
    EXPECT_EQ(markup_problem(page), "");
    EXPECT_EQ(first_load(page), "");
    for (const char* id :
         {"summary", "machine", "passes", "splits", "buffers", "run", "provenance", "findings"}) {
        EXPECT_NE(page.find("<section id=\"" + std::string(id) + "\""), std::string::npos) << id;
    }
    EXPECT_NE(page.find("some &lt;b&gt;text&lt;/b&gt;"), std::string::npos);
}

TEST(MarkupCheck, DistinguishesLoadingTagsFromText) {
    EXPECT_EQ(first_load("<p title=\"a src= b\">src= http://a @import <a href=\"#run\">run</a></p>"), "");
    for (const char* page :
         {"<p><img src=\"a\"/></p>", "<a href=\"//a\">a</a>", "<style>@import 'a';</style>",
          "<p style=\"background:url(a)\">", "<script>fetch('a')</script>", "<script src=\"a\"></script>"})
        EXPECT_NE(first_load(page), "") << page;
}

TEST(HtmlReport, EscapesHostileNames) {
    const std::string hostile = "<img src=x onerror=alert(1)>\"'&";
    const std::string page = render_html(make_report(*two_backend_analysis(hostile)));
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_EQ(markup_problem(page), "");
    EXPECT_NE(page.find("&lt;img"), std::string::npos);
}

TEST(HtmlReport, HasNoUserNames) {
    const auto analysis = two_backend_analysis();
    for (const ReportFormat format :
         {ReportFormat::html, ReportFormat::markdown, ReportFormat::json, ReportFormat::csv}) {
        const std::string text = render(make_report(*analysis), format);
        EXPECT_EQ(text.find("somebody"), std::string::npos) << name_of(format);
    }
}

TEST(HtmlReport, StaysSmallForLongGraphs) {
    const auto analysis = long_analysis(20'000);
    const Report report = make_report(*analysis, nullptr, options_for(ReportFormat::html));
    const std::string page = render_html(report);
    EXPECT_LT(page.size(), 5U << 20);
    EXPECT_EQ(markup_problem(page), "");
    EXPECT_NE(page.find("of 20,000 rows"), std::string::npos);
}

// A node that is listed again later is created where it is listed first.
TEST(HtmlReport, DrawsGraphsThatListANodeTwice) {
    const auto analysis = twice_listed_analysis();
    ASSERT_FALSE(analysis->schedule->error) << analysis->schedule->error->message;
    const Report report = make_report(*analysis);
    ASSERT_GT(report.overview.boxes.size(), 80U);
    EXPECT_EQ(markup_problem(render_html(report)), "");
    const Table& table = table_of(report, "copies");
    std::size_t copies = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (text_at(table, row, "tensor") != "twice") continue;
        ++copies;
        EXPECT_EQ(text_at(table, row, "made_by"), "0");
    }
    EXPECT_GT(copies, 0U);
}

TEST(HtmlReport, OmitsArrowsOfOmittedSplits) {
    Report report = make_report(*two_backend_analysis());
    report.overview.boxes = {{BackendId(0), 1, 1.0}, {BackendId(0), 1, 1.0}, {BackendId(1), 1, 1.0}};
    report.overview.arrows = {{SplitId(2), BackendId(1), SplitId(1), 1, 16, "x"}};
    EXPECT_EQ(figures::split_overview(report, 2).find("class=\"copy\""), std::string::npos);
    EXPECT_NE(figures::split_overview(report, 3).find("class=\"copy\""), std::string::npos);
}

TEST(Reports, AreReproducible) {
    for (const ReportFormat format :
         {ReportFormat::html, ReportFormat::markdown, ReportFormat::json, ReportFormat::csv}) {
        EXPECT_EQ(render(make_report(*two_backend_analysis()), format),
                  render(make_report(*two_backend_analysis()), format));
    }
}

TEST(JsonReport, ContainsEveryTable) {
    const auto analysis = two_backend_analysis();
    const Report report = make_report(*analysis);
    const auto json = nlohmann::json::parse(render_json(report));
    EXPECT_EQ(json["format"], "splitscope-report");
    EXPECT_EQ(json["version"], 1);
    ASSERT_EQ(json["tables"].size(), tables_of(report).size());
    for (const auto& table : json["tables"]) {
        for (const auto& row : table["rows"]) EXPECT_EQ(row.size(), table["columns"].size()) << table["id"];
    }
    EXPECT_TRUE(json["run"].is_null());
}

TEST(JsonReport, KeepsFactsWithTheSameName) {
    Report report = make_report(*two_backend_analysis());
    report.sections = {
        {find_report_section("provenance"), {Facts{{{"Note", "one"}, {"Program", "p"}, {"Note", "two"}}}}}};
    const std::string text = render_json(report);
    EXPECT_NE(text.find(R"("made_with":{"Note":"one; two","Program":"p"})"), std::string::npos) << text;
}

TEST(CsvReport, SelectsATableByName) {
    const Report report = make_report(*two_backend_analysis("a,b"));
    const std::string copies = render_csv(report, "copies");
    EXPECT_TRUE(copies.starts_with("split,tensor,type,shape,made_by,from,to,bytes\r\n"));
    EXPECT_NE(render_csv(report).find("# splits\r\n"), std::string::npos);
    EXPECT_THROW(render_csv(report, "no such table"), Error);
}

TEST(CsvReport, EscapesFormulas) {
    const std::string text = render_csv(make_report(*two_backend_analysis("=1+1")));
    EXPECT_EQ(text.find(",=1+1"), std::string::npos);
    EXPECT_NE(text.find(",'=1+1,"), std::string::npos);
}

TEST(TraceReport, HasAThreadPerBackendInMicroseconds) {
    const auto analysis = two_backend_analysis();
    const RunResult run = recorded_run(analysis);
    const auto json = nlohmann::json::parse(render_trace(make_report(*analysis, &run)));
    std::size_t complete = 0;
    double end = 0;
    for (const auto& event : json["traceEvents"]) {
        ASSERT_TRUE(event.contains("ph") && event.contains("pid") && event.contains("tid") &&
                    event.contains("name"));
        if (event["ph"] != "X") continue;
        ++complete;
        EXPECT_GE(event["dur"].get<double>(), 0.0);
        end = std::max(end, event["ts"].get<double>() + event["dur"].get<double>());
    }
    EXPECT_EQ(complete, run.decode_execution->events.size());
    EXPECT_DOUBLE_EQ(end, static_cast<double>(run.decode_execution->duration.count()) / 1000.0);
}

TEST(ReportSections, HaveDistinctNamesAndTitles) {
    std::set<std::string> titles;
    for (const ReportSection& section : report_sections()) {
        EXPECT_EQ(find_report_section(section.name), &section);
        EXPECT_TRUE(titles.insert(english(section.title)).second) << section.name;
    }
    EXPECT_EQ(find_report_section("colours"), nullptr);
}

TEST(ReportSections, FollowTheChosenOrder) {
    ReportOptions options;
    options.sections = {"splits", "run", "summary"};
    const Report report = make_report(*two_backend_analysis(), nullptr, options);
    ASSERT_EQ(report.sections.size(), 2U) << "there was no run";
    EXPECT_EQ(report.sections[0].name(), "summary");
    EXPECT_EQ(report.sections[1].name(), "splits");
    EXPECT_EQ(find_table(report, "nodes"), nullptr);
}

TEST(TraceReport, RequiresARun) {
    EXPECT_THROW(render_trace(make_report(*two_backend_analysis())), Error);
}

TEST(ReportFormats, AreDetectedByFileName) {
    EXPECT_EQ(report_format_of("a.html"), ReportFormat::html);
    EXPECT_EQ(report_format_of("a.trace.json"), ReportFormat::trace);
    EXPECT_EQ(report_format_of("a.json"), ReportFormat::json);
    EXPECT_EQ(report_format_of("a.gguf"), std::nullopt);
}

}  // namespace
}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "splitscope/splitscope.hpp"

namespace splitscope {
namespace {

Session planned() {
    return open_with(sample_model_path(), {.devices = {"rtx-3090:8", "epyc-9654"}});
}

Session graph_session() {
    return open_with(std::string(SPLITSCOPE_SOURCE_DIR) + "/docs/examples/half-on-the-gpu.log");
}

TEST(LibraryPlansTest, PlanMatchesTheSession) {
    const Session session = planned();
    const ModelPlan ours = plan(session);
    EXPECT_TRUE(ours.fits());
    EXPECT_EQ(ours.verdict, plan_session(session).verdict);
    EXPECT_EQ(ours.tokens_per_second(), 0) << "the sample is too small for an estimate";
}

TEST(LibraryPlansTest, SuggestionFits) {
    const Session session = planned();
    const Suggestion found = suggest(session);
    ASSERT_TRUE(found.best);
    EXPECT_TRUE(found.verdict.fits());
    EXPECT_NE(english(found.reason).find("No speed is estimated"), std::string::npos)
        << english(found.reason);
}

TEST(LibraryPlansTest, GraphsHaveNoPlacement) {
    const Session session = graph_session();
    EXPECT_THROW(plan(session), Error);
    EXPECT_THROW(suggest(session), Error);
}

TEST(LibraryPlansTest, FindingsOfAModelIncludeItsPlans) {
    Session session = planned();
    session.model_options.overrides = {{"nothing_of_this_name", "CPU", "--override-tensor"}};
    bool found = false;
    for (const Finding& finding : lint(session)) found |= finding.rule == "override-matches-nothing";
    EXPECT_TRUE(found);
}

TEST(LibraryPlansTest, FindingsOfALogReportWhatTheImportAssumed) {
    std::vector<std::string> found;
    for (const Finding& finding : lint(graph_session())) {
        EXPECT_EQ(finding.rule, "import-remark");
        EXPECT_EQ(finding.severity, Severity::note);
        found.push_back(english(finding.what));
    }
    EXPECT_EQ(found, (std::vector<std::string>{
                         "12 views were connected by their position; the log does not print them",
                         "4 nodes are not in the log and nothing is known about them"}));
}

TEST(LibraryPlansTest, ReportIncludesThePlan) {
    const auto analysis = analyse(planned());
    EXPECT_NE(report_text(*analysis, ReportFormat::markdown).find("CUDA0"), std::string::npos);
    EXPECT_THROW(report_text(*analysis, ReportFormat::trace), Error);
}

}  // namespace
}  // namespace splitscope

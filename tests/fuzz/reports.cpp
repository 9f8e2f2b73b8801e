// SPDX-License-Identifier: MIT
// Every report format of any analysis, names from the bytes: pages stay well-formed and load nothing, JSON
// parses.
#include <nlohmann/json.hpp>

#include "engine/reports/render.hpp"
#include "engine/reports/report.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "tests/fuzz/arbitrary_case.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/reports/markup_check.hpp"

namespace splitscope::fuzz {

void reports(Bytes bytes) {
    ByteSource source(bytes);
    const Generation generation = kGenerations[source.below(kGenerations.size())];
    const auto input = arbitrary_case(source);
    if (!input) return;
    try {
        Graph graph = *input->graph;
        graph.name = source.text(40);
        if (!graph.tensors.empty()) graph.tensors.back().name = cut_name(source.text(64));
        auto file = std::make_shared<OpenedFile>();
        file->path = "/home/somebody/private/g.graph.json";
        file->graph = std::make_shared<const Graph>(std::move(graph));
        Session session;
        session.machine = *input->machine;
        session.machine.name = source.text(40);
        session.generation = generation;
        session.file = std::move(file);
        const auto analysis = analyse(session);
        for (const ReportFormat format :
             {ReportFormat::html, ReportFormat::markdown, ReportFormat::json, ReportFormat::csv}) {
            const std::string text = render(make_report(*analysis, nullptr, options_for(format)), format);
            require(text.find("/home/somebody") == std::string::npos, "reports hold no paths");
            if (format == ReportFormat::html) {
                require(test::markup_problem(text).empty(), "pages are well-formed");
                require(test::first_load(text).empty(), "pages load nothing");
            }
            if (format == ReportFormat::json) require(nlohmann::json::accept(text), "JSON reports are JSON");
        }
    } catch (const Error& error) {
        require(!error.problem().empty(), "errors say what is wrong");
    }
}

}  // namespace splitscope::fuzz

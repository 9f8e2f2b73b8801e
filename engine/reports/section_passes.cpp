// SPDX-License-Identifier: MIT
#include <iterator>
#include <map>
#include <utility>

#include "engine/messages/render.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/scheduler/explain.hpp"
#include "engine/session/decision_evidence.hpp"
#include "engine/session/messages.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::report_parts {
namespace {

Table cause_table(const Schedule& schedule, std::size_t begin, std::size_t end, const std::string& pass,
                  const ReportOptions& options) {
    struct Count {
        Cause cause;
        std::int64_t decisions = 0;
    };
    std::map<std::string, Count> counts;  // sorted by label
    for (std::size_t i = begin; i < end; ++i) {
        const Cause cause = schedule.decisions[i].cause;
        Count& count = counts[label_of(cause)];
        count.cause = cause;
        ++count.decisions;
    }
    Table table = new_table("pass-" + pass + "-causes", "Causes in pass " + pass,
                            {{"cause", "Cause", ColumnKind::name},
                             {"meaning", "Meaning", ColumnKind::text},
                             {"decisions", "Decisions", ColumnKind::count}},
                            options);
    for (const auto& [label, count] : counts) {
        table.add({label, explain(count.cause), count.decisions});
    }
    return table;
}

std::string op_text(const Tensor& t) {
    return t.op == Op::none ? std::string("leaf") : std::string(name_of(t.op));
}

Table decision_table(const Analysis& analysis, std::size_t begin, std::size_t end, const std::string& pass,
                     const ReportOptions& options) {
    const Schedule& schedule = *analysis.schedule;
    Table table = new_table("pass-" + pass + "-decisions", "Decisions of pass " + pass,
                            {{"decision", "#", ColumnKind::count},
                             {"tensor", "Tensor", ColumnKind::name},
                             {"op", "Operation", ColumnKind::text},
                             {"from", "From", ColumnKind::backend},
                             {"to", "To", ColumnKind::backend},
                             {"cause", "Cause", ColumnKind::name},
                             {"evidence", "Evidence", ColumnKind::text}},
                            options);
    for (std::size_t i = begin; i < end; ++i) {
        if (!table.wants_more()) {
            table.skip(end - i);
            break;
        }
        const Decision& decision = schedule.decisions[i];
        const Tensor& tensor = schedule.tensor(decision.tensor);
        const auto backend = [&](BackendId id) {
            return id.valid() ? Cell(backend_name(schedule, id)) : Cell();
        };
        table.add({cell(i + 1), unambiguous_name(analysis, decision.tensor), op_text(tensor),
                   backend(decision.from), backend(decision.to), label_of(decision.cause),
                   evidence_of(analysis, decision)});
    }
    return table;
}

Table node_table(const Schedule& schedule, const ReportOptions& options) {
    const GraphView view(*schedule.graph);
    Table table = new_table("nodes", "Nodes in execution order",
                            {{"node", "Node", ColumnKind::count},
                             {"tensor", "Tensor", ColumnKind::name},
                             {"op", "Operation", ColumnKind::text},
                             {"type", "Type", ColumnKind::text},
                             {"shape", "Shape", ColumnKind::text},
                             {"bytes", "Bytes", ColumnKind::bytes},
                             {"flops", "FLOPs", ColumnKind::number},
                             {"split", "Split", ColumnKind::count},
                             {"backend", "Backend", ColumnKind::backend},
                             {"cause", "Cause", ColumnKind::name}},
                            options);
    std::size_t split = 0;
    const auto& nodes = schedule.graph->nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!table.wants_more()) {
            table.skip(nodes.size() - i);
            break;
        }
        while (split < schedule.splits.size() && schedule.splits[split].end <= i) ++split;
        const Tensor& tensor = view[nodes[i]];
        const BackendId backend = schedule.backend[nodes[i].index()];
        table.add({cell(i), tensor.name, std::string(name_of(tensor.op)), std::string(name_of(tensor.type)),
                   format_shape(tensor.ne), cell(byte_size(tensor)), node_flops(view, nodes[i]),
                   split < schedule.splits.size() ? cell(split) : Cell(),
                   backend.valid() ? Cell(backend_name(schedule, backend)) : Cell(),
                   label_of(schedule.cause[nodes[i].index()])});
    }
    return table;
}

std::vector<Part> passes_parts(const ReportInput& input, Report& /*report*/) {
    const Schedule& schedule = *input.analysis.schedule;
    Table all = new_table("passes", "Passes",
                          {{"pass", "Pass", ColumnKind::name},
                           {"purpose", "What it does", ColumnKind::text},
                           {"decisions", "Decisions", ColumnKind::count},
                           {"changes", "Changed backends", ColumnKind::count}},
                          input.options);
    std::vector<Part> groups;
    std::size_t begin = 0;
    for (const auto& pass : schedule.passes) {
        const std::size_t end = pass.decisions_end;
        const std::string name(name_of(pass.pass));
        const std::string purpose = english(pass_purpose(pass.pass, schedule.generation));
        std::size_t changes = 0;
        for (std::size_t i = begin; i < end; ++i)
            changes += schedule.decisions[i].from != schedule.decisions[i].to ? 1 : 0;
        all.add({name, purpose, cell(end - begin), cell(changes)});
        Group group;
        group.title = pass.pass == Pass::user ? "Assignments before scheduling" : "Pass " + name;
        group.figures = english(msg::kDecisionCount(end - begin, changes));
        group.text = purpose;
        group.folded = true;
        group.parts.emplace_back(ShownTable{cause_table(schedule, begin, end, name, input.options)});
        group.parts.emplace_back(ShownTable{decision_table(input.analysis, begin, end, name, input.options)});
        groups.emplace_back(std::move(group));
        begin = end;
    }
    std::vector<Part> parts = {
        Introduction{"Every decision in the order it was taken, with the cause the scheduler notes and the "
                     "facts it rests on. "
                     "A decision can leave a tensor without a backend; a later one replaces it."},
        ShownTable{std::move(all)}};
    parts.insert(parts.end(), std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
    parts.emplace_back(ShownTable{node_table(schedule, input.options), TableLook::folded});
    return parts;
}

}  // namespace

ReportSection passes_section() {
    return {"passes", msg::kPassesSection, passes_parts};
}

}  // namespace splitscope::report_parts

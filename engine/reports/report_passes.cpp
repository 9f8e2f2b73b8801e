// SPDX-License-Identifier: MIT
#include <map>
#include <utility>

#include "engine/reports/backend_name.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/scheduler/explain.hpp"

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

Table decision_table(const Schedule& schedule, std::size_t begin, std::size_t end, const std::string& pass,
                     const ReportOptions& options) {
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
        table.add({cell(i + 1), tensor.name, op_text(tensor), backend(decision.from), backend(decision.to),
                   label_of(decision.cause), evidence_of(schedule, decision)});
    }
    return table;
}

}  // namespace

void add_passes(Report& report, const Analysis& analysis, const ReportOptions& options) {
    const Schedule& schedule = *analysis.schedule;
    report.pass_table = new_table("passes", "Passes",
                                  {{"pass", "Pass", ColumnKind::name},
                                   {"purpose", "What it does", ColumnKind::text},
                                   {"decisions", "Decisions", ColumnKind::count},
                                   {"changes", "Changed backends", ColumnKind::count}},
                                  options);
    std::size_t begin = 0;
    for (const auto& pass_end : schedule.passes) {
        const std::size_t end = pass_end.decisions_end;
        const std::string name(name_of(pass_end.pass));
        ReportPass pass;
        pass.pass = pass_end.pass;
        pass.title = pass_end.pass == Pass::user ? "User's assignments" : "Pass " + name;
        pass.purpose = english(pass_purpose(pass_end.pass, schedule.generation));
        pass.decisions = end - begin;
        for (std::size_t i = begin; i < end; ++i) {
            const Decision& decision = schedule.decisions[i];
            if (decision.from != decision.to) ++pass.changes;
        }
        pass.causes = cause_table(schedule, begin, end, name, options);
        pass.table = decision_table(schedule, begin, end, name, options);
        report.pass_table.add({name, pass.purpose, cell(pass.decisions), cell(pass.changes)});
        report.passes.push_back(std::move(pass));
        begin = end;
    }
}

}  // namespace splitscope::report_parts

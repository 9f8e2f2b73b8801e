// SPDX-License-Identifier: MIT
#include "engine/messages/render.hpp"
#include "engine/planning/device_label.hpp"
#include "engine/reports/figures.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/session/compare_sessions.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

std::string make_report_text(const Analysis& analysis, const std::string& format, const RunResult* run) {
    const auto known = report_format_named(format);
    if (!known) throw py::value_error("there is no report format '" + format + "'");
    return interruptible([&](const JobContext& job) { return report_text(analysis, *known, run, job); });
}

/// One table of the report as CSV.
std::string table_csv(const Analysis& analysis, const std::string& name) {
    return render_csv(make_report(analysis), name);
}

py::object failure_of(const Analysis& analysis) {
    if (analysis.schedule->error) return text(analysis.schedule->error->message);
    if (analysis.plan->error) return text(*analysis.plan->error);
    return py::none();
}

py::dict why_dict(const Analysis& analysis, const std::string& tensor) {
    const Why answer = why(analysis, tensor);
    py::list steps;
    for (const WhyStep& step : answer.steps) {
        py::dict out;
        out["decision"] = step.decision;
        out["pass"] = text(name_of(step.pass));
        out["cause"] = text(step.cause);
        out["from"] = text(step.from);
        out["to"] = text(step.to);
        out["reason"] = text(step.reason);
        out["evidence"] = text(step.evidence);
        steps.append(out);
    }
    py::dict out;
    out["tensor"] = answer.tensor.value;
    out["identity"] = text(answer.identity);
    out["backend"] = text(answer.backend);
    out["steps"] = steps;
    out["text"] = text(answer.text());
    return out;
}

py::list hazards_of(const Analysis& analysis) {
    py::list out;
    for (const Hazard& hazard : find_hazards(*analysis.schedule, *analysis.plan))
        out.append(text(describe(hazard, *analysis.schedule)));
    return out;
}

py::object recorded_of(const Analysis& analysis) {
    const auto& recorded = analysis.session.file->recorded;
    if (!recorded) return py::none();
    const RecordedComparison compared = compare_with_recorded(*analysis.schedule, *recorded);
    py::dict out;
    out["compared"] = compared.compared;
    out["recorded_splits"] = compared.recorded_splits;
    out["our_splits"] = compared.our_splits;
    out["first_different_split"] =
        compared.first_split ? py::object(py::int_(compared.first_split->value)) : py::none();
    py::list elsewhere;
    for (const RecordedDifference& difference : compared.elsewhere) {
        elsewhere.append(py::make_tuple(text(analysis.schedule->tensor(difference.tensor).name),
                                        text(difference.recorded), text(difference.ours)));
    }
    out["elsewhere"] = elsewhere;
    out["same"] = compared.same();
    return out;
}

/// Without the surrounding page, the figure needs its own colours.
std::string overview_svg(const Analysis& analysis) {
    return figures::split_overview(make_report(analysis));
}

/// Differences between two schedules, and tensors of one side only.
py::dict compared(const Analysis& a, const Analysis& b) {
    const SessionComparison found =
        interruptible([&](const JobContext& job) { return compare_sessions(a, b, job); });
    const auto backend_of = [](const Analysis& of, TensorId tensor) {
        const BackendId backend = of.schedule->backend[tensor.index()];
        return backend.valid() ? of.schedule->machine->backends[backend.index()].name : std::string();
    };
    std::vector<std::int64_t> in_a, in_b;
    std::vector<std::string> name, op, pass, backend_a, backend_b;
    std::vector<bool> elsewhere;
    for (const PairDifference& pair : found.pairs) {
        const Tensor& tensor = a.schedule->tensor(pair.a);
        in_a.push_back(pair.a.value);
        in_b.push_back(pair.b.value);
        name.push_back(tensor.name);
        op.emplace_back(name_of(tensor.op));
        pass.emplace_back(name_of(pair.pass));
        backend_a.push_back(backend_of(a, pair.a));
        backend_b.push_back(backend_of(b, pair.b));
        elsewhere.push_back(pair.elsewhere);
    }
    Columns columns;
    columns.add("tensor", std::move(in_a));
    columns.add("other_tensor", std::move(in_b));
    columns.add("name", name);
    columns.add("op", op);
    columns.add("pass", pass);
    columns.add("backend", backend_a);
    columns.add("other_backend", backend_b);
    columns.add("elsewhere", elsewhere);
    const auto names = [](const Analysis& of, const std::vector<TensorId>& tensors) {
        py::list list;
        for (const TensorId tensor : tensors) list.append(text(of.schedule->tensor(tensor).name));
        return list;
    };
    py::dict out;
    out["same"] = found.same();
    out["matched"] = found.matched;
    out["different"] = columns.take();
    out["only_here"] = names(a, found.only_a);
    out["only_there"] = names(b, found.only_b);
    return out;
}

/// Usage and contents of a compute buffer over time.
py::dict buffer_figures(const Analysis& analysis) {
    const Report report = make_report(analysis);
    py::dict out;
    for (const ReportBuffer& buffer : report.buffers) {
        out[text(buffer.title)] = py::make_tuple(text(figures::memory_map(report, buffer)),
                                                 text(figures::buffer_usage(report, buffer)));
    }
    return out;
}

/// The assignment after a number of decisions.
py::object replayed(const Analysis& analysis, std::size_t position) {
    Replay replay(analysis.schedule);
    if (position > analysis.schedule->decisions.size()) throw py::index_error("there are fewer decisions");
    replay.seek(position);
    std::vector<std::string> names;
    names.reserve(replay.backend().size());
    for (const BackendId backend : replay.backend())
        names.push_back(backend.valid() ? analysis.schedule->machine->backends[backend.index()].name
                                        : std::string());
    Columns columns;
    columns.add("backend", names);
    return columns.take();
}

}  // namespace

void bind_analysis(py::module_& module) {
    py::class_<Analysis, std::shared_ptr<Analysis>>(module, "Analysis")
        .def_property_readonly("session", [](const Analysis& a) { return a.session; })
        .def_property_readonly("title", [](const Analysis& a) { return text(a.session.file->title()); })
        .def_property_readonly(
            "headline",
            [](const Analysis& a) { return text(summarise(a).line(*a.schedule, labels_of_devices(a))); })
        .def_property_readonly("error", &failure_of)
        .def_property_readonly("notes", [](const Analysis& a) { return texts(a.notes); })
        .def_property_readonly("n_copies", [](const Analysis& a) { return a.schedule->n_copies; })
        .def("table", &table_of)
        .def("why", &why_dict)
        .def("hazards", &hazards_of)
        .def("recorded", &recorded_of)
        .def("replayed", &replayed)
        .def("compared", &compared)
        .def("buffer_figures", &buffer_figures)
        .def("json", [](const Analysis& a) { return text(write_schedule_json(*a.schedule, *a.plan)); })
        .def("log", [](const Analysis& a) { return text(debug_log(*a.schedule)); })
        .def("dot", [](const Analysis& a) { return text(graph_dot(*a.schedule)); })
        .def("overview_svg", [](const Analysis& a) { return text(overview_svg(a)); })
        .def("csv", [](const Analysis& a, const std::string& name) { return text(table_csv(a, name)); })
        .def("report", [](const Analysis& a, const std::string& format) {
            return text(make_report_text(a, format, nullptr));
        });
}

}  // namespace splitscope::python

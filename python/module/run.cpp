// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <tuple>
#include <variant>

#include <fmt/format.h>

#include "engine/attach/stop_condition.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

constexpr std::array<std::pair<std::string_view, BreakpointKind>, 6> kBreakpointKinds{
    {{"node", BreakpointKind::node},
     {"glob", BreakpointKind::glob},
     {"regex", BreakpointKind::regex},
     {"op", BreakpointKind::op},
     {"backend", BreakpointKind::backend},
     {"not-finite", BreakpointKind::not_finite}}};

/// As `attach` writes stops; a run does not select graphs by their number of tokens.
Breakpoint breakpoint_of(const std::string& text) {
    const StopCondition condition = StopCondition::parse(text);
    if (condition.tokens) return with_limits({}, fmt::format("tokens={}", *condition.tokens));
    return condition.breakpoint;
}

/// `limits`: as for with_limits().
Breakpoint breakpoint_of(const std::string& kind, const std::string& what, const std::string& limits) {
    for (const auto& [name, known] : kBreakpointKinds) {
        if (name != kind) continue;
        Breakpoint breakpoint;
        breakpoint.kind = known;
        breakpoint.text = what;
        return with_limits(std::move(breakpoint), limits);
    }
    throw py::value_error("there is no kind of breakpoint '" + kind + "'");
}

using BreakpointFields = std::tuple<std::string, std::string, std::string>;  ///< kind, text, limits
using GivenBreakpoint = std::variant<std::string, BreakpointFields>;

TensorValues values_of(const NodeValues& node) {
    TensorValues values;
    values.tensor = node.tensor();
    values.identity = text_of(node.analysis.identities->of(node.node));
    values.backend = backend_of(*node.analysis.schedule, node.analysis.schedule->backend[node.node.index()]);
    values.state = "computed";
    values.bytes = *node.bytes;
    values.owner = node.bytes;
    return values;
}

TensorValues values_of(TensorCapture capture) {
    auto kept = std::make_shared<const TensorCapture>(std::move(capture));
    TensorValues values;
    values.tensor = kept->tensor;
    values.identity = text_of(kept->identity);
    values.backend = kept->backend;
    values.state = kTensorStates[static_cast<std::size_t>(kept->state)];
    values.bytes = kept->bytes;
    values.owner = kept;
    return values;
}

/// A stop as seen from Python; invalid once the run continues.
struct Stop {
    PausedRun* run;

    PausedRun& require_paused() const {
        if (run == nullptr)
            throw py::value_error("the run has continued; a stop can only be used inside on_stop");
        return *run;
    }
    const DebugStop& at() const { return require_paused().stop(); }
};

Go go_of(const py::object& answer) {
    if (answer.is_none()) return Go::on;
    const auto word = answer.cast<std::string>();
    if (word == "continue") return Go::on;
    if (word == "step") return Go::step_node;
    if (word == "step-split") return Go::step_split;
    if (word == "end") return Go::end;
    throw py::value_error("on_stop must return None, 'continue', 'step', 'step-split' or 'end' (got '" +
                          word + "')");
}

Go ask(const py::object& on_stop, PausedRun& run) {
    const py::gil_scoped_acquire lock;
    const auto stop = std::make_shared<Stop>(Stop{&run});
    const struct Forget {
        Stop& stop;
        ~Forget() { stop.run = nullptr; }
    } forget{*stop};
    return go_of(on_stop(stop));
}

/// One generated token.
struct Token {
    std::int32_t id;
    std::string piece;
    std::vector<float> logits;
};

RunOptions options_of(const py::dict& given) {
    RunOptions options;
    if (given.contains("prompt")) options.prompt = given["prompt"].cast<std::string>();
    if (given.contains("prompt_tokens"))
        options.prompt_tokens = given["prompt_tokens"].cast<std::vector<std::int32_t>>();
    if (given.contains("forced_tokens"))
        options.forced_tokens = given["forced_tokens"].cast<std::vector<std::int32_t>>();
    options.tokens = given["tokens"].cast<std::uint32_t>();
    options.sampling.temperature = given["temperature"].cast<float>();
    options.sampling.top_k = given["top_k"].cast<std::int32_t>();
    options.sampling.top_p = given["top_p"].cast<float>();
    options.sampling.seed = given["seed"].cast<std::uint64_t>();
    options.threads = given["threads"].cast<std::uint32_t>();
    options.stop_at_end = given["stop_at_end"].cast<bool>();
    options.time_nodes = given["time_nodes"].cast<bool>();
    options.fuse = given["fuse"].cast<bool>();
    options.kind_options = given["settings"].cast<KindOptions>();
    return options;
}

std::shared_ptr<RunResult> run_session(const Session& session, const py::dict& given,
                                       const py::object& on_token, const py::object& on_node,
                                       const py::object& on_stop,
                                       const std::vector<GivenBreakpoint>& breakpoints, bool want_logits) {
    const RunOptions options = options_of(given);
    RunEvents events;
    events.want_logits = want_logits;
    events.while_waiting = check_signals;
    for (const GivenBreakpoint& given_one : breakpoints) {
        const auto* text = std::get_if<std::string>(&given_one);
        events.breakpoints.push_back(
            text != nullptr ? breakpoint_of(*text)
                            : std::apply([](const auto&... part) { return breakpoint_of(part...); },
                                         std::get<BreakpointFields>(given_one)));
    }
    if (!on_token.is_none()) {
        events.on_token = [&](const RunStep& step) {
            const py::gil_scoped_acquire lock;
            on_token(Token{step.token, step.piece, step.logits});
        };
    }
    if (!on_node.is_none()) {
        events.on_node = [&](const NodeValues& node) {
            const py::gil_scoped_acquire lock;
            on_node(values_of(node));
        };
    }
    if (!on_stop.is_none()) events.on_stop = [&](PausedRun& run) { return ask(on_stop, run); };
    const py::gil_scoped_release release;
    return std::make_shared<RunResult>(run(session, options, events));
}

/// Rows of equal length.
py::object rows_of(const std::vector<std::vector<float>>& rows) {
    if (rows.empty()) return py::none();
    std::vector<float> flat;
    flat.reserve(rows.size() * rows.front().size());
    for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
    return array_of(std::move(flat),
                    {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(rows.front().size())});
}

std::shared_ptr<Analysis> shared(const std::shared_ptr<const Analysis>& analysis) {
    return std::const_pointer_cast<Analysis>(analysis);
}

py::object timeline(const std::shared_ptr<const Analysis>& analysis,
                    const std::shared_ptr<const Execution>& execution) {
    if (!analysis || !execution) return py::none();
    return timeline_of(*analysis, *execution);
}

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

void bind_stop(py::module_& module) {
    py::class_<Stop, std::shared_ptr<Stop>>(module, "Stop")
        .def_property_readonly("number", [](const Stop& s) { return s.at().number; })
        .def_property_readonly("computation", [](const Stop& s) { return s.at().computation; })
        .def_property_readonly(
            "reason", [](const Stop& s) { return kStopReasons[static_cast<std::size_t>(s.at().reason)]; })
        .def_property_readonly("breakpoint", [](const Stop& s) { return s.at().breakpoint; })
        .def_property_readonly("identity", [](const Stop& s) { return text(text_of(s.at().identity)); })
        .def_property_readonly("name", [](const Stop& s) { return text(s.at().identity.name); })
        .def_property_readonly("op",
                               [](const Stop& s) {
                                   const DebugStop& at = s.at();
                                   return at.tensor.valid() ? text(name_of(at.schedule->tensor(at.tensor).op))
                                                            : text(std::string_view());
                               })
        .def_property_readonly(
            "backend", [](const Stop& s) { return text(backend_of(*s.at().schedule, s.at().backend)); })
        .def_property_readonly("split", [](const Stop& s) { return s.at().split.value; })
        .def_property_readonly("position", [](const Stop& s) { return s.at().position; })
        .def_property_readonly("nodes", [](const Stop& s) { return s.at().nodes; })
        .def("tensor", [](const Stop& s,
                          const std::string& name) { return values_of(s.require_paused().tensor(name)); })
        .def("write", [](const Stop& s, const std::string& name, const py::buffer& values) {
            const py::buffer_info info = values.request();
            const auto* first = static_cast<const std::byte*>(info.ptr);
            s.require_paused().write(name, {first, static_cast<std::size_t>(info.size * info.itemsize)});
        });
}

}  // namespace

void bind_run(py::module_& module) {
    py::class_<Token>(module, "Token")
        .def_readonly("id", &Token::id)
        .def_property_readonly("piece", [](const Token& t) { return py::bytes(t.piece); })
        .def_property_readonly("text", [](const Token& t) { return text(t.piece); })
        .def_property_readonly("logits", [](const Token& t) -> py::object {
            if (t.logits.empty()) return py::none();
            return array_of(t.logits, {static_cast<py::ssize_t>(t.logits.size())});
        });
    bind_stop(module);
    py::class_<RunResult, std::shared_ptr<RunResult>>(module, "RunResult")
        .def_readonly("prompt_tokens", &RunResult::prompt_tokens)
        .def_readonly("tokens", &RunResult::tokens)
        .def_property_readonly("text", [](const RunResult& r) { return text(r.text); })
        .def_readonly("cancelled", &RunResult::cancelled)
        .def_readonly("unmet_breakpoints", &RunResult::unmet_breakpoints)
        .def_property_readonly("notes",
                               [](const RunResult& r) {
                                   std::vector<std::string> notes;
                                   for (const Message& note : r.notes) notes.push_back(text(note));
                                   return notes;
                               })
        .def_property_readonly("prompt_seconds", [](const RunResult& r) { return seconds(r.prefill_time); })
        .def_readonly("decoded_tokens", &RunResult::decoded_tokens)
        .def_property_readonly("decode_seconds", [](const RunResult& r) { return seconds(r.decode_time); })
        .def_property_readonly("logits", [](const RunResult& r) { return rows_of(r.logits); })
        .def_property_readonly("embeddings", [](const RunResult& r) { return rows_of(r.embeddings); })
        .def_property_readonly("prompt_analysis", [](const RunResult& r) { return shared(r.prefill); })
        .def_property_readonly("decode_analysis", [](const RunResult& r) { return shared(r.decode); })
        .def("prompt_timeline", [](const RunResult& r) { return timeline(r.prefill, r.prefill_execution); })
        .def("decode_timeline", [](const RunResult& r) { return timeline(r.decode, r.decode_execution); })
        .def("report", [](const RunResult& r, const Analysis& analysis, const std::string& format) {
            const auto known = report_format_named(format);
            if (!known) throw py::value_error("there is no report format '" + format + "'");
            return text(
                interruptible([&](const JobContext& job) { return report_text(analysis, *known, &r, job); }));
        });
    module.def("run", &run_session);
}

}  // namespace splitscope::python

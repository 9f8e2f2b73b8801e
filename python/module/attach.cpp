// SPDX-License-Identifier: MIT
#include <chrono>

#include "engine/attach/attached_program.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

/// A stop of a program. Its facts remain valid; its tensors can only be read during the stop.
using ProgramStop = std::shared_ptr<const AttachStop>;

class Program {
 public:
    Program(std::vector<std::string> arguments, const std::vector<std::string>& conditions,
            const std::string& folder, std::vector<std::pair<std::string, std::string>> environment,
            bool keep_output) {
        AttachOptions options;
        options.program = std::move(arguments);
        options.folder = folder;
        options.environment = std::move(environment);
        options.output = keep_output ? ProgramOutput::kept : ProgramOutput::inherited;
        for (const std::string& condition : conditions) {
            options.conditions.push_back(StopCondition::parse(condition));
            options.conditions.back().breakpoint.id = static_cast<int>(options.conditions.size());
        }
        const py::gil_scoped_release release;
        program_ = std::make_unique<AttachedProgram>(options);
    }
    ~Program() {
        // The destructor joins a thread that may need the GIL.
        const py::gil_scoped_release release;
        program_.reset();
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    AttachedProgram& operator*() const { return *program_; }
    AttachedProgram* operator->() const { return program_.get(); }

 private:
    std::unique_ptr<AttachedProgram> program_;
};

TensorId tensor_at(const ProgramStop& stop, const std::string& name) {
    const TensorId found = stop->graph->identities->find(name);
    if (!found.valid()) throw py::key_error(name);
    return found;
}

TensorValues read(const Program& program, const ProgramStop& stop, const std::string& name,
                  std::uint64_t most) {
    const TensorId tensor = tensor_at(stop, name);
    auto capture = std::make_shared<const TensorCapture>(
        interruptible([&](const JobContext& job) { return program->read(tensor, most, job); }));
    TensorValues values;
    values.tensor = capture->tensor;
    values.identity = text_of(stop->graph->identities->of(tensor));
    values.backend = stop->graph->backend_name(tensor);
    values.state = kTensorStates[static_cast<std::size_t>(capture->state)];
    values.bytes = capture->bytes;
    values.owner = capture;
    return values;
}

void write(const Program& program, const ProgramStop& stop, const std::string& name,
           const py::buffer& values) {
    const TensorId tensor = tensor_at(stop, name);
    const py::buffer_info info = values.request();
    const std::span bytes(static_cast<const std::byte*>(info.ptr),
                          static_cast<std::size_t>(info.size * info.itemsize));
    interruptible([&](const JobContext& job) {
        program->write(tensor, 0, bytes, job);
        return true;
    });
}

py::object end_of(const Program& program) {
    const auto end = program->end();
    if (!end) return py::none();
    py::dict out;
    out["exit_code"] = end->program.exit_code;
    out["signal"] = end->program.signal;
    out["attached"] = end->attached;
    out["abort_message"] = text(end->abort_message);
    out["refusal"] = text(end->refusal);
    out["problem"] = text(end->problem);
    out["not_debugged"] = end->others;
    return out;
}

py::object nodes_of(const ProgramStop& stop) {
    const AttachedGraph& graph = *stop->graph;
    std::vector<std::string> name, op, type, backend;
    std::vector<std::int64_t> split;
    std::vector<Shape> ne;
    for (const TensorId node : graph.graph->nodes) {
        const Tensor& tensor = (*graph.graph)[node];
        name.push_back(tensor.name);
        op.emplace_back(name_of(tensor.op));
        type.emplace_back(name_of(tensor.type));
        ne.push_back(tensor.ne);
        backend.push_back(graph.backend_name(node));
        split.push_back(graph.split_of(node).value);
    }
    Columns columns;
    columns.add("name", name);
    columns.add("op", op);
    columns.add("type", type);
    columns.add("ne", ne, "elements");
    columns.add("backend", backend);
    columns.add("split", std::move(split));
    return columns.take();
}

}  // namespace

void bind_attach(py::module_& module) {
    py::class_<AttachStop, std::shared_ptr<AttachStop>>(module, "AttachStop")
        .def_readonly("number", &AttachStop::number)
        .def_readonly("computation", &AttachStop::computation)
        .def_property_readonly(
            "reason", [](const AttachStop& s) { return kStopReasons[static_cast<std::size_t>(s.reason)]; })
        .def_readonly("breakpoint", &AttachStop::breakpoint)
        .def_readonly("hits", &AttachStop::hits)
        .def_property_readonly("identity",
                               [](const AttachStop& s) {
                                   return s.tensor.valid() ? text(text_of(s.graph->identities->of(s.tensor)))
                                                           : text(std::string_view());
                               })
        .def_property_readonly("name",
                               [](const AttachStop& s) {
                                   return s.tensor.valid() ? text((*s.graph->graph)[s.tensor].name)
                                                           : text(std::string_view());
                               })
        .def_property_readonly("op",
                               [](const AttachStop& s) {
                                   return s.tensor.valid() ? text(name_of((*s.graph->graph)[s.tensor].op))
                                                           : text(std::string_view());
                               })
        .def_property_readonly("backend",
                               [](const AttachStop& s) {
                                   return s.tensor.valid() ? text(s.graph->backend_name(s.tensor))
                                                           : text(std::string_view());
                               })
        .def_property_readonly("split", [](const AttachStop& s) { return s.split.value; })
        .def_readonly("position", &AttachStop::position)
        .def_property_readonly("graph", [](const AttachStop& s) { return text(s.graph->title()); })
        .def_property_readonly(
            "seconds", [](const AttachStop& s) { return std::chrono::duration<double>(s.time).count(); })
        .def("nodes", [](const std::shared_ptr<AttachStop>& s) { return nodes_of(s); });
    py::class_<Program>(module, "Program")
        .def(py::init<std::vector<std::string>, const std::vector<std::string>&, const std::string&,
                      std::vector<std::pair<std::string, std::string>>, bool>())
        .def_property_readonly("process", [](const Program& p) { return p->process(); })
        .def("wait",
             [](const Program& p, std::uint64_t after) {
                 return std::const_pointer_cast<AttachStop>(
                     interruptible([&](const JobContext& job) { return p->wait_for_stop(after, job); }));
             })
        .def("stop", [](const Program& p) { return std::const_pointer_cast<AttachStop>(p->stop()); })
        .def("resume", [](const Program& p) { p->resume(); })
        .def("pause", [](const Program& p) { p->pause(); })
        .def("step", [](const Program& p) { p->step_node(); })
        .def("step_split", [](const Program& p) { p->step_split(); })
        .def("step_graph", [](const Program& p) { p->step_graph(); })
        .def("signal", [](const Program& p, int number) { p->signal(number); })
        .def("end", &end_of)
        .def("output", [](const Program& p) { return text(p->take_output()); })
        .def("errors", [](const Program& p) { return text(p->take_error()); })
        .def("read", [](const Program& p, const std::shared_ptr<AttachStop>& stop, const std::string& name,
                        std::uint64_t most) { return read(p, stop, name, most); })
        .def("write", [](const Program& p, const std::shared_ptr<AttachStop>& stop, const std::string& name,
                         const py::buffer& values) { write(p, stop, name, values); });
}

}  // namespace splitscope::python

// SPDX-License-Identifier: MIT
#include <variant>

#include "backends/all_backends.hpp"
#include "engine/library/messages.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/session/known_machine.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

/// The backend kinds of the process, kept by the package and passed to each session.
struct Backends {
    BackendKinds kinds = all_backends();
};

template <class T>
std::optional<T> named(const std::optional<std::string>& name, std::optional<T> (*find)(std::string_view),
                       const char* what) {
    if (!name) return std::nullopt;
    const auto found = find(*name);
    if (!found) throw py::value_error(std::string("there is no ") + what + " '" + *name + "'");
    return found;
}

Session open_file_with(const std::string& path, std::size_t graph_number, std::vector<std::string> devices,
                       const std::string& machine, std::vector<std::string> computer,
                       const std::optional<std::string>& generation, const std::optional<std::string>& like,
                       const Backends& backends, const KindOptions& settings, bool any_memory) {
    OpenOptions open;
    open.graph_number = graph_number;
    open.devices = std::move(devices);
    open.machine = machine;
    open.computer = std::move(computer);
    open.generation = named<Generation>(generation, generation_named, "generation");
    open.like = named<Program>(like, program_named, "program");
    open.kinds = backends.kinds;
    open.kind_options = settings;
    return interruptible([&](const JobContext& job) { return open_with(path, open, job); },
                         job_for(any_memory));
}

py::object metadata_value(const GgufValue& value) {
    return std::visit(
        [](const auto& held) -> py::object {
            using T = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<T, std::string>) {
                return text(held);
            } else if constexpr (std::is_same_v<T, std::shared_ptr<const GgufArray>>) {
                return std::visit(
                    [](const auto& values) -> py::object {
                        py::list list;
                        using V = typename std::decay_t<decltype(values)>::value_type;
                        if constexpr (std::is_same_v<V, std::string>) {
                            for (const std::string& one : values) list.append(text(one));
                        } else if constexpr (std::is_same_v<V, std::shared_ptr<const GgufArray>>) {
                            for (const auto& one : values) list.append(metadata_value(GgufValue(one)));
                        } else {
                            for (const auto one : values) list.append(static_cast<V>(one));
                        }
                        return list;
                    },
                    held->values);
            } else {
                return py::cast(held);
            }
        },
        value);
}

py::dict metadata_of(const Session& session) {
    py::dict out;
    if (!session.file->model) return out;
    for (const auto& [key, value] : session.file->model->file().metadata())
        out[text(key)] = metadata_value(value);
    return out;
}

py::list weight_names(const Session& session) {
    py::list names;
    if (!session.file->model) return names;
    for (const GgufTensor& tensor : session.file->model->file().tensors()) names.append(text(tensor.name));
    return names;
}

py::object graphs_of(const Session& session) {
    std::vector<std::string> title;
    std::vector<std::int64_t> number, nodes, splits, times;
    for (const GraphInFile& graph : session.file->graphs) {
        number.push_back(static_cast<std::int64_t>(number.size() + 1));
        title.push_back(graph.title);
        nodes.push_back(static_cast<std::int64_t>(graph.nodes));
        splits.push_back(static_cast<std::int64_t>(graph.splits));
        times.push_back(static_cast<std::int64_t>(graph.times));
    }
    Columns columns;
    columns.add("number", std::move(number));
    columns.add("title", title);
    columns.add("nodes", std::move(nodes));
    columns.add("splits", std::move(splits));
    columns.add("times", std::move(times));
    return columns.take();
}

py::object presets_table() {
    std::vector<std::string> name, title, device, family;
    std::vector<std::int64_t> memory;
    std::vector<double> bandwidth, link, flops16, flops32;
    for (const DevicePreset& preset : device_presets()) {
        name.push_back(preset.name);
        title.push_back(preset.facts.title);
        device.emplace_back(name_of(preset.device));
        family.push_back(preset.family);
        memory.push_back(static_cast<std::int64_t>(preset.facts.memory_total));
        bandwidth.push_back(preset.facts.memory_bandwidth);
        link.push_back(preset.facts.link_bandwidth);
        flops16.push_back(preset.facts.flops_f16);
        flops32.push_back(preset.facts.flops_f32);
    }
    Columns columns;
    columns.add("name", name);
    columns.add("title", title);
    columns.add("device", device);
    columns.add("family", family);
    columns.add("memory", std::move(memory), "bytes");
    columns.add("bandwidth", std::move(bandwidth), "bytes/s");
    columns.add("link", std::move(link), "bytes/s");
    columns.add("flops_f16", std::move(flops16), "FLOP/s");
    columns.add("flops_f32", std::move(flops32), "FLOP/s");
    return columns.take();
}

py::object devices_table(const Backends& backends, const KindOptions& settings) {
    std::vector<std::string> kind, name, hardware, driver, why;
    std::vector<std::int64_t> memory;
    for (const auto& one : backends.kinds->kinds()) {
        const KindListing listing = one->list(settings);
        for (const ListedDevice& device : listing.devices) {
            kind.push_back(one->name());
            name.push_back(device.name);
            hardware.push_back(device.hardware);
            driver.push_back(device.driver);
            memory.push_back(static_cast<std::int64_t>(device.memory.total));
            why.push_back(english(device.why_unusable));
        }
    }
    Columns columns;
    columns.add("kind", kind);
    columns.add("name", name);
    columns.add("hardware", hardware);
    columns.add("driver", driver);
    columns.add("memory", std::move(memory), "bytes");
    columns.add("why_unusable", why);
    return columns.take();
}

}  // namespace

void bind_session(py::module_& module) {
    py::class_<Backends>(module, "Backends").def(py::init<>());
    module.def("open", &open_file_with);
    module.def("presets", &presets_table);
    module.def("devices", &devices_table);
    module.def("sample_model", [] { return text(sample_model_path().string()); });
    py::class_<Session>(module, "Session")
        .def_property_readonly("path", [](const Session& s) { return text(s.file->path.string()); })
        .def_property_readonly("title", [](const Session& s) { return text(s.file->title()); })
        .def_property_readonly("generation", [](const Session& s) { return text(name_of(s.generation)); })
        .def_property_readonly("is_model", [](const Session& s) { return s.file->model != nullptr; })
        .def_property_readonly("remarks", [](const Session& s) { return texts(s.file->remarks); })
        .def_property_readonly("switches",
                               [](const Session& s) -> py::object {
                                   if (!s.file->model) return py::none();
                                   return text(switches_of(s));
                               })
        .def_property_readonly("backends",
                               [](const Session& s) {
                                   py::list names;
                                   for (const MachineBackend& backend : s.machine.backends)
                                       names.append(text(backend.name));
                                   return names;
                               })
        .def("why_not_runnable",
             [](const Session& s) -> py::object {
                 const auto why = why_not_runnable(s);
                 return why ? py::object(text(*why)) : py::none();
             })
        .def("graphs", &graphs_of)
        .def("machine_json",
             [](const Session& s) {
                 return text(write_known_machine({s.machine, s.devices}));
             })
        .def("options", &options_of)
        .def("with_options", &with_options)
        .def("with_switches",
             [](Session s, const std::string& line) {
                 if (!s.file->model)
                     throw Error(ErrorKind::usage, msg::kNothingToPlace, s.file->path, msg::kOpenModel);
                 apply_switches(s, parse_switches(line));
                 return s;
             })
        .def("with_generation",
             [](Session s, const std::string& name) {
                 s.generation = *named<Generation>(name, generation_named, "generation");
                 return s;
             })
        .def("save", [](const Session& s, const std::string& path) { save_session(s, path); })
        .def("metadata", &metadata_of)
        .def("weight_names", &weight_names)
        .def("weight", &weight_of)
        .def("analyse",
             [](const Session& s) {
                 return std::const_pointer_cast<Analysis>(
                     interruptible([&](const JobContext& job) { return analyse(s, job); }));
             })
        .def("plan",
             [](const Session& s) {
                 return plan_dict(interruptible([&](const JobContext& job) { return plan(s, job); }));
             })
        .def("suggest",
             [](const Session& s, double margin) {
                 SuggestOptions options;
                 options.margin = margin;
                 return suggestion_dict(
                     interruptible([&](const JobContext& job) { return suggest(s, options, job); }));
             })
        .def("lint", [](const Session& s) {
            return finding_list(interruptible([&](const JobContext& job) { return lint(s, job); }));
        });
}

}  // namespace splitscope::python

// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "backends/interface/machine_of_devices.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/placed_graph.hpp"
#include "engine/session/session.hpp"
#include "engine/session/simulate.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

Machine default_machine() {
    Machine machine;
    machine.name = "Simulated GPU + CPU";
    machine.buffer_types = {{"GPU0", 128, std::nullopt, false, 0}, {"CPU", 32, std::nullopt, true, 0}};
    const BufferTypeId gpu_memory(0);
    const BufferTypeId cpu_memory(1);
    MachineBackend gpu;
    gpu.name = "GPU0";
    gpu.device = DeviceKind::gpu;
    gpu.buffer_type = gpu_memory;
    gpu.supports_buffer_types = {gpu_memory};
    gpu.offload_min_batch = 32;
    gpu.offload_rule = OffloadRule::g2026_08;
    gpu.async = true;
    gpu.events = true;
    MachineBackend cpu;
    cpu.name = "CPU";
    cpu.device = DeviceKind::cpu;
    cpu.buffer_type = cpu_memory;
    cpu.supports_buffer_types = {cpu_memory};
    machine.backends = {gpu, cpu};
    return machine;
}

Session default_session(std::shared_ptr<const OpenedFile> file) {
    Session session;
    session.machine = file->machine ? *file->machine : default_machine();
    // The newest generation supports every operation of built model graphs.
    session.generation = file->generation.value_or(kGenerations.back());
    session.file = std::move(file);
    return session;
}

namespace {

/// The machine of a session with a graph, with its devices' answers about the graph. Answers of a recording
/// are kept; the kinds of its backends name no devices of this computer.
Machine machine_with_answers(const Session& session) {
    Machine machine = session.machine;
    if (session.kinds == nullptr) return machine;
    std::vector<bool> keep;
    for (const MachineBackend& backend : machine.backends) {
        const auto facts = session.devices.find(backend.name);
        const bool found =
            facts != session.devices.end() && facts->second.preset.empty() && !facts->second.title.empty();
        const bool named = backend.kind.find(':') != std::string::npos;
        keep.push_back(!backend.supports.empty() || !(found || named));
    }
    record_support(machine, *session.kinds, *session.file->graph, keep);
    return machine;
}

void analyse_model(Analysis& analysis, const JobContext& job) {
    const Session& session = analysis.session;
    const Model& model = *session.file->model;
    const Hardware hardware = hardware_of(session);
    const PlacementFlags flags = placement_flags(session);
    DecidedLayout decided = decide_layout(model.file(), &model, hardware, flags, session.generation, job);
    if (!decided.note.empty()) analysis.notes.push_back(decided.note);
    job.report(0.4, msg::kScheduling);
    const bool decodes = session.model_options.kind == GraphKind::decode;
    PlacedGraph placed;
    if (decodes && decided.decode && session.machine.assignments.empty()) {
        placed = std::move(*decided.decode);
    } else {
        const ModelLayout& layout = *decided.layout;
        const ModelGraphOptions options =
            decodes ? worst_case_decode(layout, session.generation)
                    : worst_case_prompt(layout, session.generation, prompt_tokens_at_once(layout));
        placed = place_graph(model, hardware, layout, options, session.generation,
                             session.machine.assignments, job);
    }
    analysis.graph = placed.graph();
    analysis.identities = std::make_shared<const TensorIdentities>(analysis.graph, job);
    analysis.machine = std::move(placed.machine);
    analysis.schedule = std::move(placed.simulation.schedule);
    analysis.plan = std::move(placed.simulation.plan);
    analysis.model_graph = std::move(placed.model_graph);
    analysis.layout = std::move(decided.layout);
    job.report(1.0, msg::kDone);
}

}  // namespace

std::shared_ptr<const Analysis> analyse(const Session& session, const JobContext& job) {
    validate(session.machine);
    auto analysis = std::make_shared<Analysis>();
    analysis->session = session;
    if (session.file->model) {
        job.report(0.1, msg::kPlacingModel);
        analyse_model(*analysis, job);
        return analysis;
    }
    analysis->graph = session.file->graph;
    analysis->identities = std::make_shared<const TensorIdentities>(analysis->graph, job);
    analysis->machine = std::make_shared<const Machine>(machine_with_answers(session));
    validate(*analysis->machine, *analysis->graph);
    job.check();
    job.report(0.4, msg::kScheduling);
    Simulation simulation = simulate(analysis->graph, analysis->machine, session.generation, job);
    analysis->schedule = std::move(simulation.schedule);
    analysis->plan = std::move(simulation.plan);
    job.report(1.0, msg::kDone);
    return analysis;
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include "engine/planning/companions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "engine/planning/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"projector", "draft", "adapter"};

void require_kind(const GgufFile& file, std::string_view key, std::string_view value,
                  const Message& problem) {
    if (file.string_value(key) != value)
        throw Error(ErrorKind::usage, problem, file.path(), msg::kGiveFileOfThisKind);
}

/// What a companion needs, and why it is not all.
struct Needs {
    CompanionPlan plan;
    std::optional<Verdict> why = {};
};

Needs projector_needs(const Companion& companion, const ModelLayout& layout) {
    const GgufFile& file = *companion.file;
    require_kind(file, "general.architecture", "clip", msg::kNoProjector);
    const std::vector<MachineBackend>& backends = layout.machine.backends;
    const auto accelerator =
        std::ranges::find_if(backends, [](const MachineBackend& b) { return b.device == DeviceKind::gpu; });
    const bool offloads = companion.offload && accelerator != backends.end();
    const std::size_t owner =
        offloads ? static_cast<std::size_t>(accelerator - backends.begin()) : backends.size() - 1;
    Needs needs;
    needs.plan.bytes.assign(backends.size(), 0);
    const MachineBufferType& type = layout.machine.buffer_types[backends[owner].buffer_type.index()];
    for (const GgufTensor& tensor : file.tensors()) needs.plan.bytes[owner] += allocated_bytes(tensor, type);
    needs.why = Verdict::not_known(msg::kProjectorCompute);
    return needs;
}

Needs draft_needs(const Companion& companion, const ModelLayout& layout, const Hardware& hardware,
                  Generation generation, const JobContext& job) {
    const ModelPlan plan =
        plan_model(*companion.file, companion.model.get(), hardware, companion.flags, generation, job);
    Needs needs;
    needs.plan.bytes.assign(layout.machine.backends.size(), 0);
    for (const DevicePlan& device : plan.devices) needs.plan.bytes[device.backend.index()] = device.total();
    const Verdict::Kind kind = plan.verdict.kind;
    if (kind == Verdict::Kind::cannot_run)
        needs.why = Verdict::cannot_run(msg::kOfDraft(plan.verdict.reason));
    else if (kind == Verdict::Kind::not_known ||
             std::ranges::any_of(plan.devices, [](const DevicePlan& d) { return !d.complete; }))
        needs.why = Verdict::not_known(msg::kOfDraft(plan.verdict.reason));
    else if (generation != Generation::g2026_08)
        needs.why = Verdict::not_known(msg::kDraftsOfOldServers);
    else if (plan.layout->layers.devices().size() > 1 && plan.layout->flags.tensor_split.empty())
        needs.why = Verdict::not_known(msg::kDraftIsDivided);
    return needs;
}

/// The two matrices of an adapter for one weight, as indices into its tensors.
struct AdaptedWeight {
    std::optional<std::size_t> a;
    std::optional<std::size_t> b;
};

Verdict refused_adapter(Message reason) {
    return {Verdict::Kind::cannot_run, std::move(reason), {}, msg::kGiveAdapterOfModel};
}

/// Why llama.cpp does not load an adapter for this model; else its matrices, by the weight's name.
std::optional<Verdict> read_adapter(const GgufFile& file, const GgufFile& model,
                                    std::map<std::string, AdaptedWeight>& weights) {
    const auto value = [](const GgufFile& of, std::string_view key) {
        return of.string_value(key).value_or("");
    };
    const std::string architecture = value(file, "general.architecture");
    if (const std::string own = value(model, "general.architecture"); architecture != own)
        return refused_adapter(msg::kAdapterOfArchitecture(architecture, own));
    if (const std::string type = value(file, "adapter.type"); type != "lora")
        return refused_adapter(msg::kAdapterOfType(type));
    for (std::size_t i = 0; i < file.tensors().size(); ++i) {
        const std::string& name = file.tensors()[i].name;
        constexpr std::size_t suffix = std::string_view(".lora_a").size();
        if (name.ends_with(".lora_a"))
            weights[name.substr(0, name.size() - suffix)].a = i;
        else if (name.ends_with(".lora_b"))
            weights[name.substr(0, name.size() - suffix)].b = i;
        else if (!name.ends_with("_norm.weight"))  // these are ignored
            return refused_adapter(msg::kAdapterTensorUnexpected(name));
    }
    for (const auto& [name, weight] : weights) {
        if (!weight.a || !weight.b) return refused_adapter(msg::kAdapterLacksHalf(name));
        const auto adapted = model.find_tensor(name);
        if (!adapted) return refused_adapter(msg::kAdapterOfOther(name));
        const Shape& of_model = model.tensors()[*adapted].ne;
        const Shape& a = file.tensors()[*weight.a].ne;
        const Shape& b = file.tensors()[*weight.b].ne;
        // Rows of embeddings are read from the second matrix, which is stored as it is.
        const bool embeddings = name.ends_with("token_embd.weight");
        const bool fits = embeddings ? of_model[0] == b[1] && of_model[1] == a[1]
                                     : of_model[0] == a[0] && of_model[1] == b[1] && a[1] == b[0];
        if (!fits) return refused_adapter(msg::kAdapterShape(name));
    }
    return std::nullopt;
}

Needs adapter_needs(const Companion& companion, const GgufFile& model, const ModelLayout& layout) {
    const GgufFile& file = *companion.file;
    require_kind(file, "general.type", "adapter", msg::kNoAdapter);
    Needs needs;
    needs.plan.bytes.assign(layout.machine.backends.size(), 0);
    std::map<std::string, AdaptedWeight> weights;
    needs.why = read_adapter(file, model, weights);
    if (needs.why) return needs;
    for (const auto& [name, weight] : weights) {
        const auto placed =
            std::ranges::find(layout.weights, *model.find_tensor(name), &PlacedWeight::file_tensor);
        // It is stored with its weight; on the CPU, always in plain memory.
        const std::size_t owner = placed == layout.weights.end()
                                      ? layout.machine.backends.size() - 1
                                      : layout.buffers[placed->buffer].owner.index();
        const MachineBackend& backend = layout.machine.backends[owner];
        const MachineBufferType& type = layout.machine.buffer_types[backend.buffer_type.index()];
        for (const std::size_t tensor : {*weight.a, *weight.b})
            needs.plan.bytes[owner] += allocated_bytes(file.tensors()[tensor], type);
    }
    needs.why = Verdict::not_known(msg::kAdapterCompute);
    return needs;
}

/// The verdict with the devices' new sums and `reasons` of companions.
Verdict judge_again(const ModelPlan& plan, const std::vector<Verdict>& reasons) {
    std::optional<Verdict> why;
    const auto impossible = std::ranges::find(reasons, Verdict::Kind::cannot_run, &Verdict::kind);
    if (plan.verdict.kind == Verdict::Kind::cannot_run)
        why = plan.verdict;
    else if (impossible != reasons.end())
        why = *impossible;
    else if (plan.verdict.kind == Verdict::Kind::not_known)
        why = plan.verdict;
    else if (!reasons.empty())
        why = reasons.front();
    return judge(plan.devices, std::move(why));
}

}  // namespace

std::string_view name_of(CompanionKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

PlacementFlags draft_flags(const PlacementFlags& flags) {
    PlacementFlags draft = flags;
    draft.gpu_layers = PlacementFlags().gpu_layers;
    draft.devices.clear();
    draft.overrides.clear();
    draft.cache_type_k = draft.cache_type_v = ElementType::f16;
    return draft;
}

std::vector<CompanionPlan> add_companions(ModelPlan& plan, const GgufFile& model,
                                          const std::vector<Companion>& companions, const Hardware& hardware,
                                          Generation generation, const JobContext& job) {
    std::vector<CompanionPlan> plans;
    std::vector<Verdict> reasons;
    for (const Companion& companion : companions) {
        Needs needs;
        switch (companion.kind) {
            case CompanionKind::projector:
                needs = projector_needs(companion, *plan.layout);
                break;
            case CompanionKind::draft:
                needs = draft_needs(companion, *plan.layout, hardware, generation, job);
                break;
            case CompanionKind::adapter:
                needs = adapter_needs(companion, model, *plan.layout);
                break;
        }
        needs.plan.kind = companion.kind;
        needs.plan.file = companion.file->path().filename().string();
        needs.plan.complete = !needs.why;
        if (needs.why) reasons.push_back(*needs.why);
        for (DevicePlan& device : plan.devices) {
            const std::uint64_t bytes = needs.plan.bytes[device.backend.index()];
            device.companions += bytes;
            if (needs.plan.complete) continue;
            // An adapter changes the graphs, and so the compute buffers of all devices.
            if (companion.kind == CompanionKind::adapter)
                device.complete = false;
            else if (bytes > 0 || companion.kind == CompanionKind::draft)
                device.companions_complete = false;
        }
        plans.push_back(std::move(needs.plan));
    }
    plan.verdict = judge_again(plan, reasons);
    return plans;
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include "engine/session/live_memory.hpp"

#include <algorithm>
#include <cstddef>

#include "backends/interface/machine_buffers.hpp"
#include "engine/session/live_backends.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Kernels of devices read weights in words of up to so many bytes; files may align them less.
constexpr std::uint64_t kDeviceAlignment = 16;

/// By buffer of the graph. Throws Error(unknown) if the machine lacks it.
class KnownBuffers {
 public:
    KnownBuffers(const Machine& machine, const Graph& graph)
        : machine_(machine), graph_(graph), buffers_(machine_buffers(machine, graph)) {}

    const MachineBuffer& operator[](BufferRef buffer) const {
        if (buffers_[buffer.index()] == nullptr) {
            throw Error(ErrorKind::unknown, msg::kMachineHasNoBuffer(graph_.buffers[buffer.index()]),
                        machine_.name, msg::kAddItToMachine);
        }
        return *buffers_[buffer.index()];
    }

 private:
    const Machine& machine_;
    const Graph& graph_;
    std::vector<const MachineBuffer*> buffers_;
};

/// The first backend with this default buffer type; for mapped pages, the CPU.
Backend& owner_of(const Machine& machine, const MachineBuffer& buffer, std::span<Backend* const> backends) {
    const auto found = std::ranges::find(machine.backends, buffer.buffer_type, &MachineBackend::buffer_type);
    if (found == machine.backends.end() &&
        std::ranges::find(machine.backends.back().supports_buffer_types, buffer.buffer_type) !=
            machine.backends.back().supports_buffer_types.end())
        return *backends.back();
    if (found == machine.backends.end()) {
        throw Error(ErrorKind::unsupported, msg::kNoBackendOfType(buffer.name), machine.name,
                    msg::kGiveBackendType);
    }
    return *backends[static_cast<std::size_t>(found - machine.backends.begin())];
}

}  // namespace

LiveMemory::LiveMemory(const Model& model, const ModelGraph& model_graph, const Machine& machine,
                       std::span<Backend* const> backends, const JobContext& job) {
    job.report(0.0, msg::kLoadingWeights);
    place_mapped_weights(model, model_graph, machine, backends);
    allocate_rest(model_graph, machine, backends);
    fill_weights(model, model_graph, job);
}

TensorPlace LiveMemory::place_of(const Graph& graph, TensorId tensor) const {
    const Tensor& t = graph[tensor];
    const auto found = places_.find({graph.buffers[t.buffer.index()], t.name});
    std::size_t which = 0;
    if (found != places_.end() && found->second.size() > 1) {
        for (std::size_t i = 0; i < tensor.index(); ++i) {
            const Tensor& earlier = graph.tensors[i];
            if (earlier.buffer == t.buffer && earlier.name == t.name && !earlier.is_view()) ++which;
        }
    }
    if (found == places_.end() || which >= found->second.size()) {
        throw Error(ErrorKind::unallocated, msg::kNoMemoryInRun, t.name, msg::kStartAgainWithModel);
    }
    return found->second[which];
}

void LiveMemory::place_mapped_weights(const Model& model, const ModelGraph& model_graph,
                                      const Machine& machine, std::span<Backend* const> backends) {
    std::map<std::pair<std::string, std::uint32_t>, Buffer*> wrapped;  // {buffer, part of the model}
    const auto& graph = model_graph.graph;
    const KnownBuffers buffers(machine, graph);
    for (const WeightBinding& weight : model_graph.weights) {
        const Tensor& t = graph[weight.tensor];
        const std::string& name = graph.buffers[t.buffer.index()];
        const MachineBuffer& buffer = buffers[t.buffer];
        const bool is_host = machine.buffer_types[buffer.buffer_type.index()].is_host;
        const bool in_place =
            is_host || owner_of(machine, buffer, backends).device().capabilities().buffer_from_host_ptr;
        if (!in_place) continue;
        const std::uint32_t part = model.file().tensors()[weight.file_tensor].part;
        const auto file = model.file().mapped_bytes(part);
        const auto data = model.file().data(weight.file_tensor);
        const auto offset = static_cast<std::uint64_t>(data.data() - file.data());
        if (!is_host && offset % kDeviceAlignment != 0) continue;
        auto [entry, inserted] = wrapped.try_emplace({name, part}, nullptr);
        if (inserted) {
            if (auto made = wrap_host_memory(owner_of(machine, buffer, backends), file)) {
                made->set_usage(buffer.usage);
                entry->second = made.get();
                mapped_.push_back(made.get());
                buffers_.push_back(std::move(made));
            }
        }
        if (entry->second == nullptr) continue;
        places_[{name, t.name}] = {{entry->second, offset, true}};
    }
}

void LiveMemory::add_buffer(BufferType& type, const MachineBuffer& described, std::uint64_t size) {
    auto buffer = type.allocate(size);
    buffer->set_usage(described.usage);
    buffer->clear(std::byte{0});
    buffers_.push_back(std::move(buffer));
}

void LiveMemory::allocate_rest(const ModelGraph& model_graph, const Machine& machine,
                               std::span<Backend* const> backends) {
    const Graph& graph = model_graph.graph;
    const GraphView view(graph);
    const KnownBuffers buffers(machine, graph);
    std::map<std::string, std::vector<TensorId>> missing;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& t = graph.tensors[i];
        if (!t.buffer.valid() || t.is_view() || t.is_input()) continue;
        const std::string& name = graph.buffers[t.buffer.index()];
        if (!places_.contains({name, t.name})) missing[name].emplace_back(i);
    }
    for (const auto& [name, tensors] : missing) {
        const MachineBuffer& described = buffers[graph[tensors.front()].buffer];
        BufferType& type = owner_of(machine, described, backends).default_buffer_type();
        // Divided into several buffers if the type's maximum requires it.
        for (std::size_t first = 0; first < tensors.size();) {
            std::uint64_t size = 0;
            std::size_t last = first;
            std::size_t largest = first;
            std::vector<std::uint64_t> offsets;
            for (; last < tensors.size(); ++last) {
                const std::uint64_t bytes = round_up(type.alloc_size(view, tensors[last]), type.alignment());
                if (last > first && bytes > type.max_size() - std::min(size, type.max_size())) break;
                offsets.push_back(size);
                size += bytes;
                if (byte_size(graph[tensors[last]]) > byte_size(graph[tensors[largest]])) largest = last;
            }
            try {
                add_buffer(type, described, size);
            } catch (const Cancelled&) {
                throw;
            } catch (const Error& error) {
                throw error.within(graph[tensors[largest]].name);
            }
            for (std::size_t i = first; i < last; ++i) {
                places_[{name, graph[tensors[i]].name}].push_back(
                    {buffers_.back().get(), offsets[i - first], true});
            }
            first = last;
        }
    }
}

InputMemory::InputMemory(const Graph& graph, Backend& host) {
    const GraphView view(graph);
    BufferType& type = host.default_buffer_type();
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& t = graph.tensors[i];
        if (!t.buffer.valid() || !t.is_input()) continue;
        places_[TensorId(i)] = {nullptr, size, true};
        size += round_up(type.alloc_size(view, TensorId(i)), type.alignment());
    }
    if (places_.empty()) return;
    buffer_ = type.allocate(size);
    for (auto& [id, place] : places_) place.buffer = buffer_.get();
}

const TensorPlace* InputMemory::find(TensorId tensor) const {
    const auto found = places_.find(tensor);
    return found == places_.end() ? nullptr : &found->second;
}

void LiveMemory::fill_weights(const Model& model, const ModelGraph& model_graph,
                              const JobContext& job) const {
    const Graph& graph = model_graph.graph;
    for (std::size_t i = 0; i < model_graph.weights.size(); ++i) {
        job.check();
        job.report(static_cast<double>(i) / static_cast<double>(model_graph.weights.size()),
                   msg::kLoadingWeights);
        const WeightBinding& weight = model_graph.weights[i];
        const Tensor& t = graph[weight.tensor];
        const TensorPlace& place = places_.at({graph.buffers[t.buffer.index()], t.name}).front();
        if (std::ranges::find(mapped_, place.buffer) != mapped_.end()) continue;
        try {
            place.buffer->write(place.offset, model.file().data(weight.file_tensor));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            throw error.within(t.name);
        }
    }
}

}  // namespace splitscope

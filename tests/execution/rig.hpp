// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/interface/tensor_access.hpp"
#include "engine/parity/graph_computer.hpp"
#include "tests/execution/host_backend.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope::testing {

/// One GPU and the CPU, a scheduler of a generation over them, and memory for pre-allocated tensors: the
/// buffers of test::simple_machine(1).
class Rig {
 public:
    struct Options {
        bool parallel = false;
        bool events = false;
    };

    explicit Rig(Generation generation) : Rig(generation, Options{}) {}
    Rig(Generation generation, Options options)
        : gpu("GPU0", DeviceKind::gpu, log, options.events),
          cpu("CPU", DeviceKind::cpu, log, options.events) {
        backends_.push_back(gpu.new_backend());
        backends_.push_back(cpu.new_backend());
        auto machine = test::simple_machine(1);
        machine.parallel = options.parallel;
        live_.machine = std::make_shared<const Machine>(std::move(machine));
        live_.buffer_types = {&gpu.buffer_type(), &cpu.buffer_type()};
        live_.backends = {backends_[0].get(), backends_[1].get()};
        SchedulerSettings settings;
        settings.generation = generation;
        settings.parallel = options.parallel;
        scheduler_ = std::make_unique<Scheduler>(live_, settings);
        computer_ = std::make_unique<GraphComputer>(
            *scheduler_, [this](const Graph& graph, TensorId id) { return place_of(graph, id); });
    }

    /// Splits, allocates and binds; afterwards tensors can be set.
    bool prepare(std::shared_ptr<const Graph> graph) {
        if (scheduler_->generation() == Generation::g2024_01 && !measured_) {
            scheduler_->init_measure(graph);
            measured_ = true;
        }
        return computer_->prepare(std::move(graph));
    }
    /// Computes without waiting for splits, after clearing the log.
    Execution compute(EvalCallback callback = {}, const JobContext& job = {}, bool time_nodes = false) {
        log.clear();
        ExecutorOptions options;
        options.callback = std::move(callback);
        options.time_nodes = time_nodes;
        options.time_splits = false;
        return computer_->compute(options, job);
    }

    const BoundGraph& graph() const { return computer_->graph(); }
    const Schedule& schedule() const { return *scheduler_->schedule(); }
    Scheduler& scheduler() { return *scheduler_; }
    GraphComputer& computer() { return *computer_; }

    template <class T>
    void set(TensorId id, const std::vector<T>& values) const {
        tensor_set({graph(), id}, std::as_bytes(std::span(values)));
    }
    void fill(TensorId id, float value) const {
        set(id, std::vector<float>(static_cast<std::size_t>(element_count(graph()[id])), value));
    }
    std::vector<float> values(TensorId id) const {
        std::vector<float> values(static_cast<std::size_t>(element_count(graph()[id])));
        tensor_get({graph(), id}, std::as_writable_bytes(std::span(values)));
        return values;
    }

    CallLog log;
    HostDevice gpu;
    HostDevice cpu;

 private:
    TensorPlace place_of(const Graph& graph, TensorId id) {
        const std::string& buffer = graph.buffers[graph[id].buffer.index()];
        auto& kept = memory_[{buffer, graph[id].name}];
        if (kept == nullptr) {
            const bool on_gpu = buffer.ends_with("GPU0");
            kept = (on_gpu ? gpu : cpu).buffer_type().allocate(byte_size(graph[id]));
            if (buffer.starts_with("weights")) kept->set_usage(BufferUsage::weights);
        }
        return {kept.get(), 0, true};
    }

    std::vector<std::unique_ptr<Backend>> backends_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Buffer>> memory_;
    LiveMachine live_;
    std::unique_ptr<Scheduler> scheduler_;
    std::unique_ptr<GraphComputer> computer_;
    bool measured_ = false;
};

}  // namespace splitscope::testing

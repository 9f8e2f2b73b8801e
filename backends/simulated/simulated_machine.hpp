// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "backends/interface/live_machine.hpp"
#include "backends/simulated/call_log.hpp"
#include "backends/simulated/simulated_buffer.hpp"
#include "backends/simulated/simulated_device.hpp"

namespace splitscope {

/// Buffer types, devices and backends created from a machine file, which need neither hardware nor memory.
class SimulatedMachine {
 public:
    /// `graph`, if given, is the graph of the recorded answers (by node index) and allocation sizes. The
    /// machine must be valid (formats/machine_json.hpp).
    explicit SimulatedMachine(std::shared_ptr<const Machine> machine, const Graph* graph = nullptr,
                              EmptyTensors empty_tensors = EmptyTensors::have_no_bytes);
    SimulatedMachine(const SimulatedMachine&) = delete;
    SimulatedMachine& operator=(const SimulatedMachine&) = delete;

    const LiveMachine& live() const { return live_; }
    CallLog& log() { return *log_; }

 private:
    void record_answers(const Graph& graph);
    void record_sizes(const Graph& graph);

    std::unique_ptr<CallLog> log_ = std::make_unique<CallLog>();
    std::vector<std::unique_ptr<SimulatedBufferType>> types_;
    std::vector<std::unique_ptr<SimulatedDevice>> devices_;
    std::vector<std::unique_ptr<Backend>> backends_;
    LiveMachine live_;
};

}  // namespace splitscope

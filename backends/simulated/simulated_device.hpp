// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/machine.hpp"
#include "backends/simulated/call_log.hpp"
#include "engine/tensor/op_set.hpp"
#include "engine/tensor/type_set.hpp"

namespace splitscope {

/// A device that answers from machine data (formats.md, "Machine").
class SimulatedDevice final : public Device {
 public:
    /// `types`: all buffer types of the machine; `log` receives the calls of its backends.
    SimulatedDevice(const MachineBackend& description, std::span<BufferType* const> types, CallLog& log);

    /// Recorded answers by tensor of the graph: 0 no, 1 yes, -1 none.
    void set_recorded_answers(std::vector<std::int8_t> answers) { recorded_ = std::move(answers); }

    const std::string& name() const override { return name_; }
    std::string description() const override { return "simulated " + name_; }
    DeviceKind kind() const override { return kind_; }
    DeviceCapabilities capabilities() const override { return {async_, false, false, events_}; }
    BufferType& buffer_type() override { return *buffer_type_; }
    OpSupport supports_op(const OpQuery& query) const override;
    OpSet always_supported() const override { return recorded_.empty() ? always_run_ : OpSet(); }
    bool supports_buffer_type(const BufferType& type) const override;
    bool offload_op(const OpQuery& query) const override;
    std::unique_ptr<Event> new_event() override;
    std::unique_ptr<Backend> new_backend() override;

 private:
    void add_pairs(std::span<const UnsupportedPair> pairs);
    bool always_runs(Op op) const;
    OpSupport answer(const OpQuery& query) const;

    std::string name_;
    DeviceKind kind_;
    bool async_;
    bool events_;
    BufferType* buffer_type_;
    std::vector<const BufferType*> takes_;
    OpSet unsupported_ops_;
    TypeSet unsupported_types_;
    /// By operation, in the order of the description. Each type is only in the first set that names it, so
    /// that an operation has at most as many sets as there are types.
    std::array<std::vector<TypeSet>, kOpCount> paired_types_;
    std::optional<std::int64_t> offload_min_batch_;
    OffloadRule offload_rule_;
    bool reorders_;
    std::optional<std::uint64_t> max_tensor_;
    std::vector<std::int64_t> scan_states_;
    bool equal_batches_;
    bool contiguous_blocks_;
    bool half_experts_;
    bool unmixed_bf16_;
    std::int64_t residual_streams_;
    std::vector<AttentionHeads> attention_heads_;
    std::optional<TypeSet> attention_types_;
    std::vector<std::int8_t> recorded_;
    OpSet always_run_;  ///< operations that no rule refuses
    /// The answer for them, as a member: compilers assemble a constant byte by byte, and the wide load that
    /// follows then waits for the stores, which costs more than the query.
    OpSupport runs_;
    CallLog& log_;
};

}  // namespace splitscope

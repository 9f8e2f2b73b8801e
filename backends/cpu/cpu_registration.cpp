// SPDX-License-Identifier: MIT
#include "backends/cpu/cpu_registration.hpp"

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/messages.hpp"
#include "backends/cpu/op_table.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

CpuBackend& require_cpu(Backend& backend) {
    auto* cpu = dynamic_cast<CpuBackend*>(&backend);
    if (cpu != nullptr) return *cpu;
    throw Error(ErrorKind::state, msg::kNotCpuBackend, backend.name(), msg::kPassCpuBackend);
}

/// Types of weights that ggml interleaves for this processor.
std::vector<std::string> repacked_types() {
#if defined(__x86_64__)
    using cpu::kernels::InstructionSet;
    const InstructionSet allowed = cpu::kernels::allowed_instructions();
    if (allowed < InstructionSet::avx2 || !__builtin_cpu_supports("avx2")) return {};
    std::vector<std::string> types = {"q4_0", "q4_K", "iq4_nl", "mxfp4"};
    if (allowed >= InstructionSet::avx512 && __builtin_cpu_supports("avx512f")) types.emplace_back("q2_K");
    return types;
#else
    return {};
#endif
}

class CpuBackendKind final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::string title() const override { return device_.name(); }
    std::size_t device_count() override { return 1; }
    Device& device(std::size_t index) override {
        if (index == 0) return device_;
        throw Error(ErrorKind::unknown, msg::kNoDeviceIndex(index), name_, msg::kThereAre(1));
    }

    KindListing list(const KindOptions& /*options*/) override {
        return {{{device_.name(), device_.kind(), device_.description(), {}, device_.memory()}}, {}};
    }
    std::optional<DescribedDevice> describe(std::string_view device,
                                            const KindOptions& /*options*/) override {
        DescribedDevice cpu = described_cpu();
        if (!same_name(device, cpu.backend.name)) return std::nullopt;
        cpu.backend.repacks = repacked_types();
        return cpu;
    }
    std::vector<OpSupport> supports(const MachineBackend& /*described*/, const GraphView& graph,
                                    std::span<const TensorId> nodes) override {
        std::vector<OpSupport> answers;
        for (const TensorId node : nodes) answers.push_back(cpu::kernel_supports(OpQuery{graph, node}));
        return answers;
    }
    LiveBackend make(const LiveRequest& request) override {
        const MachineBackend& described = request.described();
        const MachineBufferType& type = request.machine.buffer_types[described.buffer_type.index()];
        auto device = std::make_shared<CpuDevice>(
            CpuDeviceOptions{described.name, described.device, {type.name, type.is_host, type.alignment}});
        auto backend = std::make_unique<CpuBackend>(*device);
        backend->set_threads(static_cast<int>(request.threads));
        backend->set_abort_callback(request.abort);
        return {std::move(device), std::move(backend), {}};
    }

    std::any extra_function(std::string_view function) override {
        if (function == "set_n_threads") {
            return std::function<void(Backend&, int)>(
                [](Backend& backend, int threads) { require_cpu(backend).set_threads(threads); });
        }
        if (function == "set_abort_callback") {
            return std::function<void(Backend&, std::function<bool()>)>(
                [](Backend& backend, std::function<bool()> callback) {
                    require_cpu(backend).set_abort_callback(std::move(callback));
                });
        }
        return {};
    }

 private:
    std::string name_ = "cpu";
    CpuDevice device_;
};

}  // namespace

std::shared_ptr<BackendKind> make_cpu_kind() {
    return std::make_shared<CpuBackendKind>();
}

}  // namespace splitscope

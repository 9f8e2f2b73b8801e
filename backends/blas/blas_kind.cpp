// SPDX-License-Identifier: MIT
#include "backends/blas/blas_kind.hpp"

#include <algorithm>
#include <thread>

#include "backends/blas/blas_backend.hpp"
#include "backends/blas/blas_support.hpp"
#include "backends/blas/messages.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kDeviceName = "BLAS";

/// Memory that OpenBLAS reserves per started thread. If that fails, it retries forever.
constexpr std::uint64_t kBytesPerThread = 128ULL << 20U;

/// Keeps the CPU whose memory it uses.
struct BlasOnItsOwnCpu {
    CpuDevice cpu;
    BlasDevice device{cpu};
};

MachineBackend described_blas() {
    MachineBackend backend;
    backend.name = kDeviceName;
    backend.device = DeviceKind::accel;
    backend.kind = "blas";
    for (std::size_t i = 0; i < kOpCount; ++i) {
        const auto op = static_cast<Op>(i);
        if (op != Op::mul_mat && op != Op::out_prod && op != Op::none && !is_view_op(op))
            backend.unsupported_ops.emplace_back(name_of(op));
    }
    return backend;
}

class BlasBackendKind final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::string title() const override { return std::string(kDeviceName); }
    KindLimits limits() const override {
        return {static_cast<std::int32_t>(kBlasSmallest), msg::kBlasNeedsLargerProducts};
    }
    std::size_t device_count() override { return 1; }
    Device& device(std::size_t index) override {
        if (index == 0) return own_.device;
        throw Error(ErrorKind::unknown, msg::kNoDeviceIndex(index), name_, msg::kThereAre(1));
    }
    KindListing list(const KindOptions& /*options*/) override {
        return {
            {{own_.device.name(), own_.device.kind(), own_.device.description(), {}, own_.device.memory()}},
            {}};
    }
    std::vector<OfferedDevice> offers() const override {
        return {{std::string(kDeviceName), msg::kBlasWithCpu}};
    }
    std::optional<DescribedDevice> describe(std::string_view device,
                                            const KindOptions& /*options*/) override {
        if (!same_name(device, kDeviceName)) return std::nullopt;
        return DescribedDevice{described_blas(), std::nullopt};
    }
    std::vector<OpSupport> supports(const MachineBackend& /*described*/, const GraphView& graph,
                                    std::span<const TensorId> nodes) override {
        std::vector<OpSupport> answers;
        for (const TensorId node : nodes) answers.push_back(blas_supports(OpQuery{graph, node}));
        return answers;
    }
    LiveBackend make(const LiveRequest& request) override {
        const MachineBackend& described = request.described();
        for (std::size_t i = 0; i < request.made.size(); ++i) {
            const MachineBackend& other = request.machine.backends[i];
            auto* const host = dynamic_cast<CpuBackend*>(request.made[i]);
            if (host == nullptr || other.device != DeviceKind::cpu ||
                other.buffer_type != described.buffer_type)
                continue;
            auto device =
                std::make_shared<BlasDevice>(static_cast<CpuDevice&>(host->device()), described.name);
            auto backend = std::make_unique<BlasBackend>(*device);
            backend->set_thread_pool(host->thread_pool());
            backend->set_threads(host->thread_pool() ? 0 : static_cast<int>(request.threads));
            backend->set_abort_callback(request.abort);
            return {std::move(device), std::move(backend), {}};
        }
        return {nullptr, nullptr, msg::kBlasSharesNoMemory};
    }

    std::map<std::string, std::string> load_environment(std::uint64_t address_space) const override {
        // Half of it is left for everything else.
        const std::uint64_t threads = address_space / 2 / kBytesPerThread;
        if (threads >= std::thread::hardware_concurrency()) return {};
        return {{"OPENBLAS_NUM_THREADS", std::to_string(std::max<std::uint64_t>(threads, 1))}};
    }

 private:
    std::string name_ = "blas";
    BlasOnItsOwnCpu own_;
};

}  // namespace

std::shared_ptr<BackendKind> make_blas_kind() {
    return std::make_shared<BlasBackendKind>();
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include "backends/cpu/cpu_backend.hpp"

#include <algorithm>

#include "backends/cpu/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

class CpuPlan final : public GraphPlan {
 public:
    CpuPlan(cpu::NodeList nodes, std::shared_ptr<ThreadPool> pool, cpu::AbortCallback abort)
        : nodes_(std::move(nodes)), pool_(std::move(pool)), abort_(std::move(abort)) {
        if (!work_.ensure(nodes_.work_bytes())) {
            throw Error(ErrorKind::memory, msg::kNoWorkBuffer(nodes_.work_bytes()), "CPU",
                        msg::kUseSmallerBatch);
        }
    }

    Status compute() { return nodes_.compute(pool_.get(), work_.bytes(), abort_); }

 private:
    cpu::NodeList nodes_;
    cpu::WorkBuffer work_;
    std::shared_ptr<ThreadPool> pool_;
    cpu::AbortCallback abort_;
};

}  // namespace

CpuBackend::CpuBackend(CpuDevice& device) : Backend(device) {}

Guid CpuBackend::guid() const {
    return {0xaa, 0x67, 0xc7, 0x43, 0x96, 0xe6, 0xa3, 0x8a, 0xe3, 0xaf, 0xea, 0x92, 0x36, 0xbc, 0xfc, 0x89};
}

int CpuBackend::threads() const {
    if (requested_threads_ <= 0) return shared_pool_ ? shared_pool_->size() : kDefaultThreads;
    return shared_pool_ ? std::min(requested_threads_, shared_pool_->size()) : requested_threads_;
}

std::shared_ptr<ThreadPool> CpuBackend::pool_for(int threads) {
    if (shared_pool_) return shared_pool_;
    if (threads > 1 && (!own_pool_ || own_pool_->size() < threads)) {
        own_pool_ = std::make_shared<ThreadPool>(threads);
    }
    return own_pool_;
}

Status CpuBackend::compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) {
    const cpu::NodeList list(graph, nodes, threads());
    if (!work_.ensure(list.work_bytes())) return Status::allocation_failed;
    return list.compute(pool_for(list.threads()).get(), work_.bytes(), abort_);
}

std::unique_ptr<GraphPlan> CpuBackend::create_plan(const BoundGraph& graph, std::span<const TensorId> nodes) {
    const int count = threads();
    return std::make_unique<CpuPlan>(cpu::NodeList(graph, nodes, count), pool_for(count), abort_);
}

Status CpuBackend::compute_plan(GraphPlan& plan) {
    auto* own = dynamic_cast<CpuPlan*>(&plan);
    if (own == nullptr) {
        throw Error(ErrorKind::state, msg::kPlanOfOther, name(), msg::kComputeWithMaker);
    }
    return own->compute();
}

}  // namespace splitscope

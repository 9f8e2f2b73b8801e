// SPDX-License-Identifier: MIT
#include "backends/cpu/graph_plan.hpp"

#include <algorithm>
#include <limits>

#include "backends/cpu/op_table.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

constexpr std::size_t kCacheLine = 64;

TensorRef resolve(const BoundGraph& graph, TensorId id) {
    if (!id.valid()) return {};
    const Tensor& tensor = graph[id];
    std::byte* data = graph.host_data(id);
    if (data == nullptr && !is_empty(tensor)) {
        throw Error(ErrorKind::no_buffer, msg::kNotInHostMemory, tensor.name, msg::kPlaceInCpuBuffer);
    }
    return {&tensor, data};
}

OpNode resolve_node(const BoundGraph& graph, TensorId id) {
    OpNode node;
    node.kernel = find_kernel(graph[id].op);
    if (node.kernel == nullptr) {
        throw Error(ErrorKind::unsupported, msg::kDoesNotCompute("CPU", name_of(graph[id].op)),
                    graph[id].name, msg::kAssignElsewhere);
    }
    node.dst = resolve(graph, id);
    const Sources& sources = graph.sources(id);
    for (std::size_t i = 0; i < sources.size(); ++i) node.src[i] = resolve(graph, sources[i]);
    return node;
}

}  // namespace

bool WorkBuffer::ensure(std::size_t bytes) {
    if (bytes <= size_) return true;
    memory_.reset();
    size_ = 0;
    memory_.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment, std::nothrow)));
    if (memory_ != nullptr) size_ = bytes;
    return memory_ != nullptr;
}

NodeList::NodeList(const BoundGraph& graph, std::span<const TensorId> nodes, int threads)
    : threads_(threads) {
    nodes_.reserve(nodes.size());
    for (const TensorId id : nodes) {
        const Tensor& tensor = graph[id];
        if (tensor.op == Op::none || is_view_op(tensor.op) || is_empty(tensor)) continue;
        OpNode node = resolve_node(graph, id);
        node.tasks = static_cast<int>(std::clamp<std::int64_t>(max_tasks(node), 1, threads));
        // Kernels with barriers require all threads.
        if (node.tasks > 1) node.tasks = threads;
        shared_bytes_ = std::max(shared_bytes_, round_up(shared_bytes(node), kCacheLine));
        scratch_floats_ =
            std::max(scratch_floats_, round_up(scratch_floats(node), kCacheLine / sizeof(float)));
        nodes_.push_back(node);
    }
    // Waking workers costs more than looking up one row of embeddings, all that is left for the CPU per token
    // when a GPU runs the model.
    if (std::ranges::none_of(nodes_, [](const OpNode& node) { return node.tasks > 1; })) threads_ = 1;
}

struct NodeList::Run {
    Run(std::span<std::byte> memory, const AbortCallback& callback, int threads, std::size_t nodes)
        : work(memory), stop(callback), barrier(threads), chunks(nodes) {}

    std::span<std::byte> work;
    StopSignal stop;
    SpinBarrier barrier;
    std::vector<std::atomic<std::int64_t>> chunks;  ///< the counter of each node
    FirstError error;
    /// All threads leave at the barrier after this node. Thread 0 decides and may already be at a later node
    /// while others check, hence a node number instead of a flag.
    std::atomic<std::size_t> last_node{kNoNode};
    static constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();
};

Status NodeList::compute(ThreadPool* pool, std::span<std::byte> work, const AbortCallback& abort) const {
    Run run(work, abort, threads_, nodes_.size());
    if (threads_ > 1 && pool != nullptr) {
        pool->run(threads_, [&](int thread) { compute_part(run, thread); });
    } else {
        compute_part(run, 0);
    }
    if (run.error.is_set()) run.error.raise();
    return run.last_node.load() == Run::kNoNode ? Status::success : Status::aborted;
}

void NodeList::compute_part(Run& run, int thread) const {
    const std::span<std::byte> shared = run.work.first(shared_bytes_);
    const std::span<float> scratch{reinterpret_cast<float*>(run.work.data() + scratch_offset(thread)),
                                   scratch_floats_};
    bool ending = false;  // used by thread 0 only
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const OpNode& node = nodes_[i];
        if (thread < node.tasks && !ending) {
            OpContext context(node, thread, shared, scratch, run.barrier, run.chunks[i], run.error, run.stop);
            node.kernel->compute(context);
        }
        // Consecutive single-threaded nodes run on thread 0 without waking the others.
        const bool alone = node.tasks == 1 && (i + 1 == nodes_.size() || nodes_[i + 1].tasks == 1);
        if (thread == 0) {
            ending = ending || run.error.is_set() || run.stop.ask();
            if (ending && (!alone || i + 1 == nodes_.size()))
                run.last_node.store(i, std::memory_order_relaxed);
        }
        if (alone) continue;
        run.barrier.wait();
        if (run.last_node.load(std::memory_order_relaxed) <= i) return;
    }
}

}  // namespace splitscope::cpu

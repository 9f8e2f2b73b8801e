// SPDX-License-Identifier: MIT
// Runs on backends that fail, throw and lose their device at any call; afterwards the same objects compute
// the right result.
#include <stdexcept>

#include "engine/execution/graph_copy.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/context_allocator.hpp"
#include "engine/support/error.hpp"
#include "tests/execution/rig.hpp"
#include "tests/fuzz/byte_source.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

using splitscope::testing::HostDevice;
using splitscope::testing::Rig;

struct Sums {
    std::shared_ptr<const Graph> graph;
    std::vector<float> expected;  ///< per tensor; of products with experts unknown, and nothing reads them
    std::vector<TensorId> stored;
    std::vector<TensorId> chosen;  ///< the ids of experts
    TensorId last;                 ///< the output
};

constexpr std::int64_t kExperts = 8;
constexpr std::int64_t kChoices = 6;

/// A product with experts whose weights are on the CPU; an accelerator offers to compute it.
void add_experts(test::GraphBuilder& builder, ByteSource& source, Sums& sums) {
    const std::string number = std::to_string(sums.expected.size());
    const TensorId weights = builder.stored("experts" + number, "weights-CPU", {8, 4, kExperts, 1});
    const TensorId ids = sums.chosen.empty() || source.chance(64)
                             ? builder.stored("ids" + number, "any-CPU", {2, kChoices / 2, 1, 1})
                             : sums.chosen.front();
    sums.stored.push_back(weights);
    if (sums.chosen.empty() || ids != sums.chosen.front()) {
        builder[ids].type = ElementType::i32;
        sums.chosen.push_back(ids);
    }
    const TensorId x = builder.stored("x" + number, "any-CPU", {8, 1, kChoices / 2, 1});
    sums.stored.push_back(x);
    builder.node("product" + number, Op::mul_mat_id, {weights, x, ids}, {4, 2, kChoices / 2, 1});
    sums.expected.resize(builder.graph().tensors.size());
}

/// Additions of earlier tensors, those without sources stored on either device.
Sums make_sums(ByteSource& source, Generation generation) {
    test::GraphBuilder builder;
    Sums sums;
    const std::size_t leafs = 1 + source.below(4);
    for (std::size_t i = 0; i < leafs; ++i) {
        const char* const buffers[] = {"weights-CPU", "weights-GPU0", "any-CPU", "any-GPU0"};
        const std::string name = "leaf" + std::to_string(i);
        const char* const buffer = buffers[source.below(4)];
        // In 2024-01 whoever sets an input gives it its memory; else it shares it with what comes before it.
        const bool input = generation != Generation::g2024_01 && source.chance(64);
        sums.stored.push_back(input ? builder.input(name) : builder.stored(name, buffer));
        sums.expected.push_back(1);
    }
    std::vector<TensorId> numbers = sums.stored;
    const std::size_t nodes = 1 + source.below(20);
    for (std::size_t i = 0; i < nodes; ++i) {
        const TensorId a = numbers[source.below(numbers.size())];
        const TensorId b = numbers[source.below(numbers.size())];
        numbers.push_back(builder.node("node" + std::to_string(i), Op::add, {a, b}));
        sums.expected.push_back(sums.expected[a.index()] + sums.expected[b.index()]);
        if (source.chance(16)) add_experts(builder, source, sums);
    }
    sums.last = numbers.back();
    builder[sums.last].flags = TensorFlags::output;
    sums.graph = builder.finish();
    return sums;
}

void set_inputs(const Rig& rig, const Sums& sums, ByteSource& source) {
    for (const TensorId id : sums.stored) {
        // An input that nothing reads gets no memory.
        if (BoundTensor{rig.graph(), id}.has_data()) rig.fill(id, 1);
    }
    for (const TensorId id : sums.chosen) {
        std::vector<std::int32_t> ids(kChoices);
        for (std::int32_t& one : ids) one = static_cast<std::int32_t>(source.below(kExperts));
        if (source.chance(16)) ids.back() = static_cast<std::int32_t>(source.number());
        rig.set(id, ids);
    }
}

void set_valid_inputs(const Rig& rig, const Sums& sums) {
    ByteSource nothing({});
    set_inputs(rig, sums, nothing);
}

/// The graph in the memory of one backend and its copy in the other's give the same results.
void compare_on_both(const Sums& sums, Generation generation) {
    Rig rig(generation);
    Graph graph = *sums.graph;
    for (Tensor& tensor : graph.tensors) tensor.buffer = {};
    std::vector<TensorPlace> places(graph.tensors.size());
    const BoundGraph bound(GraphView(graph), places);
    std::vector<TensorId> all;
    for (std::size_t i = 0; i < places.size(); ++i) all.emplace_back(i);
    const auto memory = allocate_context(allocation_policy(generation), rig.gpu.buffer_type(), bound, all);
    require(memory != nullptr, "a small graph gets its memory");
    memory->clear(std::byte{0});
    std::size_t shown = 0;
    const auto same = [&](std::size_t, const BoundTensor& first, const BoundTensor& second) {
        std::vector<std::byte> a(byte_size(first.tensor()));
        std::vector<std::byte> b(byte_size(second.tensor()));
        tensor_get(first, a);
        tensor_get(second, b);
        require(a == b, "two backends that compute alike give the same");
        return ++shown < 12;
    };
    Backend& gpu = rig.scheduler().backend(0);
    Backend& cpu = rig.scheduler().backend(1);
    require(compare_backends(gpu, cpu, bound, same, generation), "the copy gets its memory");
    const TensorId asked[] = {sums.last};
    require(compare_backends_at(gpu, cpu, bound, asked, same, generation), "the copy gets its memory");
}

}  // namespace

void executor(Bytes bytes) {
    ByteSource source(bytes);
    const Generation generation = kGenerations[source.below(kGenerations.size())];
    const bool parallel = source.chance(100);
    const Sums sums = make_sums(source, generation);
    Rig rig(generation, {.parallel = parallel, .events = parallel});
    rig.gpu.async_copies = source.chance(128);
    try {
        require(rig.prepare(sums.graph), "a small graph gets its memory");
    } catch (const Error&) {
        return;  // a generation that finds no backend for it
    }
    set_inputs(rig, sums, source);
    for (HostDevice* const device : {&rig.gpu, &rig.cpu}) {
        device->makes_plans = source.chance(80);
        device->lacks_memory_for_plans = source.chance(16);
    }

    for (int faults = 0; faults < 3; ++faults) {
        std::size_t countdown = 1 + source.below(8);
        const std::uint8_t kind = source.byte();
        std::stop_source stop;
        const auto fault = [&] {
            if (countdown == 0 || --countdown > 0) return;
            switch (kind % 6) {
                case 0:
                    throw Error(ErrorKind::internal, "the device is lost", "GPU0");
                case 1:
                    throw std::runtime_error("a driver's own exception");
                case 2:
                    throw std::bad_alloc();
                case 3:
                    rig.gpu.next_status = rig.cpu.next_status = Status::failed;
                    break;
                case 4:
                    stop.request_stop();
                    break;
                default:
                    break;
            }
        };
        rig.gpu.on_compute = rig.cpu.on_compute = fault;
        std::size_t asked = 0;
        const EvalCallback callback = [&](TensorId, bool) { return ++asked % 3 != 0; };
        try {
            rig.compute(kind % 2 == 0 ? callback : EvalCallback{}, JobContext(stop.get_token()),
                        kind % 5 == 0);
        } catch (const std::exception&) {
            // What a backend throws reaches the caller; nothing else may happen.
        }
        rig.gpu.on_compute = rig.cpu.on_compute = nullptr;
        rig.gpu.next_status = rig.cpu.next_status = Status::success;
    }
    // Nothing of the faults is left once the scheduler begins anew.
    rig.scheduler().reset();
    require(rig.prepare(sums.graph), "the graph gets its memory again");
    for (int runs = 0; runs < 3; ++runs) {
        // A run may use the memory of its inputs for its results.
        set_valid_inputs(rig, sums);
        require(rig.compute().status == Status::success, "a run after a fault succeeds");
        for (const float value : rig.values(sums.last))
            require(value == sums.expected[sums.last.index()],
                    "a run after a fault computes the right values");
    }
    if (source.chance(64)) compare_on_both(sums, generation);
}

}  // namespace splitscope::fuzz

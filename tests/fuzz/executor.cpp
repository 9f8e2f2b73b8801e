// SPDX-License-Identifier: MIT
// Runs on backends that fail, throw or lose their device at any call: each ends with that error and waits for
// all backends; afterwards the same objects compute the right result.
#include <new>
#include <stdexcept>
#include <string_view>

#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/context_allocator.hpp"
#include "engine/parity/graph_comparison.hpp"
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
        // In 2024-01 setting an input requires own memory; otherwise it shares memory with its predecessor.
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

enum class Fault : std::uint8_t { lost_device, own_exception, no_memory, failed_status, stop, none };
constexpr std::uint8_t kFaults = 6;

enum class Ending : std::uint8_t {
    success,
    aborted,
    failed,
    lost_device,
    own_exception,
    no_memory,
    no_such_expert,
    other
};

constexpr const char* kOwnException = "a driver's own exception";

/// The end of a run: its status or exception.
template <class Run>
Ending ending_of(Run&& run) {
    try {
        switch (run().status) {
            case Status::success:
                return Ending::success;
            case Status::aborted:
                return Ending::aborted;
            case Status::failed:
                return Ending::failed;
            default:
                return Ending::other;
        }
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::internal) return Ending::lost_device;
        return error.kind() == ErrorKind::range ? Ending::no_such_expert : Ending::other;
    } catch (const std::bad_alloc&) {
        return Ending::no_memory;
    } catch (const std::runtime_error& error) {
        return std::string_view(error.what()) == kOwnException ? Ending::own_exception : Ending::other;
    }
}

/// Guarantees of a run with this fault.
void require_ending(Ending ending, Fault fault, Generation generation) {
    switch (fault) {
        case Fault::lost_device:
            require(ending == Ending::lost_device, "the Error of a backend reaches the caller");
            return;
        case Fault::own_exception:
            require(ending == Ending::own_exception, "a driver's own exception reaches the caller");
            return;
        case Fault::no_memory:
            require(ending == Ending::no_memory, "a backend that is out of memory says so to the caller");
            return;
        case Fault::failed_status:
            // The early generation ignores the status (scheduler.md §10).
            require(ending == (generation == Generation::g2024_01 ? Ending::success : Ending::failed),
                    "a run ends with the status of the backend that failed");
            return;
        case Fault::stop:
            // It may coincide with the end of the work.
            require(ending == Ending::aborted || ending == Ending::success, "a stop is no failure");
            return;
        case Fault::none:
            break;
    }
    // Only the latest generation reads which experts are selected.
    require(
        ending == Ending::success || (ending == Ending::no_such_expert && generation == Generation::g2026_08),
        "a run without a fault succeeds, or names an expert that is not there");
}

/// Runs it with a fault at the `call`-th computation that the backends are asked for.
void run_with_fault(Rig& rig, std::size_t call, std::uint8_t kind, Generation generation) {
    const auto fault = static_cast<Fault>(kind % kFaults);
    const bool times_nodes = kind % 5 == 0;
    std::stop_source stop;
    std::size_t calls = 0;
    rig.gpu.on_compute = rig.cpu.on_compute = [&] {
        if (++calls != call) return;
        switch (fault) {
            case Fault::lost_device:
                throw Error(ErrorKind::internal, Message::verbatim("the device is lost"), "GPU0");
            case Fault::own_exception:
                throw std::runtime_error(kOwnException);
            case Fault::no_memory:
                throw std::bad_alloc();
            case Fault::failed_status:
                rig.gpu.next_status = rig.cpu.next_status = Status::failed;
                break;
            case Fault::stop:
                stop.request_stop();
                break;
            case Fault::none:
                break;
        }
    };
    std::size_t asked = 0;
    const EvalCallback callback = [&](TensorId, bool) { return ++asked % 3 != 0; };
    const Ending ending = ending_of([&] {
        return rig.compute(kind % 2 == 0 ? callback : EvalCallback{}, JobContext(stop.get_token()),
                           times_nodes);
    });
    rig.gpu.on_compute = rig.cpu.on_compute = nullptr;
    rig.gpu.next_status = rig.cpu.next_status = Status::success;

    const bool came_up = calls >= call;
    require_ending(ending, came_up ? fault : Fault::none, generation);
    require(calls > 0 || ending == Ending::no_such_expert, "a run computes something");
    // Stops are not checked between nodes timed one by one.
    const bool ended_early = ending != Ending::success && ending != Ending::no_such_expert;
    require(!ended_early || times_nodes || calls == call, "nothing is computed after a fault");
    const std::size_t lines = rig.log.size();
    require(lines >= 2 && rig.log[lines - 2] == "GPU0 synchronize" && rig.log[lines - 1] == "CPU synchronize",
            "all backends are waited for at the end");
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
        const std::size_t call = 1 + source.below(8);
        run_with_fault(rig, call, source.byte(), generation);
    }
    // A reset of the scheduler clears the faults.
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

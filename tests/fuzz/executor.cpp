// SPDX-License-Identifier: MIT
// Runs on backends that fail, throw and lose their device at any call; afterwards the same objects compute
// the right result.
#include <stdexcept>

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
    std::vector<float> expected;  ///< per tensor
    std::vector<TensorId> stored;
};

/// Additions of earlier tensors, those without sources stored on either device.
Sums make_sums(ByteSource& source) {
    test::GraphBuilder builder;
    Sums sums;
    const std::size_t leafs = 1 + source.below(4);
    for (std::size_t i = 0; i < leafs; ++i) {
        const char* const buffers[] = {"weights-CPU", "weights-GPU0", "any-CPU", "any-GPU0"};
        sums.stored.push_back(builder.stored("leaf" + std::to_string(i), buffers[source.below(4)]));
        sums.expected.push_back(1);
    }
    const std::size_t nodes = 1 + source.below(20);
    for (std::size_t i = 0; i < nodes; ++i) {
        const TensorId a(source.below(sums.expected.size()));
        const TensorId b(source.below(sums.expected.size()));
        builder.node("node" + std::to_string(i), Op::add, {a, b});
        sums.expected.push_back(sums.expected[a.index()] + sums.expected[b.index()]);
    }
    builder[TensorId(sums.expected.size() - 1)].flags = TensorFlags::output;
    sums.graph = builder.finish();
    return sums;
}

}  // namespace

void executor(Bytes bytes) {
    ByteSource source(bytes);
    const Generation generation = kGenerations[source.below(kGenerations.size())];
    const bool parallel = source.chance(100);
    const Sums sums = make_sums(source);
    Rig rig(generation, {.parallel = parallel, .events = parallel});
    rig.gpu.async_copies = source.chance(128);
    try {
        require(rig.prepare(sums.graph), "a small graph gets its memory");
    } catch (const Error&) {
        return;  // a generation that finds no backend for it
    }
    for (const TensorId id : sums.stored) rig.fill(id, 1);

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
            rig.compute(kind % 2 == 0 ? callback : EvalCallback{}, JobContext(stop.get_token()));
        } catch (const std::exception&) {
            // What a backend throws reaches the caller; nothing else may happen.
        }
        rig.gpu.on_compute = rig.cpu.on_compute = nullptr;
        rig.gpu.next_status = rig.cpu.next_status = Status::success;
    }
    // Nothing of the faults is left once the scheduler begins anew.
    rig.scheduler().reset();
    require(rig.prepare(sums.graph), "the graph gets its memory again");
    for (const TensorId id : sums.stored) rig.fill(id, 1);
    require(rig.compute().status == Status::success, "a run after a fault succeeds");
    const TensorId last(sums.expected.size() - 1);
    for (const float value : rig.values(last))
        require(value == sums.expected.back(), "a run after a fault computes the right values");
}

}  // namespace splitscope::fuzz

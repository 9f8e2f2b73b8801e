// SPDX-License-Identifier: MIT
#include "tests/bench/machine_peak.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/cpu/thread_pool.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/machine_peak.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace splitscope::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums numbers in four streams, so that memory is the limit rather than additions.
float ReadAll(const float* memory, std::int64_t n) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t part = n / 4;
    auto a = hn::Zero(d);
    auto b = a;
    auto c = a;
    auto e = a;
    for (std::int64_t i = 0; i + lanes <= part; i += lanes) {
        a = hn::Add(a, hn::LoadU(d, memory + i));
        b = hn::Add(b, hn::LoadU(d, memory + part + i));
        c = hn::Add(c, hn::LoadU(d, memory + 2 * part + i));
        e = hn::Add(e, hn::LoadU(d, memory + 3 * part + i));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

/// `rounds` times twelve independent fused multiply-adds in registers; returns the number of operations and
/// stores the results so that the compiler cannot remove them.
double MultiplyAdds(std::int64_t rounds, float* sink) {
    const hn::ScalableTag<float> d;
    constexpr int kChains = 12;
    hn::Vec<decltype(d)> chain[kChains];
    for (int i = 0; i < kChains; ++i) chain[i] = hn::Set(d, static_cast<float>(i));
    const auto factor = hn::Set(d, 0.999F);
    const auto term = hn::Set(d, 0.001F);
    for (std::int64_t round = 0; round < rounds; ++round) {
        for (int i = 0; i < kChains; ++i) chain[i] = hn::MulAdd(chain[i], factor, term);
    }
    auto total = hn::Zero(d);
    for (int i = 0; i < kChains; ++i) total = hn::Add(total, chain[i]);
    *sink = hn::GetLane(hn::SumOfLanes(d, total));
    return 2.0 * kChains * static_cast<double>(rounds) * static_cast<double>(hn::Lanes(d));
}

}  // namespace HWY_NAMESPACE
}  // namespace splitscope::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace splitscope::bench {
namespace {

HWY_EXPORT(ReadAll);
HWY_EXPORT(MultiplyAdds);

/// Seconds of the fastest of a few runs of work(thread) on all threads.
template <class Work>
double fastest(ThreadPool& pool, Work&& work) {
    double best = 1e30;
    for (int run = 0; run < 9; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        pool.run(pool.size(), work);
        best =
            std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

}  // namespace

MachinePeak measure_peak(int threads) {
    ThreadPool pool(threads);
    std::vector<float> sinks(static_cast<std::size_t>(threads) * 16);
    const auto sink = [&](int thread) { return sinks.data() + static_cast<std::size_t>(thread) * 16; };
    MachinePeak peak;

    // Larger than the last-level cache, with a part per thread.
    const std::int64_t part = (std::int64_t{1} << 26) / threads;
    const std::vector<float> memory(static_cast<std::size_t>(part * threads), 1.0F);
    const double read = fastest(pool, [&](int thread) {
        *sink(thread) = HWY_DYNAMIC_DISPATCH(ReadAll)(memory.data() + thread * part, part);
    });
    peak.bytes_per_second = static_cast<double>(memory.size() * sizeof(float)) / read;

    std::atomic<double> operations{0};
    const double seconds = fastest(pool, [&](int thread) {
        const double done = HWY_DYNAMIC_DISPATCH(MultiplyAdds)(400'000, sink(thread));
        operations.store(done, std::memory_order_relaxed);
    });
    peak.flops = operations.load() * threads / seconds;
    return peak;
}

}  // namespace splitscope::bench
#endif

// SPDX-License-Identifier: MIT
// Matrix products of the CPU backend for each weight type: streaming (one column) against the memory
// bandwidth, and tiled (128 columns) against the multiply-add peak, both measured here. Quantised types
// multiply bytes and may exceed the peak of floats. Usage: compute_bench [threads]
// [type …]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/cpu/cpu_backend.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/bench/machine_peak.hpp"

namespace splitscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kDepth = 4096;
constexpr std::int64_t kRows = 8192;

/// Seconds of the fastest of a few runs.
template <class Work>
double fastest(Work&& work) {
    double best = 1e30;
    for (int run = 0; run < 9; ++run) {
        const auto begin = Clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return best;
}

class Product {
 public:
    Product(ElementType type, std::int64_t columns) : bound_(GraphView(graph_), places_) {
        add("weights", type, {kDepth, kRows, 1, 1});
        add("x", ElementType::f32, {kDepth, columns, 1, 1});
        add("out", ElementType::f32, {kRows, columns, 1, 1});
        graph_.tensors[2].op = Op::mul_mat;
        graph_.tensors[2].src = {TensorId(0), TensorId(1)};
        graph_.nodes = {TensorId(2)};
        bound_ = BoundGraph(GraphView(graph_), places_);
        fill(type);
    }

    double seconds(int threads) {
        CpuBackend backend(device_);
        backend.set_threads(threads);
        return fastest([&] { backend.compute(bound_, graph_.nodes); });
    }
    std::uint64_t weight_bytes() const { return byte_size(graph_.tensors[0]); }

 private:
    void add(std::string name, ElementType type, Shape ne) {
        Tensor t;
        t.name = std::move(name);
        t.type = type;
        t.ne = ne;
        t.nb = contiguous_strides(type, ne);
        graph_.tensors.push_back(t);
        buffers_.push_back(device_.buffer_type().allocate(byte_size(t)));
        places_.push_back({buffers_.back().get(), 0, true});
    }

    void fill(ElementType type) {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        std::vector<float> row(static_cast<std::size_t>(kDepth));
        // One encoded row, repeated: encoding is not measured.
        for (float& v : row) v = normal(random);
        std::vector<std::byte> encoded(static_cast<std::size_t>(row_bytes(type, kDepth)), std::byte{0x11});
        if (can_encode(type)) quantise(type, row, encoded);
        for (std::int64_t r = 0; r < kRows; ++r) {
            buffers_[0]->write(static_cast<std::uint64_t>(r) * encoded.size(), encoded);
        }
        for (std::int64_t c = 0; c < graph_.tensors[1].ne[1]; ++c) {
            for (float& v : row) v = normal(random);
            buffers_[1]->write(static_cast<std::uint64_t>(c) * row.size() * sizeof(float),
                               std::as_bytes(std::span(row)));
        }
    }

    CpuDevice device_;
    Graph graph_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<TensorPlace> places_;
    BoundGraph bound_;
};

void run(int threads, const std::vector<std::string>& names) {
    fmt::print("{} threads, products of {} × {} weights with 1 and 128 columns\n", threads, kRows, kDepth);
    fmt::print("{:8} {:>8} {:>12} {:>10} {:>10}\n", "type", "GB/s", "of bandwidth", "GFLOP/s", "of F32 peak");
    bench::MachinePeak peak = bench::measure_peak(threads);
    for (const ElementTypeTraits& traits : element_types()) {
        const bool weights = traits.quantised
                                 ? can_decode(traits.type)
                                 : traits.type == ElementType::f32 || traits.type == ElementType::f16 ||
                                       traits.type == ElementType::bf16;
        const bool wanted =
            names.empty() || std::find(names.begin(), names.end(), traits.name) != names.end();
        if (!weights || !wanted) continue;
        Product one(traits.type, 1);
        Product many(traits.type, 128);
        const double rate = static_cast<double>(one.weight_bytes()) / one.seconds(threads);
        const double flops = 2.0 * kDepth * kRows * 128 / many.seconds(threads);
        // The roofs are the highest measured values: a busy moment can only lower a measurement.
        const bench::MachinePeak now = bench::measure_peak(threads);
        peak.bytes_per_second = std::max(peak.bytes_per_second, now.bytes_per_second);
        peak.flops = std::max(peak.flops, now.flops);
        fmt::print("{:8} {:>8.2f} {:>11.0f}% {:>10.1f} {:>10.0f}%\n", traits.name, rate / 1e9,
                   100 * rate / peak.bytes_per_second, flops / 1e9, 100 * flops / peak.flops);
        std::fflush(stdout);
    }
    fmt::print("memory {:.1f} GB/s, multiply-add in F32 {:.0f} GFLOP/s\n", peak.bytes_per_second / 1e9,
               peak.flops / 1e9);
}

}  // namespace
}  // namespace splitscope

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 2;
    splitscope::run(threads, std::vector<std::string>(argv + std::min(argc, 2), argv + argc));
    return 0;
}

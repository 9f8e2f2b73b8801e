// SPDX-License-Identifier: MIT
// Matrix products of the CPU backend for each weight type: streaming (one column) against the memory
// bandwidth, and tiled (128 columns) against the multiply-add peak, both measured here. Quantised types
// multiply bytes and may exceed the peak of floats. If the environment variable SPLITSCOPE_REFERENCE names
// the folder of the reference engine's libraries, its CPU computes the same products in turns; a ratio is not
// printed, and the exit code is 3, if other programs used the processors. Usage: compute_bench [threads]
// [type …]; without threads, one and two
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/cpu/cpu_backend.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/bench/machine_load.hpp"
#include "tests/bench/machine_peak.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/reference_library.hpp"

namespace splitscope::bench {
namespace {

constexpr std::int64_t kDepth = 4096;
constexpr std::int64_t kRows = 8192;
constexpr int kBusy = 3;

class Product {
 public:
    Product(ElementType type, const ReferenceProduct::Sizes& sizes, int threads)
        : backend_(device_), bound_(GraphView(graph_), places_) {
        backend_.set_threads(threads);
        add("weights", type, {sizes.depth, sizes.rows, 1, 1});
        add("x", ElementType::f32, {sizes.depth, sizes.columns, 1, 1});
        for (int i = 0; i < sizes.repeat; ++i) {
            add("out", ElementType::f32, {sizes.rows, sizes.columns, 1, 1});
            graph_.tensors.back().op = Op::mul_mat;
            graph_.tensors.back().src = {TensorId(0), TensorId(1)};
            graph_.nodes.emplace_back(graph_.tensors.size() - 1);
        }
        bound_ = BoundGraph(GraphView(graph_), places_);
        fill(type, sizes);
    }

    void compute() { backend_.compute(bound_, graph_.nodes); }

    std::span<const std::byte> weights() const { return weights_; }
    std::span<const float> x() const { return x_; }
    std::vector<float> result() const {
        std::vector<float> values(static_cast<std::size_t>(element_count(graph_.tensors.back())));
        buffers_.back()->read(0, std::as_writable_bytes(std::span(values)));
        return values;
    }

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

    void fill(ElementType type, const ReferenceProduct::Sizes& sizes) {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        std::vector<float> row(static_cast<std::size_t>(sizes.depth));
        // One encoded row, repeated: encoding is not measured.
        for (float& v : row) v = normal(random);
        std::vector<std::byte> encoded(static_cast<std::size_t>(row_bytes(type, sizes.depth)),
                                       std::byte{0x11});
        if (can_encode(type)) quantise(type, row, encoded);
        for (std::int64_t r = 0; r < sizes.rows; ++r) {
            weights_.insert(weights_.end(), encoded.begin(), encoded.end());
        }
        buffers_[0]->write(0, weights_);
        x_.resize(static_cast<std::size_t>(sizes.depth * sizes.columns));
        for (float& v : x_) v = normal(random);
        buffers_[1]->write(0, std::as_bytes(std::span(x_)));
    }

    CpuDevice device_;
    CpuBackend backend_;
    Graph graph_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<TensorPlace> places_;
    BoundGraph bound_;
    std::vector<std::byte> weights_;
    std::vector<float> x_;
};

/// Turns of both engines.
struct Measured {
    double seconds = 0;           ///< of Splitscope's product, the fastest turn
    std::optional<double> ratio;  ///< median of neighbouring turns; above 1 Splitscope is faster
    double others = 0;            ///< fraction of the processors that other programs used
};

/// Throws std::runtime_error if the results differ: then the times mean nothing.
void require_same(const std::vector<float>& ours, const std::vector<float>& theirs) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        difference += std::pow(double{ours[i]} - double{theirs[i]}, 2);
        size += std::pow(double{theirs[i]}, 2);
    }
    constexpr double kMost = 1e-3;
    if (!(difference <= kMost * size)) throw std::runtime_error("the engines' products differ");
}

Measured measure(ElementType type, std::int64_t columns, int threads, const ReferenceLibrary* reference) {
    // Several products in one graph, as in a model, so that starting threads hardly counts.
    const ReferenceProduct::Sizes sizes{kDepth, kRows, columns, columns == 1 ? 4 : 1};
    Product product(type, sizes, threads);
    std::optional<ReferenceProduct> theirs;
    if (reference != nullptr && reference->number_of(type) >= 0) {
        theirs.emplace(*reference, type, sizes, product.weights(), product.x(), threads);
        theirs->compute();
    }
    product.compute();
    std::vector<double> seconds;
    std::vector<double> ratios;
    const LoadWatch watch;
    constexpr int kTurns = 15;
    for (int turn = 0; turn < kTurns; ++turn) {
        seconds.push_back(seconds_of([&] { product.compute(); }) / sizes.repeat);
        if (theirs) {
            ratios.push_back(seconds_of([&] { theirs->compute(); }) / sizes.repeat / seconds.back());
        }
    }
    Measured measured{*std::ranges::min_element(seconds), {}, watch.others()};
    if (theirs) {
        require_same(product.result(), theirs->result());
        measured.ratio = median(ratios);
    }
    return measured;
}

std::string ratio_text(const Measured& measured) {
    if (!measured.ratio) return "";
    return measured.others <= LoadWatch::kMaxOthers ? fmt::format("{:.2f}", *measured.ratio) : "busy";
}

/// False if other programs used the processors.
bool run(int threads, const std::vector<std::string>& names, const ReferenceLibrary* reference) {
    fmt::print("{} threads, products of {} × {} weights with 1 and 128 columns\n", threads, kRows, kDepth);
    fmt::print("{:8} {:>8} {:>12} {:>10} {:>10}", "type", "GB/s", "of bandwidth", "GFLOP/s", "of F32 peak");
    fmt::print("{}\n", reference != nullptr ? "   ratios to the reference" : "");
    MachinePeak peak = measure_peak(threads);
    double others = 0;
    for (const ElementTypeTraits& traits : element_types()) {
        const bool weights = traits.quantised
                                 ? can_decode(traits.type)
                                 : traits.type == ElementType::f32 || traits.type == ElementType::f16 ||
                                       traits.type == ElementType::bf16;
        const bool wanted =
            names.empty() || std::find(names.begin(), names.end(), traits.name) != names.end();
        if (!weights || !wanted) continue;
        const Measured one = measure(traits.type, 1, threads, reference);
        const Measured many = measure(traits.type, 128, threads, reference);
        others = std::max({others, one.others, many.others});
        const double rate = static_cast<double>(row_bytes(traits.type, kDepth)) * kRows / one.seconds;
        const double flops = 2.0 * kDepth * kRows * 128 / many.seconds;
        // The roofs are the highest measured values: a busy moment can only lower a measurement.
        const MachinePeak now = measure_peak(threads);
        peak.bytes_per_second = std::max(peak.bytes_per_second, now.bytes_per_second);
        peak.flops = std::max(peak.flops, now.flops);
        fmt::print("{:8} {:>8.2f} {:>11.0f}% {:>10.1f} {:>10.0f}%  {:>6} {:>6}\n", traits.name, rate / 1e9,
                   100 * rate / peak.bytes_per_second, flops / 1e9, 100 * flops / peak.flops, ratio_text(one),
                   ratio_text(many));
        std::fflush(stdout);
    }
    fmt::print("memory {:.1f} GB/s, multiply-add in F32 {:.0f} GFLOP/s\n", peak.bytes_per_second / 1e9,
               peak.flops / 1e9);
    if (reference == nullptr || others <= LoadWatch::kMaxOthers) return true;
    fmt::print(stderr, "no ratios: other programs used up to {:.0f} % of the processors\n", others * 100);
    return false;
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    using namespace splitscope;
    const std::vector<int> threads =
        argc > 1 ? std::vector{std::max(1, std::atoi(argv[1]))} : std::vector{1, 2};
    const std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
    try {
        std::unique_ptr<bench::ReferenceLibrary> reference;
        if (const char* const folder = std::getenv("SPLITSCOPE_REFERENCE"); folder != nullptr)
            reference = std::make_unique<bench::ReferenceLibrary>(folder);
        bool quiet = true;
        for (const int count : threads) quiet = bench::run(count, names, reference.get()) && quiet;
        return quiet ? 0 : bench::kBusy;
    } catch (const std::runtime_error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: MIT
// log_bench [MIB]: opens a log of that size (default 100 MiB) with distinct graphs, and prints the time of
// opening and the latency of a stop request.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "engine/session/session.hpp"
#include "engine/support/error.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One decode of a model with 80 layers; the cache grows from graph to graph, so that all are distinct.
std::string decode(int number) {
    const auto tensor = [](const std::string& name, int kib, const char* backend) {
        return fmt::format("{:>20.20} ({:>4}K) [{:>5.5}         ]", name, kib, backend);
    };
    std::string text;
    int node = 0;
    constexpr int kLayers = 80;
    for (int layer = 0; layer < kLayers; ++layer) {
        const char* const backend = layer % 2 == 0 ? "Vulkan0" : "CPU";
        text +=
            fmt::format("\n## SPLIT #{}: {} # 1 inputs: [l_out-{} (  16K)] \n", layer, backend, layer - 1);
        for (int i = 0; i < 24; ++i, ++node) {
            text += fmt::format("node #{:>3} (   MUL_MAT): {} use=1,c=1: {} {}\n", node,
                                tensor(fmt::format("part{}-{}", i, layer), 16 + number % 9000, backend),
                                tensor(fmt::format("blk.{}.part{}.weight", layer, i), 4096, backend),
                                tensor(i == 0 ? fmt::format("{}#l_out-{}#0", backend, layer - 1)
                                              : fmt::format("part{}-{}", i - 1, layer),
                                       16, i == 0 ? "NULL" : backend));
        }
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    const std::uintmax_t size = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100) << 20U;
    const fs::path file = fs::temp_directory_path() / fmt::format("splitscope-log-bench-{}.log", size);
    {
        std::ofstream out(file, std::ios::binary);
        for (int number = 0; static_cast<std::uintmax_t>(out.tellp()) < size; ++number) out << decode(number);
    }
    const auto start = Clock::now();
    const auto opened = splitscope::open_file(file);
    const double took = seconds_since(start);
    fmt::print("{} MiB: opened in {:.2f} s, {} distinct graphs, {} nodes in the one shown\n", size >> 20U,
               took, opened->graphs.size(), opened->graph->nodes.size());

    std::stop_source stop;
    Clock::time_point asked;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::duration<double>(took / 2));
        asked = Clock::now();
        stop.request_stop();
    });
    try {
        splitscope::open_file(file, splitscope::JobContext(stop.get_token()));
        fmt::print("it was open before it could be stopped\n");
    } catch (const splitscope::Cancelled&) {
        fmt::print("stopped {:.1f} ms after it was asked to\n", seconds_since(asked) * 1000);
    }
    fs::remove(file);
    return 0;
}

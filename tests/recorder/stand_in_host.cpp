// SPDX-License-Identifier: MIT
// A program that schedules and computes graphs with the stand-in library; the argument is their number,
// default 1.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
int stand_in_backends(void** backends);
void* stand_in_graph();
void stand_in_grow();
void* ggml_backend_sched_new(void** backends, void** types, int count, std::size_t size, bool parallel,
                             bool offload);
bool ggml_backend_sched_alloc_graph(void* scheduler, void* graph);
int ggml_backend_sched_graph_compute(void* scheduler, void* graph);
}

int main(int count, char** arguments) {
    void* backends[2];
    const int used = stand_in_backends(backends);
    void* scheduler = ggml_backend_sched_new(backends, nullptr, used, 16, false, true);
    const int graphs = count > 1 ? std::atoi(arguments[1]) : 1;
    for (int graph = 0; graph < graphs; ++graph) {
        const bool allocated = ggml_backend_sched_alloc_graph(scheduler, stand_in_graph());
        std::printf("computed %d %d\n", allocated ? 1 : 0,
                    ggml_backend_sched_graph_compute(scheduler, stand_in_graph()));
        stand_in_grow();
    }
    return 0;
}

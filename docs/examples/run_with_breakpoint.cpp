// SPDX-License-Identifier: CC0-1.0
// run_with_breakpoint FILE PROMPT: runs a model, pauses after each layer and prints statistics of its values.
#include <iomanip>
#include <iostream>

#include <splitscope/splitscope.hpp>

int main(int argc, char** argv) try {
    using namespace splitscope;
    const Session session = open_with(argc > 1 ? argv[1] : sample_model_path());

    RunOptions options;
    options.prompt = argc > 2 ? argv[2] : "Once upon a time";
    options.tokens = 8;

    RunEvents events;
    Breakpoint end_of_layer;
    end_of_layer.kind = BreakpointKind::glob;
    end_of_layer.text = "l_out-*";
    events.breakpoints = {end_of_layer};
    int stops = 0;
    events.on_stop = [&](PausedRun& run) {
        const DebugStop& stop = run.stop();
        const TensorCapture values = run.tensor(text_of(stop.identity));
        const TensorStatistics statistics = tensor_statistics(values.tensor, values.bytes);
        std::cout << std::setprecision(3) << text_of(stop.identity) << " after " << stop.position << " of "
                  << stop.nodes << " nodes: " << statistics.min << " to " << statistics.max << ", "
                  << statistics.nan << " NaN\n";
        if (++stops == 1) return Go::step_node;  // stops after the next node, too
        return stops < 3 ? Go::on : Go::end;     // the end of the next layer is the third
    };
    const RunResult result = run(session, options, events);
    std::cout << stops << " stops" << (result.cancelled ? ", then ended" : "") << '\n';
    return 0;
} catch (const splitscope::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
}

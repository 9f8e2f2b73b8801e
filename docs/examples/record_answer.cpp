// SPDX-License-Identifier: CC0-1.0
// record_answer FILE TENSOR: why a tensor is where it is, decision by decision.
#include <iostream>

#include <splitscope/splitscope.hpp>

int main(int argc, char** argv) try {
    using namespace splitscope;
    Session session = open_with(argc > 1 ? argv[1] : sample_model_path());
    session.model_options.gpu_layers = 2;  // edit what was opened, then schedule it
    session.generation = Generation::g2026_08;

    const auto analysis = analyse(session);
    const Why answer = why(*analysis, argc > 2 ? argv[2] : "Qcur-3");
    std::cout << answer.identity << " is on " << (answer.backend.empty() ? "none" : answer.backend) << '\n';
    for (const WhyStep& step : answer.steps) {
        std::cout << "  pass " << name_of(step.pass) << ", " << (step.cause.empty() ? "no label" : step.cause)
                  << ": " << step.reason << '\n';
        if (!step.evidence.empty()) std::cout << "    " << step.evidence << '\n';
    }
    return 0;
} catch (const splitscope::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
}

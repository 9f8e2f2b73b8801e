// SPDX-License-Identifier: CC0-1.0
// schedule_file FILE [PRESET…]: where a model, graph or log runs, what is copied, and whether it fits.
#include <exception>
#include <iostream>

#include <splitscope/splitscope.hpp>

int main(int argc, char** argv) try {
    using namespace splitscope;
    OpenOptions options;
    for (int i = 2; i < argc; ++i) options.devices.emplace_back(argv[i]);  // such as rtx-3090 epyc-9654
    const Session session = open_with(argc > 1 ? argv[1] : sample_model_path(), options);

    const auto analysis = analyse(session);
    const Schedule& schedule = *analysis->schedule;
    std::cout << summarise(*analysis).line(schedule) << '\n';
    for (const Split& split : schedule.splits) {
        std::cout << schedule.machine->backends[split.backend.index()].name << ": nodes " << split.start
                  << " to " << split.end << ", " << split.inputs.size() << " inputs copied\n";
    }
    if (session.file->model) std::cout << english(plan(session).verdict.text()) << '\n';
    for (const Finding& finding : lint(session))
        std::cout << name_of(finding.severity) << ": " << english(finding.finding()) << '\n';
    // A failure of the scheduler is a result, not an exception.
    if (!schedule.error) return 0;
    std::cout << "ended early: " << english(schedule.error->message) << '\n';
    return 1;
} catch (const splitscope::Error& error) {
    std::cerr << error.what() << '\n';  // what, where, remedy in one line
    return 2;
}

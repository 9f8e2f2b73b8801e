// SPDX-License-Identifier: MIT
#include "engine/session/compare_generations.hpp"

#include <algorithm>

#include "engine/session/simulate.hpp"

namespace splitscope {
namespace {

std::shared_ptr<const Analysis> decided_by(const Analysis& other, Generation generation,
                                           const JobContext& job) {
    auto analysis = std::make_shared<Analysis>(other);
    analysis->session.generation = generation;
    Simulation simulation = simulate(other.graph, other.machine, generation, job);
    analysis->schedule = std::move(simulation.schedule);
    analysis->plan = std::move(simulation.plan);
    return analysis;
}

}  // namespace

ComparedGenerations compare_generations(const Session& session, Generation a, Generation b,
                                        const JobContext& job) {
    Session older = session;
    older.generation = std::min(a, b);
    const auto first = analyse(older, job);
    const auto second = decided_by(*first, std::max(a, b), job);
    ComparedGenerations compared;
    compared.a = a <= b ? first : second;
    compared.b = a <= b ? second : first;
    compared.comparison = compare(*compared.a->schedule, *compared.b->schedule, job);
    return compared;
}

}  // namespace splitscope

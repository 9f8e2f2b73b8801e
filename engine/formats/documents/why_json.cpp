// SPDX-License-Identifier: MIT
#include "engine/formats/documents/why_json.hpp"

#include <optional>
#include <utility>

#include "engine/formats/json_writer.hpp"
#include "engine/messages/render.hpp"
#include "engine/scheduler/explain.hpp"
#include "engine/session/decision_evidence.hpp"

namespace splitscope {

std::string write_why_json(const Analysis& analysis, std::span<const TensorId> tensors) {
    const Schedule& schedule = *analysis.schedule;
    const auto backend = [&](BackendId id) {
        return id.valid() ? std::optional(analysis.machine->backends[id.index()].name) : std::nullopt;
    };
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-why", 1);
        json.member("generation", name_of(schedule.generation));
        json.objects("tensors", tensors, [&](TensorId tensor) {
            json.member("tensor", tensor);
            json.member("name", text_of(analysis.identities->of(tensor)));
            json.member("backend", backend(schedule.backend[tensor.index()]));
            json.array("decisions", [&] {
                for (std::size_t i = 0; i < schedule.decisions.size(); ++i) {
                    const Decision& decision = schedule.decisions[i];
                    if (decision.tensor != tensor) continue;
                    json.object([&] {
                        json.member("decision", i + 1);
                        json.member("pass", name_of(decision.pass));
                        json.member("cause", label_of(decision.cause));
                        json.member("from", backend(decision.from));
                        json.member("to", backend(decision.to));
                        json.member("reason", english(explain(decision.cause)));
                        json.member("evidence", english(evidence_of(analysis, decision)));
                    });
                }
            });
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope

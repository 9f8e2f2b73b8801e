// SPDX-License-Identifier: MIT
#include "engine/formats/documents/verification_json.hpp"

#include <utility>

#include "engine/formats/json_writer.hpp"
#include "engine/messages/render.hpp"

namespace splitscope {

std::string write_verification_json(const std::vector<VerifiedGraph>& verified) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-verification", 1);
        json.array("graphs", [&] {
            for (const auto& entry : verified) {
                const ScheduleVerification& v = entry.verification;
                json.object([&] {
                    json.member("graph", entry.graph);
                    json.member("same", v.same());
                    json.member("first_difference", english(v.first));
                    json.member("tensors", v.tensors);
                    json.member("elsewhere", v.elsewhere);
                    json.member("our_splits", v.our_splits);
                    json.member("their_splits", v.their_splits);
                    json.member("our_copies", v.our_copies);
                    json.member("their_copies", v.their_copies);
                    json.array("compute_buffers", [&] {
                        for (const ScheduleVerification::Size& size : v.sizes) {
                            json.object([&] {
                                json.member("backend", size.backend);
                                json.member("ours", size.ours);
                                json.member("theirs", size.theirs);
                            });
                        }
                    });
                });
            }
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope

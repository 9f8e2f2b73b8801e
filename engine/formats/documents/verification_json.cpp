// SPDX-License-Identifier: MIT
#include "engine/formats/documents/verification_json.hpp"

#include <utility>

#include "engine/formats/json_writer.hpp"
#include "engine/messages/render.hpp"

namespace splitscope {

void write_verified(JsonWriter& json, std::string_view name, const std::vector<VerifiedGraph>& verified) {
    json.objects(name, verified, [&](const VerifiedGraph& entry) {
        const ScheduleVerification& v = entry.verification;
        json.member("graph", entry.graph);
        json.member("same", v.same());
        json.member("first_difference", english(v.first));
        json.member("tensors", v.tensors);
        json.member("elsewhere", v.elsewhere);
        json.member("our_splits", v.our_splits);
        json.member("their_splits", v.their_splits);
        json.member("our_copies", v.our_copies);
        json.member("their_copies", v.their_copies);
        json.objects("compute_buffers", v.sizes, [&](const ScheduleVerification::Size& size) {
            json.member("backend", size.backend);
            json.member("ours", size.ours);
            json.member("theirs", size.theirs);
        });
    });
}

std::string write_verification_json(const std::vector<VerifiedGraph>& verified) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-verification", 1);
        write_verified(json, "graphs", verified);
    });
    return std::move(json).take();
}

}  // namespace splitscope

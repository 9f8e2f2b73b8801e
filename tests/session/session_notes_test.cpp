// SPDX-License-Identifier: MIT
#include "engine/session/session_notes.hpp"

#include <cstddef>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/session/session_json.hpp"
#include "engine/support/error.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

std::string document() {
    return write_session_json(testing::sample_session(), sample_model_path().parent_path());
}

TEST(SessionNotes, AreStoredWithoutChangingTheSession) {
    const auto folder = sample_model_path().parent_path();
    EXPECT_EQ(write_session_json(SavedSession{testing::sample_session(), {}, {}}, folder), document());
    EXPECT_TRUE(parse_saved_session_json(document(), folder, "test").notes.empty());
    const SessionNotes notes{{{"ffn_out-1", "why \"here\"?"}, {"Kcur-0", ""}},
                             {{StopKind::cause, "3.upg", true}, {StopKind::tensor, "ffn_out-1", false}}};
    const std::string text = write_session_json(SavedSession{testing::sample_session(), notes, {}}, folder);
    const SavedSession saved = parse_saved_session_json(text, folder, "test");
    EXPECT_EQ(saved.notes, notes);
    EXPECT_EQ(write_session_json(saved, folder), text);
    const Session again = parse_session_json(text, folder, "test");
    EXPECT_EQ(again.machine, testing::sample_session().machine);
}

TEST(SessionNotes, NamesWrongValues) {
    const auto refusal = [](const char* member, const char* value) {
        auto json = nlohmann::ordered_json::parse(document());
        json[member] = nlohmann::ordered_json::parse(value);
        try {
            parse_saved_session_json(json.dump(), sample_model_path().parent_path(), "test");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal("bookmarks", "3").find("/bookmarks"), std::string::npos);
    EXPECT_NE(refusal("bookmarks", R"([{"note": "x"}])").find("/bookmarks/0: member \"tensor\" is missing"),
              std::string::npos);
    EXPECT_NE(refusal("bookmarks", R"([7])").find("/bookmarks/0"), std::string::npos);
    EXPECT_NE(refusal("decision_stops", R"([{"kind": "x", "text": ""}])").find("/decision_stops/0/kind"),
              std::string::npos);
    EXPECT_NE(refusal("decision_stops", R"([{"kind": "cause", "text": "x", "enabled": 1}])").find("/enabled"),
              std::string::npos);
}

TEST(DecisionStops, StopAfterTheirDecision) {
    const auto analysis = analyse(testing::sample_session());
    const Schedule& schedule = *analysis->schedule;
    const auto& decisions = schedule.decisions;
    for (const DecisionStop& stop :
         {DecisionStop{StopKind::cause, "1.wgt", true},
          DecisionStop{StopKind::tensor, (*analysis->graph)[analysis->graph->nodes[7]].name, true},
          DecisionStop{StopKind::backend, analysis->machine->backends[0].name, true}}) {
        std::vector<std::size_t> expected;
        for (std::size_t d = 0; d < decisions.size(); ++d) {
            if (stops_at(stop, schedule, decisions[d])) expected.push_back(d + 1);
        }
        ASSERT_FALSE(expected.empty()) << stop.text;
        std::vector<std::size_t> met;
        std::size_t at = 0;
        while (const auto next = next_stop(schedule, {&stop, 1}, at, decisions.size())) {
            met.push_back(*next);
            at = *next;
        }
        EXPECT_EQ(met, expected) << stop.text;
        at = decisions.size() + 1;
        while (const auto before = previous_stop(schedule, {&stop, 1}, at)) {
            at = *before;
            EXPECT_EQ(at, met.back());
            met.pop_back();
        }
        EXPECT_TRUE(met.empty());
    }
    const DecisionStop off{StopKind::cause, "1.wgt", false};
    EXPECT_FALSE(next_stop(schedule, {&off, 1}, 0, decisions.size()));
    const DecisionStop unknown{StopKind::tensor, "no such tensor", true};
    EXPECT_FALSE(next_stop(schedule, {&unknown, 1}, 0, decisions.size()));
}

TEST(DecisionStops, DistinguishTensorsOfOneName) {
    const auto analysis = analyse(testing::sample_session());
    const Schedule& schedule = *analysis->schedule;
    for (const TensorId tensor : analysis->identities->all("Qcur-1")) {
        const DecisionStop stop{StopKind::tensor, text_of(analysis->identities->of(tensor)), true};
        std::size_t met = 0;
        for (std::size_t d = 0; d < schedule.decisions.size(); ++d) {
            const Decision& decision = schedule.decisions[d];
            const bool meant = decision.tensor == tensor && decision.to.valid();
            EXPECT_EQ(stops_at(stop, schedule, decision), meant) << stop.text;
            met += meant ? 1 : 0;
        }
        EXPECT_GT(met, 0U) << stop.text;
    }
}

TEST(DecisionStops, ManyStopAtTheFirstMatch) {
    const auto analysis = analyse(testing::sample_session());
    const Schedule& schedule = *analysis->schedule;
    const std::string tensor = (*analysis->graph)[analysis->graph->nodes[7]].name;
    const std::string backend = analysis->machine->backends[0].name;
    std::vector<DecisionStop> stops;
    for (std::size_t i = 0; i < 3000; ++i) {
        for (const StopKind kind : {StopKind::tensor, StopKind::cause, StopKind::backend})
            stops.push_back({kind, "none " + std::to_string(i), true});
    }
    stops.insert(stops.begin() + 1000, {StopKind::tensor, tensor, true});
    stops.insert(stops.begin() + 2000, {StopKind::cause, "1.wgt1", true});
    stops.push_back({StopKind::backend, backend, true});
    stops.push_back({StopKind::cause, "1.wgt", false});
    stops.push_back({StopKind::cause, "", true});
    std::size_t count = 0;
    for (std::size_t d = 0; d < schedule.decisions.size(); ++d) {
        const Decision& decision = schedule.decisions[d];
        const bool meant = label_of(decision.cause) == "1.wgt1" ||
                           (decision.to.valid() &&
                            (schedule.tensor(decision.tensor).name == tensor ||
                             (decision.from != decision.to && decision.to == BackendId(std::size_t{0}))));
        EXPECT_EQ(next_stop(schedule, stops, d, d + 1).has_value(), meant) << d;
        EXPECT_EQ(previous_stop(schedule, stops, d + 2) == d + 1, meant) << d;
        if (meant) ++count;
    }
    EXPECT_GT(count, 0U);
    EXPECT_LT(count, schedule.decisions.size());
}

}  // namespace
}  // namespace splitscope

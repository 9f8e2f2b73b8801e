// SPDX-License-Identifier: MIT
#include "engine/attach/stop_condition.hpp"

#include <gtest/gtest.h>

#include "engine/attach/program_profile.hpp"
#include "engine/support/error.hpp"

namespace splitscope::test {
namespace {

TEST(StopCondition, SurvivesARoundTrip) {
    const StopCondition node = StopCondition::parse("l_out-2,graph=3,hits=2");
    EXPECT_EQ(node.breakpoint.kind, BreakpointKind::node);
    EXPECT_EQ(node.breakpoint.text, "l_out-2");
    EXPECT_EQ(node.breakpoint.computation, 3U);
    EXPECT_EQ(node.breakpoint.ignored, 1U);
    const StopCondition pattern = StopCondition::parse("ffn_*,split=1");
    EXPECT_EQ(pattern.breakpoint.kind, BreakpointKind::glob);
    EXPECT_EQ(pattern.breakpoint.split, 1U);
    EXPECT_EQ(StopCondition::parse("tokens=1").tokens, 1U);
    EXPECT_EQ(StopCondition::parse("op=mul_mat").breakpoint.kind, BreakpointKind::op);
    EXPECT_EQ(StopCondition::parse("backend=Vulkan0").breakpoint.text, "Vulkan0");
    EXPECT_EQ(StopCondition::parse("not-finite").breakpoint.kind, BreakpointKind::not_finite);
    const StopCondition range = StopCondition::parse("outside=-1e3..2.5");
    EXPECT_EQ(range.breakpoint.outside->first, -1000.0);
    EXPECT_EQ(range.breakpoint.outside->second, 2.5);
    EXPECT_EQ(range.breakpoint.text, "*");
}

TEST(StopCondition, RefusesInvalidText) {
    for (const char* text : {"", ",", "a,b", "op=", "op=NO_SUCH", "op=VIEW", "a,graph=0", "a,graph=x",
                             "a,hits=0", "a,outside=1", "a,outside=1..x", "a,split=-1", "hits=2",
                             "a,tokens=0", "a,outside=2..1", "a,outside=nan..1", "a,op=ADD"}) {
        EXPECT_THROW(StopCondition::parse(text), Error) << text;
    }
}

TEST(StopCondition, RefusesUnknownKeys) {
    try {
        StopCondition::parse("opp=MUL_MAT");
        ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("unknown key 'opp'"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("op=OP"), std::string::npos) << error.what();
    }
    EXPECT_THROW(StopCondition::parse("l_out-2,tokenz=1"), Error);
    EXPECT_EQ(StopCondition::parse("Qcur-0 = x").breakpoint.text, "Qcur-0 = x") << "a name";
}

TEST(StopCondition, NarrowsBreakpoints) {
    Breakpoint breakpoint;
    breakpoint.text = "l_out-2";
    EXPECT_EQ(limits_of(breakpoint), "");
    const Breakpoint narrowed = with_limits(breakpoint, "graph=3, split=1,hits=2,outside=-1.5..2");
    EXPECT_EQ(narrowed.text, "l_out-2");
    EXPECT_EQ(narrowed.computation, 3U);
    EXPECT_EQ(narrowed.ignored, 1U);
    EXPECT_EQ(limits_of(narrowed), "graph=3,split=1,hits=2,outside=-1.5..2");
    EXPECT_EQ(with_limits(narrowed, ""), breakpoint);
    for (const char* text : {"x", "graph=0", "tokens=1", "op=ADD", "hits=", "outside=1"})
        EXPECT_THROW(with_limits(breakpoint, text), Error) << text;
}

TEST(ProgramProfile, DetectsLayersByName) {
    EXPECT_EQ(layer_of("ffn_up-12"), 12);
    EXPECT_EQ(layer_of("Kcur-3 (reshaped)"), 3);
    EXPECT_FALSE(layer_of("result_norm"));
    EXPECT_FALSE(layer_of("node_52"));
    EXPECT_FALSE(layer_of("x-"));
    EXPECT_FALSE(layer_of("x-1y"));
}

}  // namespace
}  // namespace splitscope::test

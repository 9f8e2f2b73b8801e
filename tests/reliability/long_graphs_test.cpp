// SPDX-License-Identifier: MIT
// The deepest possible chains, through everything: no recursion over the depth of a graph, no quadratic time
// in its size. SPLITSCOPE_CHAIN sets the length.
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include "engine/formats/schedule_json.hpp"
#include "engine/reports/render.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/scheduler/hazards.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/session.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope::testing {
namespace {

std::size_t chain_length() {
    const char* wish = std::getenv("SPLITSCOPE_CHAIN");
    return wish != nullptr ? std::strtoull(wish, nullptr, 10) : 50'000;
}

/// Attributes of a thread with a stack smaller than one call per node of a chain, at sixteen bytes each.
class SmallStack {
 public:
    SmallStack() {
        constexpr std::size_t kBytes = std::size_t{kUnderSanitizer ? 4096 : 512} << 10;
        EXPECT_EQ(::pthread_attr_init(&attributes_), 0);
        EXPECT_EQ(::pthread_attr_setstacksize(&attributes_, kBytes), 0);
    }
    ~SmallStack() { ::pthread_attr_destroy(&attributes_); }
    SmallStack(const SmallStack&) = delete;
    SmallStack& operator=(const SmallStack&) = delete;

    const pthread_attr_t* attributes() const { return &attributes_; }

 private:
    pthread_attr_t attributes_{};
};

/// On a separate thread, joined before this returns. A stack overflow ends the program.
void on_a_small_stack(std::function<void()> work) {
    const SmallStack stack;
    const auto run = [](void* given) -> void* {
        try {
            (*static_cast<std::function<void()>*>(given))();
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
        return nullptr;
    };
    pthread_t thread{};
    ASSERT_EQ(::pthread_create(&thread, stack.attributes(), run, &work), 0);
    ASSERT_EQ(::pthread_join(thread, nullptr), 0);
}

/// Each node reads the previous one; with `views` every other one is a view, otherwise all add.
std::string chain(std::size_t length, bool views) {
    std::string text = R"({"format":"splitscope-graph","version":1,"name":"chain","tensors":[)"
                       R"({"name":"x","type":"f32","ne":[8,1,1,1],"nb":[4,32,32,32],"op":"NONE"})";
    std::string nodes;
    std::size_t base = 0;
    for (std::size_t i = 1; i <= length; ++i) {
        const bool view = views && i % 2 == 0;
        text += fmt::format(
            R"(,{{"name":"n{}","type":"f32","ne":[8,1,1,1],"nb":[4,32,32,32],"op":"{}","src":[{}{}])", i,
            view ? "VIEW" : "ADD", i - 1, view ? "" : fmt::format(",{}", i - 1));
        if (view) text += fmt::format(R"(,"view_src":{},"view_offs":0)", base);
        text += '}';
        if (!view) base = i;
        nodes += fmt::format("{}{}", i == 1 ? "" : ",", i);
    }
    return text + "],\"nodes\":[" + nodes + "],\"leafs\":[0]}";
}

void use(const std::string& text, Generation generation) {
    const test::TemporaryFile file(text, ".graph.json");
    Session session = open_session(file.path());
    session.generation = generation;
    const auto analysis = analyse(session);
    const Schedule& schedule = *analysis->schedule;
    ASSERT_FALSE(schedule.error) << schedule.error->message;
    ASSERT_FALSE(analysis->plan->error);
    EXPECT_EQ(schedule.graph->nodes.size(), chain_length());
    EXPECT_FALSE(write_schedule_json(schedule, *analysis->plan).empty());
    EXPECT_FALSE(debug_log(schedule).empty());
    EXPECT_TRUE(find_hazards(schedule, *analysis->plan).empty());
    Replay replay(analysis->schedule);
    replay.seek(schedule.decisions.size());
    EXPECT_EQ(replay.backend(), schedule.backend);
    for (const ReportFormat format : {ReportFormat::html, ReportFormat::json})
        EXPECT_FALSE(render(make_report(*analysis, nullptr, options_for(format)), format).empty());
}

TEST(LongGraphs, ChainPassesEveryStage) {
    on_a_small_stack([] { use(chain(chain_length(), false), Generation::g2026_08); });
}

TEST(LongGraphs, ChainOfViewsPassesAnEarlyGeneration) {
    on_a_small_stack([] { use(chain(chain_length(), true), Generation::g2024_10); });
}

TEST(LongGraphs, NestedViewsAreCollapsed) {
    const std::size_t length = chain_length();
    std::string text = R"({"format":"splitscope-graph","version":1,"tensors":[)"
                       R"({"name":"x","type":"f32","ne":[8,1,1,1],"nb":[4,32,32,32],"op":"NONE"})";
    // In reverse order: each views the next one in the file.
    for (std::size_t i = 1; i <= length; ++i) {
        text += fmt::format(R"(,{{"name":"v{0}","type":"f32","ne":[8,1,1,1],"nb":[4,32,32,32],"op":"VIEW",)"
                            R"("src":[{1}],"view_src":{1}}})",
                            i, i == length ? 0 : i + 1);
    }
    const test::TemporaryFile file(text + "],\"nodes\":[],\"leafs\":[0]}", ".graph.json");
    on_a_small_stack([&] {
        const Session session = open_session(file.path());
        for (std::size_t i = 1; i <= length; ++i)
            ASSERT_EQ(session.file->graph->tensors[i].view_src, TensorId(std::size_t{0}));
    });
}

}  // namespace
}  // namespace splitscope::testing

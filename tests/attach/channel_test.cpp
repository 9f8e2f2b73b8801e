// SPDX-License-Identifier: MIT
// Both ends of the channel against malformed messages.
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/attach/program_view.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "recorder/channel_protocol.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

using channel::BodyWriter;
using channel::Kind;

std::string hello(std::string_view token, std::uint32_t version = channel::kVersion) {
    BodyWriter body;
    body.put(version);
    body.put_text(token);
    body.put(std::int32_t{1234});
    return channel::frame(Kind::hello, body.take());
}

std::string recording(int number = 0) {
    std::string text =
        "splitscope-recording 1\nlibrary 1.0 abc\nlayout 256\ngeneration 2026-08\nbuffer_type 0 32 0 1 CPU\n"
        "scheduler 0 0 1 1\nbackend 0 0 0 0 CPU\ngraph " +
        std::to_string(number) + " 0 decode\n";
    const auto tensor = [&](std::string_view name, std::string_view op, int source, int flags) {
        text += "tensor f32 " + std::string(op) + " " + std::to_string(flags) +
                " -1 -1 0 4 1 1 1 4 16 16 16 " + std::to_string(source) + " -1 -1 -1 -1 -1 -1 -1 -1 -1";
        for (int i = 0; i < 16; ++i) text += " 0";
        text += " " + std::string(name) + "\n";
    };
    tensor("input", "NONE", -1, 1);
    tensor("square", "SQR", 0, 0);
    tensor("root", "SQRT", 1, 0);
    text += "shape 1 2 1\ntakes 0 0\nsupports 0 11\noffloads 0 00\ndecided 0 0 0\nsplit 0 0 2\nend\n";
    return text;
}

ProgramView attached() {
    ProgramView view("token");
    view.take(hello("token"));
    view.take(channel::frame(Kind::text, recording()));
    return view;
}

std::string stopped(std::int32_t graph, std::int32_t tensor) {
    BodyWriter body;
    body.put(std::uint64_t{1});
    body.put(graph);
    body.put(tensor);
    body.put(std::uint32_t{1});
    body.put(channel::PauseReason::step);
    body.put(std::uint32_t{0});
    body.put(std::uint64_t{0});
    body.put(std::int64_t{5});
    return channel::frame(Kind::stopped, body.take());
}

TEST(ProgramView, AcceptsTheToken) {
    ProgramView view("token");
    const std::string answer = view.take(hello("token"));
    EXPECT_TRUE(view.is_attached());
    channel::FrameReader frames;
    frames.add(answer);
    const auto welcome = frames.next();
    ASSERT_TRUE(welcome);
    EXPECT_EQ(welcome->kind, Kind::welcome);
}

TEST(ProgramView, RefusesAWrongToken) {
    for (const std::string& message :
         {hello("toke"), hello("tokem"), hello(""), hello("token", channel::kVersion + 1), stopped(0, 0),
          hello("token") + hello("token"), std::string("\xff\xff\xff\xff\x01\0\0\0", 8)}) {
        ProgramView view("token");
        EXPECT_THROW(view.take(message), Error);
    }
}

TEST(ProgramView, ReadsGraphsInAnyPieces) {
    const std::string text = recording();
    ProgramView view("token");
    view.take(hello("token"));
    for (const char c : text) {
        const std::string message = channel::frame(Kind::text, std::string_view(&c, 1));
        view.take(message.substr(0, 5));
        view.take(message.substr(5));
    }
    ASSERT_EQ(view.graphs().size(), 1U);
    EXPECT_EQ(view.graphs()[0]->graph->nodes.size(), 2U);
    EXPECT_EQ(view.graphs()[0]->backend_name(TensorId(std::size_t{1})), "CPU");
}

TEST(ProgramView, StopsOnlyInGraphs) {
    ProgramView view = attached();
    view.take(stopped(0, 2));
    ASSERT_TRUE(view.stop());
    EXPECT_EQ((*view.stop()->graph->graph)[view.stop()->tensor].name, "root");
    for (const auto& [graph, tensor] :
         {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 3), std::pair(0, 1 << 30)}) {
        ProgramView other = attached();
        EXPECT_THROW(other.take(stopped(graph, tensor)), Error) << graph << " " << tensor;
    }
}

TEST(ProgramView, TakesStrayWrites) {
    const auto message = [](std::int32_t graph, std::int32_t node, std::int32_t tensor,
                            std::int64_t distance) {
        BodyWriter body;
        body.put(std::uint64_t{1});
        body.put(graph);
        body.put(node);
        body.put(tensor);
        body.put(std::int32_t{-1});
        body.put(std::uint64_t{8});
        body.put(std::uint64_t{4});
        body.put(distance);
        return channel::frame(Kind::stray_write, body.take());
    };
    ProgramView view = attached();
    view.take(message(0, 2, 1, channel::kNotNearby));
    view.take(message(0, 2, -1, 64));
    // Of a graph that was dropped, and of no node.
    view.take(message(7, 2, 1, 0));
    view.take(message(0, 99, 1, 0));
    const std::vector<StrayWrite> writes = view.take_stray_writes();
    ASSERT_EQ(writes.size(), 2U);
    EXPECT_EQ(writes[0].node, TensorId(std::size_t{2}));
    EXPECT_EQ(writes[0].tensor, TensorId(std::size_t{1}));
    EXPECT_EQ(writes[0].operand, std::nullopt);
    EXPECT_EQ(writes[0].distance, std::nullopt);
    EXPECT_EQ(writes[0].offset, 8U);
    EXPECT_FALSE(writes[1].tensor.valid());
    EXPECT_EQ(writes[1].distance, 64);
    EXPECT_TRUE(view.take_stray_writes().empty());
    EXPECT_THROW(view.take(channel::frame(Kind::stray_write, "short")), Error);
}

TEST(ProgramView, DropsTheGraphThatWasNotUsedForLongest) {
    ProgramView view("token");
    view.take(hello("token"));
    constexpr int kGraphs = 2 * static_cast<int>(kMaxAlikeGraphs);
    for (int number = 0; number < kGraphs; ++number) {
        // Only the first recording has the lines that all graphs refer to.
        const std::string text = recording(number);
        const std::string block = number == 0 ? text : text.substr(text.find("graph "));
        view.take(channel::frame(Kind::text, block));
        view.take(stopped(0, 2));
        ASSERT_TRUE(view.stop()) << number;
        EXPECT_EQ(view.stop()->graph->number, 0);
    }
    EXPECT_EQ(view.graphs().size(), kMaxAlikeGraphs);
    view.clear_stop();
    // A program that stops in a dropped graph continues.
    channel::FrameReader frames;
    frames.add(view.take(stopped(1, 2)));
    const auto answer = frames.next();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->kind, Kind::resume);
    EXPECT_FALSE(view.stop());
}

TEST(ProgramView, RefusesTruncatedOrOversizedBodies) {
    // Every message of the program: complete, without its last byte, and with an extra byte.
    const std::string whole = stopped(0, 2);
    for (const int change : {-1, 1}) {
        std::string body = whole.substr(8);
        body.resize(body.size() + static_cast<std::size_t>(change));
        ProgramView view = attached();
        EXPECT_THROW(view.take(channel::frame(Kind::stopped, body)), Error);
    }
    BodyWriter events;
    events.put(std::uint64_t{1});
    events.put(std::int32_t{0});
    events.put(std::uint32_t{1U << 31});  // more than there are
    ProgramView view = attached();
    EXPECT_THROW(view.take(channel::frame(Kind::events, events.take())), Error);
    ProgramView unknown = attached();
    EXPECT_THROW(unknown.take(channel::frame(static_cast<Kind>(63), {})), Error);
}

TEST(ProgramView, CompilesConditionsIntoAPlan) {
    ProgramView view = attached();
    std::vector<StopCondition> conditions = {StopCondition::parse("root,hits=3"),
                                             StopCondition::parse("input"),
                                             StopCondition::parse("no such node")};
    for (std::size_t i = 0; i < conditions.size(); ++i) conditions[i].breakpoint.id = static_cast<int>(i) + 1;
    view.set_conditions(conditions);
    BodyWriter asked;
    asked.put(std::uint32_t{1});
    asked.put(std::int32_t{0});
    channel::FrameReader frames;
    frames.add(view.take(channel::frame(Kind::plan_requested, asked.take())));
    const auto plan = frames.next();
    ASSERT_TRUE(plan);
    channel::BodyReader body(plan->body);
    EXPECT_EQ(body.get<std::uint32_t>(), 1U);
    EXPECT_EQ(body.get<std::int32_t>(), 0);
    ASSERT_EQ(body.get<std::uint32_t>(), 2U);
    const auto read = [&](std::uint32_t id, std::uint64_t ignored, std::string_view nodes) {
        EXPECT_EQ(body.get<std::uint32_t>(), id);
        EXPECT_EQ(body.get<channel::Values>(), channel::Values::any);
        body.get<double>();
        body.get<double>();
        EXPECT_EQ(body.get<std::uint64_t>(), 0U);
        EXPECT_EQ(body.get<std::uint64_t>(), ignored);
        EXPECT_EQ(body.get_text(), nodes);
    };
    read(1, 2, "\x02");
    read(2, 0, "\x01");  // the first node that reads it
    EXPECT_TRUE(body.whole());
}

/// A debugger that sends one message to a program and checks that the program survives.
class LyingDebugger {
 public:
    explicit LyingDebugger(std::string words) : words_(std::move(words)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path_ = (folder_.path() / "s").string();
        std::strncpy(address.sun_path, path_.c_str(), sizeof(address.sun_path) - 1);
        listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        EXPECT_EQ(::listen(listening_, 1), 0);
        talk_ = std::jthread([this] {
            const int peer = ::accept(listening_, nullptr, nullptr);
            if (peer < 0) return;
            ::send(peer, words_.data(), words_.size(), MSG_NOSIGNAL);
            ::shutdown(peer, SHUT_WR);
            std::array<char, 4096> heard{};
            while (::recv(peer, heard.data(), heard.size(), 0) > 0) {
            }
            ::close(peer);
        });
    }
    ~LyingDebugger() {
        ::shutdown(listening_, SHUT_RDWR);
        talk_.join();
        ::close(listening_);
    }
    LyingDebugger(const LyingDebugger&) = delete;
    LyingDebugger& operator=(const LyingDebugger&) = delete;

    Outcome run() {
        Start start;
        start.environment["LD_PRELOAD"] = (std::filesystem::path(SPLITSCOPE_PROGRAMS).parent_path() /
                                           "lib/splitscope/preload/libsplitscope_recorder.so")
                                              .string();
        start.environment[channel::kSocketVariable] = path_;
        start.environment[channel::kTokenVariable] = "token";
        return run_program((std::filesystem::path(SPLITSCOPE_PROGRAMS) / "stand_in_host_plain").string(),
                           {"3"}, start);
    }

 private:
    TemporaryFolder folder_;
    std::string words_;
    std::string path_;
    int listening_ = -1;
    std::jthread talk_;
};

TEST(Agent, RunsOnAnyGivenBackends) {
    BodyWriter welcome;
    welcome.put(channel::kVersion);
    const std::string fine = channel::frame(Kind::welcome, welcome.take());
    BodyWriter plan;
    plan.put(std::uint32_t{1});
    plan.put(std::int32_t{0});
    plan.put(std::uint32_t{0xFFFFFFFF});
    BodyWriter epoch;
    epoch.put(std::uint32_t{1});
    const std::string asks = fine + channel::frame(Kind::epoch, epoch.take());
    for (const std::string& words :
         {std::string(), std::string("nonsense that is no message"),
          std::string("\xff\xff\xff\xff\x40\0\0\0", 8), channel::frame(Kind::welcome, "too short"), fine,
          fine + channel::frame(Kind::resume, "x"), fine + channel::frame(Kind::read, {}),
          fine + channel::frame(static_cast<Kind>(99), "y"), asks,
          asks + channel::frame(Kind::plan, plan.take()),
          fine + channel::frame(Kind::write, std::string(100, '\xff'))}) {
        LyingDebugger debugger(words);
        const Outcome outcome = debugger.run();
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, "computed 1 7\ncomputed 1 7\ncomputed 1 7\n");
    }
}

}  // namespace
}  // namespace splitscope::test

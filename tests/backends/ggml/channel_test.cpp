// SPDX-License-Identifier: MIT
// Invalid messages at both ends of the channel.
#include <array>
#include <cstring>
#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "backends/ggml/file_of_memory.hpp"
#include "backends/ggml/message_socket.hpp"
#include "backends/ggml/shared_memory.hpp"
#include "engine/support/file.hpp"

namespace splitscope::ggml {
namespace {

struct Pair {
    Pair() {
        std::array<int, 2> ends{};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        a.emplace(Descriptor(ends[0]));
        b.emplace(Descriptor(ends[1]));
    }
    std::optional<MessageSocket> a;
    std::optional<MessageSocket> b;
};

TEST(EngineChannel, DeliversAMessageWithItsDescriptor) {
    Pair pair;
    const SharedMemory memory = SharedMemory::make("test", 4096);
    memory.bytes()[17] = std::byte{42};
    ASSERT_TRUE(pair.a->send(Kind::allocate, "body", memory.descriptor()));
    ASSERT_TRUE(pair.a->send(Kind::done, ""));
    auto message = pair.b->receive();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->kind, Kind::allocate);
    EXPECT_EQ(message->body, "body");
    const SharedMemory same = SharedMemory::map(std::move(message->descriptor), 0, 4096, true);
    ASSERT_FALSE(same.bytes().empty());
    EXPECT_EQ(same.bytes()[17], std::byte{42});
    message = pair.b->receive();
    ASSERT_TRUE(message);
    EXPECT_FALSE(message->descriptor.is_open());
}

TEST(EngineChannel, ClosesOnInvalidLengths) {
    Pair pair;
    const std::array<std::uint32_t, 2> head = {kMaxBody + 1, 16};
    ASSERT_EQ(::send(pair.a->descriptor(), head.data(), sizeof head, 0), static_cast<ssize_t>(sizeof head));
    EXPECT_FALSE(pair.b->receive());
    EXPECT_FALSE(pair.b->is_open());
    EXPECT_FALSE(pair.b->send(Kind::done, ""));
}

TEST(EngineChannel, ClosesOnEndOfFileWithinAMessage) {
    Pair pair;
    const std::array<std::uint32_t, 2> head = {100, 16};
    ASSERT_EQ(::send(pair.a->descriptor(), head.data(), sizeof head, 0), static_cast<ssize_t>(sizeof head));
    pair.a.reset();
    EXPECT_FALSE(pair.b->receive());
}

TEST(EngineChannel, DoesNotMapBeyondTheEnd) {
    const SharedMemory memory = SharedMemory::make("test", 4096);
    EXPECT_TRUE(SharedMemory::map(Descriptor(::dup(memory.descriptor())), 0, 4097, true).bytes().empty());
    EXPECT_TRUE(SharedMemory::map(Descriptor(::dup(memory.descriptor())), 4096, 1, true).bytes().empty());
    EXPECT_TRUE(SharedMemory::map(Descriptor(), 0, 1, true).bytes().empty());
}

WireGraph small_graph() {
    WireGraph graph;
    graph.tensors.resize(2);
    for (WireTensor& t : graph.tensors) t.sources.fill(kNoTensor);
    graph.tensors[1].sources[0] = 0;
    graph.tensors[1].name = "y";
    graph.nodes = {1};
    return graph;
}

std::string bytes_of(const WireGraph& graph) {
    channel::BodyWriter out;
    put(out, graph);
    return out.take();
}

bool is_sound(const std::string& bytes) {
    channel::BodyReader in(bytes);
    get_graph(in);
    return in.whole();
}

TEST(EngineChannel, GraphsReferOnlyBackwardsOrToThemselves) {
    EXPECT_TRUE(is_sound(bytes_of(small_graph())));
    // A conversion has itself as a source.
    WireGraph itself = small_graph();
    itself.tensors[1].sources[1] = 1;
    EXPECT_TRUE(is_sound(bytes_of(itself)));
    WireGraph later = small_graph();
    later.tensors[0].sources[0] = 1;
    EXPECT_FALSE(is_sound(bytes_of(later)));
    WireGraph view = small_graph();
    view.tensors[0].view_source = 1;
    EXPECT_FALSE(is_sound(bytes_of(view)));
    WireGraph below = small_graph();
    below.tensors[1].sources[3] = -2;
    EXPECT_FALSE(is_sound(bytes_of(below)));
    WireGraph beyond = small_graph();
    beyond.nodes = {2};
    EXPECT_FALSE(is_sound(bytes_of(beyond)));
}

TEST(EngineChannel, RefusesTruncatedGraphs) {
    const std::string whole = bytes_of(small_graph());
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(is_sound(whole.substr(0, length))) << length;
    EXPECT_FALSE(is_sound(whole + "x"));
}

TEST(EngineChannel, DeliversFactsUnchanged) {
    EngineFacts facts;
    facts.version = "0.1";
    facts.ops = {"NONE", "ADD"};
    facts.buffer_types = {{"CPU", 32, 1U << 30, true}};
    DeviceFacts device;
    device.name = "CPU";
    device.events = true;
    device.reads = {true};
    device.offload_batch = 32;
    facts.devices = {device};
    channel::BodyWriter out;
    put(out, facts);
    const std::string bytes = out.take();
    channel::BodyReader in(bytes);
    const EngineFacts same = get_facts(in);
    EXPECT_TRUE(in.whole());
    EXPECT_EQ(same.ops, facts.ops);
    EXPECT_EQ(same.buffer_types.at(0).alignment, 32U);
    EXPECT_TRUE(same.devices.at(0).events);
    EXPECT_FALSE(same.devices.at(0).async);
    EXPECT_EQ(same.devices.at(0).offload_batch, 32U);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        channel::BodyReader cut(std::string_view(bytes).substr(0, length));
        get_facts(cut);
        EXPECT_FALSE(cut.whole()) << length;
    }
}

TEST(EngineChannel, FindsTheFileOfAMapping) {
    const MappedFile mapped("/proc/self/exe");
    const auto place = file_of_memory(mapped.bytes());
    ASSERT_TRUE(place);
    EXPECT_EQ(place->offset, 0U);
    EXPECT_TRUE(std::filesystem::equivalent(place->file, "/proc/self/exe"));
    EXPECT_FALSE(file_of_memory(mapped.bytes().subspan(1)));
    const std::array<std::byte, 8> here{};
    EXPECT_FALSE(file_of_memory(here));
}

}  // namespace
}  // namespace splitscope::ggml

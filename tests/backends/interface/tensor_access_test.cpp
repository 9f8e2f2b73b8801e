// SPDX-License-Identifier: MIT
// Checks and transfer paths of backend-api.md §5.
#include "backends/interface/tensor_access.hpp"

#include <array>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/parity/tensor_pieces.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/interface/memory_device.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

ErrorKind kind_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_FALSE(error.problem().empty());
        return error.kind();
    }
    return ErrorKind::usage;
}

std::array<std::byte, 16> bytes_from(int first) {
    std::array<std::byte, 16> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(first + static_cast<int>(i));
    return bytes;
}

class TensorAccess : public testing::Test {
 protected:
    TensorAccess() {
        a_ = b_.leaf("a", {4, 1, 1, 1});
        c_ = b_.leaf("c", {4, 1, 1, 1});
        v_ = b_.view("v", Op::view, a_, {2, 1, 1, 1}, 8);
        wide_ = b_.leaf("wide", {8, 1, 1, 1});
        graph_ = b_.finish();
        places_.resize(graph_->tensors.size());
        bound_ = std::make_unique<BoundGraph>(GraphView(*graph_), places_);
    }
    BoundTensor t(TensorId id) const { return {*bound_, id}; }

    GraphBuilder b_;
    TensorId a_, c_, v_, wide_;
    std::shared_ptr<const Graph> graph_;
    std::vector<TensorPlace> places_;
    std::unique_ptr<BoundGraph> bound_;
    test::AddingDevice host_{"CPU"};
    test::AddingDevice gpu_{"GPU", DeviceKind::gpu};
    std::unique_ptr<Buffer> on_host_ = host_.buffer_type().allocate(256);
    std::unique_ptr<Buffer> on_gpu_ = gpu_.buffer_type().allocate(256);
};

TEST_F(TensorAccess, ChecksInSpecifiedOrder) {
    auto bytes = bytes_from(0);
    EXPECT_EQ(kind_of([&] { tensor_set(t(a_), bytes); }), ErrorKind::no_buffer);
    EXPECT_EQ(kind_of([&] { tensor_set(t(a_), {}); }), ErrorKind::no_buffer) << "before size 0 is looked at";
    places_[a_.index()].buffer = on_host_.get();
    EXPECT_NO_THROW(tensor_set(t(a_), {}));
    EXPECT_EQ(kind_of([&] { tensor_set(t(a_), bytes); }), ErrorKind::unallocated);
    places_[a_.index()].has_data = true;
    EXPECT_NO_THROW(tensor_set(t(a_), bytes));
    EXPECT_EQ(kind_of([&] { tensor_set(t(a_), bytes, 1); }), ErrorKind::range);
    EXPECT_EQ(kind_of([&] { tensor_get(t(a_), bytes, ~std::uint64_t{0}); }), ErrorKind::range)
        << "no wrap-around";
    EXPECT_EQ(kind_of([&] { tensor_memset(t(a_), std::byte{0}, 0, 8); }), ErrorKind::unsupported);
}

TEST_F(TensorAccess, ViewsReadAndWriteTheirSource) {
    tensor_alloc(t(a_), *on_gpu_, 64);
    view_init(t(v_));
    tensor_set(t(a_), bytes_from(1));
    std::array<std::byte, 8> seen{};
    tensor_get(t(v_), seen);
    EXPECT_EQ(seen[0], std::byte{9});
    EXPECT_EQ(places_[v_.index()].offset, 72u);
    EXPECT_EQ(kind_of([&] { view_init(t(v_)); }), ErrorKind::placement) << "once";
}

TEST_F(TensorAccess, ChecksPlacement) {
    EXPECT_EQ(kind_of([&] { view_init(t(a_)); }), ErrorKind::placement) << "no view";
    EXPECT_EQ(kind_of([&] { view_init(t(v_)); }), ErrorKind::no_buffer) << "nothing to view yet";
    EXPECT_EQ(kind_of([&] { tensor_alloc(t(v_), *on_gpu_, 0); }), ErrorKind::placement);
    EXPECT_EQ(kind_of([&] { tensor_alloc(t(a_), *on_gpu_, 256); }), ErrorKind::placement)
        << "outside the buffer";
    tensor_alloc(t(a_), *on_gpu_, 0);
    EXPECT_EQ(kind_of([&] { tensor_alloc(t(a_), *on_gpu_, 0); }), ErrorKind::placement) << "placed already";
}

TEST_F(TensorAccess, CopiesByTheFirstApplicableMethod) {
    const auto round_trip = [&](Buffer& from, Buffer& to) {
        std::fill(places_.begin(), places_.end(), TensorPlace{});
        tensor_alloc(t(a_), from, 0);
        tensor_alloc(t(c_), to, 32);
        tensor_set(t(a_), bytes_from(40));
        tensor_copy(t(a_), t(c_));
        std::array<std::byte, 16> seen{};
        tensor_get(t(c_), seen);
        EXPECT_EQ(seen, bytes_from(40));
    };
    round_trip(*on_host_, *on_gpu_);
    round_trip(*on_gpu_, *on_host_);
    round_trip(*on_gpu_, *on_gpu_);
    EXPECT_EQ(gpu_.buffer_type().direct_copies, 0);
    gpu_.buffer_type().copies_directly = true;
    round_trip(*on_gpu_, *on_gpu_);
    EXPECT_EQ(gpu_.buffer_type().direct_copies, 1);
    EXPECT_NO_THROW(tensor_copy(t(a_), t(a_)));
    tensor_alloc(t(wide_), *on_gpu_, 96);
    EXPECT_EQ(kind_of([&] { tensor_copy(t(a_), t(wide_)); }), ErrorKind::layout);
}

TEST_F(TensorAccess, AsynchronousFallsBackToSynchronous) {
    const auto backend = gpu_.new_backend();
    const auto host = host_.new_backend();
    tensor_alloc(t(a_), *on_gpu_, 0);
    tensor_alloc(t(c_), *on_host_, 0);
    tensor_set_async(*backend, t(a_), bytes_from(7));
    std::array<std::byte, 16> seen{};
    tensor_get_async(*backend, t(a_), seen);
    EXPECT_EQ(seen, bytes_from(7));
    EXPECT_EQ(kind_of([&] { tensor_get_async(*backend, t(a_), {}, 99); }), ErrorKind::range)
        << "for size 0 too";
    tensor_copy_async(*backend, *host, t(a_), t(c_));
    tensor_get(t(c_), seen);
    EXPECT_EQ(seen, bytes_from(7));
    EXPECT_EQ(kind_of([&] { tensor_set_async(*backend, t(wide_), {}); }), ErrorKind::unallocated);
}

TEST_F(TensorAccess, TransfersBlocksWithStrides) {
    const auto backend = gpu_.new_backend();
    tensor_alloc(t(a_), *on_gpu_, 0);
    tensor_set(t(a_), std::array<std::byte, 16>{});
    const auto data = bytes_from(1);
    tensor_set_2d(t(a_), data, 1, {.bytes = 2, .count = 3, .tensor_stride = 4, .host_stride = 5});
    std::array<std::byte, 16> seen{};
    tensor_get(t(a_), seen);
    EXPECT_EQ(seen[1], std::byte{1});
    EXPECT_EQ(seen[2], std::byte{2});
    EXPECT_EQ(seen[3], std::byte{0});
    EXPECT_EQ(seen[9], std::byte{11});
    std::array<std::byte, 4> packed{};
    tensor_get_2d_async(*backend, t(a_), packed, 1,
                        {.bytes = 2, .count = 2, .tensor_stride = 8, .host_stride = 2});
    EXPECT_EQ(packed[2], std::byte{11});
    tensor_set_2d_async(*backend, t(a_), data, 0, {.bytes = 1, .count = 1});
    EXPECT_NO_THROW(tensor_set_2d(t(a_), data, 99, {.bytes = 0, .count = 5}));
    EXPECT_EQ(kind_of([&] { tensor_set_2d(t(a_), data, 0, {.bytes = 4, .count = 5, .tensor_stride = 4}); }),
              ErrorKind::range);
    EXPECT_EQ(kind_of([&] { tensor_get_2d(t(a_), packed, 0, {.bytes = 4, .count = 2, .host_stride = 4}); }),
              ErrorKind::range);
}

TEST_F(TensorAccess, DefaultsOfOptionalHooks) {
    const auto backend = host_.new_backend();
    const auto event = host_.new_event();
    EXPECT_EQ(event, nullptr);
    EXPECT_EQ(kind_of([&] { backend->create_plan(*bound_, {}); }), ErrorKind::unsupported);
    EXPECT_EQ(kind_of([&] { host_.buffer_from_host_memory({}, 0); }), ErrorKind::unsupported);
    EXPECT_EQ(host_.host_buffer_type(), nullptr);
    EXPECT_EQ(host_.memory().total, 0u);
    EXPECT_EQ(backend->name(), "CPU");
    EXPECT_FALSE(backend->offload_op({bound_->view(), a_, {}}));
    EXPECT_EQ(host_.buffer_type().max_size(), kUnlimited);
    EXPECT_EQ(host_.buffer_type().alloc_size(bound_->view(), a_), 16u);
}

TEST(Descriptions, NameRuleAndTensor) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId y = b.node("y", Op::mul_mat, {x});
    const auto graph = b.finish();
    const GraphView view(*graph);
    const OpQuery query{view, y, {}};
    EXPECT_EQ(english(describe({RefusalRule::op_with_type, x, ElementType::q8_0}, query)),
              "does not support MUL_MAT with type q8_0 (x)");
    EXPECT_EQ(english(describe({}, query)), "supports MUL_MAT");
    for (const RefusalRule rule :
         {RefusalRule::op, RefusalRule::type, RefusalRule::layout, RefusalRule::parameter,
          RefusalRule::source_memory, RefusalRule::recorded, RefusalRule::limit}) {
        EXPECT_FALSE(describe({rule, x, ElementType::f32}, query).empty());
        EXPECT_FALSE(name_of(rule).empty());
    }
}

}  // namespace
}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include "engine/tensor/tensor_identity.hpp"

#include <gtest/gtest.h>

namespace splitscope {
namespace {

struct Named {
    const char* name;
    Op op;
};

std::shared_ptr<Graph> graph_of(std::initializer_list<Named> tensors) {
    auto graph = std::make_shared<Graph>();
    for (const Named& named : tensors) {
        Tensor& t = graph->tensors.emplace_back();
        t.name = named.name;
        t.op = named.op;
        const TensorId id(graph->tensors.size() - 1);
        (named.op == Op::none ? graph->leafs : graph->nodes).push_back(id);
    }
    return graph;
}

TEST(TensorIdentity, SurvivesARoundTrip) {
    for (const TensorIdentity& identity :
         {TensorIdentity{"Qcur-1", Op::rope, 1}, TensorIdentity{"norm-3", Op::rms_norm, 2},
          TensorIdentity{"norm-3", std::nullopt, 1}, TensorIdentity{"", Op::add, 7},
          TensorIdentity{"x@ROPE", Op::none, 1}, TensorIdentity{"CUDA0#x#0", Op::none, 12}}) {
        EXPECT_EQ(TensorIdentity::parse(text_of(identity)), identity) << text_of(identity);
    }
    EXPECT_EQ(text_of({"norm-3", Op::rms_norm, 2}), "norm-3@RMS_NORM#2");
    EXPECT_EQ(text_of({"Qcur-1", Op::rope, 1}), "Qcur-1@ROPE");
    EXPECT_EQ(TensorIdentity::parse("Qcur-1@rope"), (TensorIdentity{"Qcur-1", Op::rope, 1}));
}

TEST(TensorIdentity, OtherTextIsAName) {
    for (const char* text : {"norm-3", "", "a@b", "a@ROPE#", "a@ROPE#0", "a@ROPE#-1", "a@ROPE#2x", "a#2",
                             "a@ROPE#99999999999", "a@ROPE #2"}) {
        EXPECT_EQ(TensorIdentity::parse(text), (TensorIdentity{text, std::nullopt, 1})) << text;
    }
}

TEST(TensorIdentities, FindTensorsByIdentityAndSpelling) {
    const TensorIdentities identities(graph_of({{"w", Op::none},
                                                {"Qcur-1", Op::mul_mat},
                                                {"Qcur-1", Op::reshape},
                                                {"Qcur-1", Op::rope},
                                                {"norm-1", Op::rms_norm},
                                                {"", Op::add},
                                                {"norm-1", Op::rms_norm},
                                                {"", Op::add},
                                                {"w", Op::none}}));
    for (std::size_t t = 0; t < identities.graph()->tensors.size(); ++t) {
        const TensorIdentity identity = identities.of(TensorId(t));
        EXPECT_EQ(identities.find(identity), TensorId(t)) << text_of(identity);
        EXPECT_EQ(identities.find(text_of(identity)), TensorId(t)) << text_of(identity);
        EXPECT_EQ(identities.all(text_of(identity)), std::vector{TensorId(t)}) << text_of(identity);
    }
    EXPECT_EQ(text_of(identities.of(TensorId(6))), "norm-1@RMS_NORM#2");
    EXPECT_EQ(identities.find("Qcur-1"), TensorId(1));
    EXPECT_EQ(identities.all("Qcur-1"), (std::vector{TensorId(1), TensorId(2), TensorId(3)}));
    for (const char* text : {"Qcur-2", "Qcur-1@SOFT_MAX", "norm-1@RMS_NORM#3", "x@y"}) {
        EXPECT_FALSE(identities.find(text).valid()) << text;
        EXPECT_TRUE(identities.all(text).empty()) << text;
    }
}

TEST(TensorIdentities, OccurrencesCountInExecutionOrder) {
    auto graph = graph_of({{"x", Op::add}, {"x", Op::add}, {"x", Op::add}});
    graph->nodes = {TensorId(2), TensorId(0), TensorId(2)};
    const TensorIdentities identities(graph);
    EXPECT_EQ(identities.of(TensorId(2)).occurrence, 1U);
    EXPECT_EQ(identities.of(TensorId(0)).occurrence, 2U);
    EXPECT_EQ(identities.of(TensorId(1)).occurrence, 3U);
    // A name alone keeps its meaning.
    EXPECT_EQ(identities.find("x"), TensorId(0));
    EXPECT_EQ(identities.find("x"), graph->find("x"));
}

TEST(TensorIdentities, FindsNamesThatLookLikeIdentities) {
    const TensorIdentities identities(graph_of({{"x@ROPE", Op::add}, {"y", Op::rope}, {"y@ROPE", Op::add}}));
    EXPECT_EQ(identities.find("x@ROPE"), TensorId(0));
    EXPECT_EQ(identities.find("y@ROPE"), TensorId(1));
    EXPECT_EQ(identities.find(text_of(identities.of(TensorId(2)))), TensorId(2));
}

TEST(TensorIdentities, JoinTwoGraphsByNameAndOperation) {
    const TensorIdentities a(graph_of({{"x", Op::add}, {"y", Op::add}, {"x", Op::mul}, {"y", Op::add}}));
    const TensorIdentities b(graph_of({{"y", Op::add}, {"x", Op::mul}, {"z", Op::add}, {"x", Op::mul}}));
    std::size_t told = 0;
    TensorIdentities::for_each_in_both(a, b, [&](TensorIdentities::Alike in_a, TensorIdentities::Alike in_b) {
        ++told;
        if (in_a.size() == 2) {
            EXPECT_EQ(std::vector(in_a.begin(), in_a.end()), (std::vector{TensorId(1), TensorId(3)}));
            EXPECT_EQ(std::vector(in_b.begin(), in_b.end()), (std::vector{TensorId(0)}));
        } else {
            EXPECT_EQ(std::vector(in_a.begin(), in_a.end()), (std::vector{TensorId(2)}));
            EXPECT_EQ(std::vector(in_b.begin(), in_b.end()), (std::vector{TensorId(1), TensorId(3)}));
        }
    });
    EXPECT_EQ(told, 2U);
}

}  // namespace
}  // namespace splitscope

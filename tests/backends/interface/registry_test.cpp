// SPDX-License-Identifier: MIT
#include "backends/interface/registry.hpp"

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/backends/interface/memory_device.hpp"

namespace splitscope {
namespace {

using test::AddingDevice;

class TwoGpus final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::size_t device_count() const override { return devices_.size(); }
    Device& device(std::size_t index) override {
        if (index >= devices_.size()) throw Error(ErrorKind::unknown, "no such device", name_);
        return *devices_[index];
    }
    std::any extra_function(std::string_view name) override {
        if (name == "answer") return std::function<int()>([] { return 42; });
        return {};
    }

 private:
    std::string name_ = "Adding";
    std::array<std::unique_ptr<AddingDevice>, 2> devices_ = {
        std::make_unique<AddingDevice>("GPU0", DeviceKind::gpu),
        std::make_unique<AddingDevice>("GPU1", DeviceKind::gpu)};
};

TEST(BackendRegistryTest, ListsKindsAndDevicesInOrderOfRegistration) {
    BackendRegistry registry;
    EXPECT_EQ(registry.new_best_backend(), nullptr);
    const auto kind = std::make_shared<TwoGpus>();
    const auto cpu = std::make_shared<AddingDevice>("CPU");
    registry.add(kind);
    registry.add(cpu);
    registry.add(kind);
    registry.add(cpu);
    EXPECT_EQ(registry.kind_count(), 1u);
    ASSERT_EQ(registry.device_count(), 3u) << "what is there already is ignored";
    EXPECT_EQ(registry.device(2).name(), "CPU");
    EXPECT_EQ(registry.kind(0).name(), "Adding");
    EXPECT_THROW(registry.device(3), Error);
    EXPECT_THROW(registry.kind(1), Error);
    const std::any answer = registry.kind(0).extra_function("answer");
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(std::any_cast<std::function<int()>>(answer)(), 42);
    EXPECT_FALSE(registry.kind(0).extra_function("question").has_value());

    EXPECT_EQ(registry.find_device("gpu1"), &registry.device(1)) << "upper and lower case alike";
    EXPECT_EQ(registry.find_device("GPU2"), nullptr);
    EXPECT_EQ(registry.find_device(DeviceKind::gpu), &registry.device(0));
    EXPECT_EQ(registry.find_device(DeviceKind::accel), nullptr);
    EXPECT_EQ(registry.find_kind("ADDING"), kind.get());
    EXPECT_EQ(registry.kind_of(registry.device(1)), kind.get());
    EXPECT_EQ(registry.kind_of(*cpu), nullptr);

    EXPECT_EQ(registry.new_backend("cpu")->name(), "CPU");
    EXPECT_EQ(registry.new_backend("none"), nullptr);
    EXPECT_EQ(registry.new_backend(DeviceKind::cpu)->name(), "CPU");
    EXPECT_EQ(registry.new_best_backend()->name(), "GPU0");
}

TEST(FlatBackendListTest, LooksUpExactNamesAndSplitsParametersAtTheFirstColon) {
    AddingDevice cpu("CPU");
    std::string seen = "never";
    FlatBackendList list(2);
    const auto make = [&](std::string_view parameters) {
        seen = parameters;
        return cpu.new_backend();
    };
    list.add("CPU", make, cpu.buffer_type());
    list.add(std::string(200, 'n'), make, cpu.buffer_type());
    EXPECT_EQ(list.name(1).size(), FlatBackendList::kMaxNameBytes);
    EXPECT_THROW(list.add("third", make, cpu.buffer_type()), Error);
    EXPECT_EQ(list.count(), 2u);
    EXPECT_EQ(list.find("CPU"), 0u);
    EXPECT_EQ(list.find("cpu"), std::nullopt);
    EXPECT_NE(list.new_backend("CPU"), nullptr);
    EXPECT_EQ(seen, "");
    list.new_backend("CPU:a:b");
    EXPECT_EQ(seen, "a:b");
    list.new_backend(std::string(300, 'n') + ":x");
    EXPECT_EQ(seen, "x") << "long names are cut before the look-up";
    EXPECT_EQ(list.allocate(0, 64)->size(), 64u);
    EXPECT_EQ(&list.default_buffer_type(0), &cpu.buffer_type());
    EXPECT_THROW(list.new_backend("TPU"), Error);
    EXPECT_THROW(list.new_backend(5, ""), Error);
}

}  // namespace
}  // namespace splitscope

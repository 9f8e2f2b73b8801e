// SPDX-License-Identifier: MIT
#include "engine/planning/this_computer.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace splitscope {
namespace {

ListedDevice gpu(std::string name, DeviceClass device_class) {
    ListedDevice device;
    device.name = std::move(name);
    device.type = DeviceKind::gpu;
    device.device_class = device_class;
    return device;
}

std::vector<std::string> idle_names(const std::vector<ListedDevice>& listed) {
    std::vector<std::string> names;
    for (const IdleDevice& device : idle_devices(listed)) {
        EXPECT_FALSE(device.why.empty());
        names.push_back(device.name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(ThisComputer, LeavesOutWhatLlamaCppDoes) {
    const ListedDevice discrete = gpu("Vulkan0", DeviceClass::discrete);
    const ListedDevice integrated = gpu("Vulkan1", DeviceClass::integrated);
    const ListedDevice software = gpu("Vulkan2", DeviceClass::software);
    EXPECT_EQ(idle_names({integrated, discrete, software}), (Names{"Vulkan1", "Vulkan2"}));
    EXPECT_EQ(idle_names({discrete, gpu("Vulkan3", DeviceClass::discrete)}), Names());
    EXPECT_EQ(idle_names({integrated, software}), Names{"Vulkan2"});
    EXPECT_EQ(idle_names({integrated, gpu("Vulkan3", DeviceClass::integrated)}), Names{"Vulkan3"});
    EXPECT_EQ(idle_names({gpu("RPC0", DeviceClass::remote), integrated}), Names()) << "servers do not count";
    ListedDevice unusable = discrete;
    unusable.why_unusable = Message::verbatim("no memory");
    EXPECT_EQ(idle_names({integrated, unusable}), Names());
}

}  // namespace
}  // namespace splitscope

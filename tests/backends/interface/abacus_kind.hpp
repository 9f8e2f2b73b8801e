// SPDX-License-Identifier: MIT
// A backend kind as loaded at run time: all frontends show it without changes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/interface/registry.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/interface/memory_device.hpp"

namespace splitscope::test {

/// Two devices, "GPU0" and "GPU1", that support ADD only, a helper in CPU memory, and an unusable device.
class AbacusKind final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::string title() const override { return "Abacus"; }
    std::vector<KindOption> options() const override {
        return {{"abacus-folder", Message::verbatim("Abacus folder"),
                 Message::verbatim("Where the beads are"), "FOLDER", Message::verbatim("Load beads?")},
                {"abacus-loud", Message::verbatim("Loud abacus"), Message::verbatim("Count aloud"), {}}};
    }
    std::size_t device_count() override { return devices_.size(); }
    Device& device(std::size_t index) override {
        if (index >= devices_.size())
            throw Error(ErrorKind::unknown, Message::verbatim("no such device"), name_);
        return *devices_[index];
    }
    bool searches() const override { return true; }
    KindListing list(const KindOptions& options) override {
        KindListing listing;
        for (const auto& device : devices_)
            listing.devices.push_back({device->name(), device->kind(), "an adder", "wood 1.0", {0, 4096}});
        listing.devices.push_back({"GPU2", DeviceKind::gpu, "a stone", {}, {}});
        listing.devices.back().why_unusable = Message::verbatim("it is a stone");
        const auto folder = options.find("abacus-folder");
        if (folder != options.end()) listing.devices.front().properties = {{"folder", folder->second}};
        return listing;
    }
    std::vector<OfferedDevice> offers() const override {
        return {{"Helper", Message::verbatim("Abacus beside the CPU")}};
    }
    std::vector<std::string> suggestions(const std::string& option) override {
        return option == "abacus-folder" ? std::vector<std::string>{"/usr/beads"}
                                         : std::vector<std::string>();
    }
    std::string example() const override { return "gpu0"; }
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) override {
        const auto folder = options.find("abacus-folder");
        MachineBackend backend;
        backend.kind = folder == options.end() ? name_ : name_ + ":" + folder->second;
        if (same_name(device, "helper")) {
            backend.name = "Helper";
            backend.device = DeviceKind::accel;
            return DescribedDevice{std::move(backend), std::nullopt};
        }
        for (const auto& known : devices_) {
            if (!same_name(known->name(), device)) continue;
            backend.name = known->name();
            backend.device = DeviceKind::gpu;
            return DescribedDevice{std::move(backend),
                                   MachineBufferType{known->name(), 16, std::nullopt, false, 0, 0}};
        }
        return std::nullopt;
    }
    std::vector<OpSupport> supports(const MachineBackend& /*described*/, const GraphView& graph,
                                    std::span<const TensorId> nodes) override {
        std::vector<OpSupport> answers;
        for (const TensorId node : nodes) {
            const bool adds = graph[node].op == Op::add;
            answers.push_back(adds ? OpSupport{} : OpSupport{RefusalRule::op, node, graph[node].type});
        }
        return answers;
    }
    LiveBackend make(const LiveRequest& request) override {
        if (request.options.contains("abacus-loud") && request.on_message)
            request.on_message({Message::verbatim("Loud abacus"), "one, two, three"});
        return {nullptr, nullptr, Message::verbatim("it is made of wood")};
    }
    std::any extra_function(std::string_view function) override {
        if (function == "answer") return std::function<int()>([] { return 42; });
        return {};
    }

 private:
    std::string name_ = "abacus";
    std::array<std::unique_ptr<AddingDevice>, 2> devices_ = {
        std::make_unique<AddingDevice>("GPU0", DeviceKind::gpu),
        std::make_unique<AddingDevice>("GPU1", DeviceKind::gpu)};
};

inline BackendKinds abacus_only() {
    auto kinds = std::make_shared<BackendRegistry>();
    kinds->add(std::make_shared<AbacusKind>());
    return kinds;
}

}  // namespace splitscope::test

// SPDX-License-Identifier: MIT
#include "backends/cpu/cpu_registration.hpp"

#include <fmt/format.h>

#include "backends/cpu/cpu_backend.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

CpuBackend& require_cpu(Backend& backend) {
    auto* cpu = dynamic_cast<CpuBackend*>(&backend);
    if (cpu != nullptr) return *cpu;
    throw Error(ErrorKind::state, "it is no CPU backend", backend.name(), "pass a backend of the CPU");
}

class CpuKind final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::size_t device_count() const override { return 1; }
    Device& device(std::size_t index) override {
        if (index == 0) return device_;
        throw Error(ErrorKind::unknown, fmt::format("there is no device {}", index), name_, "there is 1");
    }
    std::any extra_function(std::string_view function) override {
        if (function == "set_n_threads") {
            return std::function<void(Backend&, int)>(
                [](Backend& backend, int threads) { require_cpu(backend).set_threads(threads); });
        }
        if (function == "set_abort_callback") {
            return std::function<void(Backend&, std::function<bool()>)>(
                [](Backend& backend, std::function<bool()> callback) {
                    require_cpu(backend).set_abort_callback(std::move(callback));
                });
        }
        return {};
    }

 private:
    std::string name_ = "CPU";
    CpuDevice device_;
};

}  // namespace

std::shared_ptr<BackendKind> cpu_backend_kind() {
    return std::make_shared<CpuKind>();
}

void register_cpu(FlatBackendList& list) {
    const auto device = std::make_shared<CpuDevice>();
    list.add(
        "CPU", [device](std::string_view) { return device->new_backend(); }, device->buffer_type());
}

}  // namespace splitscope

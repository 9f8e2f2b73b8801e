// SPDX-License-Identifier: MIT
#include "engine/formats/documents/devices_json.hpp"

#include <variant>

#include "engine/formats/json_writer.hpp"
#include "engine/planning/device_preset.hpp"

namespace splitscope {
namespace {

void write_device(JsonWriter& json, Device& device) {
    const DeviceCapabilities capabilities = device.capabilities();
    const DeviceMemory memory = device.memory();
    json.object([&] {
        json.member("name", device.name());
        json.member("description", device.description());
        json.member("kind", name_of(device.kind()));
        json.member("memory_total", memory.total);
        json.member("memory_free", memory.free);
        json.member("buffer_type", device.buffer_type().name());
        json.member("alignment", device.buffer_type().alignment());
        json.member("async", capabilities.async);
        json.member("events", capabilities.events);
    });
}

void write_listed(JsonWriter& json, const ListedDevice& device) {
    json.object([&] {
        json.member("name", device.name);
        json.member("hardware", device.hardware);
        json.member("driver", device.driver);
        json.member("memory_total", device.memory.total);
        for (const auto& [name, value] : device.properties)
            std::visit([&, &key = name](const auto& given) { json.member(key, given); }, value);
        json.member("why_unusable", device.why_unusable);
    });
}

void write_preset(JsonWriter& json, const DevicePreset& preset) {
    json.object([&] {
        json.member("name", preset.name);
        json.member("title", preset.facts.title);
        json.member("family", preset.family);
        json.member("memory", preset.facts.memory_total);
        json.member("bandwidth", preset.facts.memory_bandwidth);
        json.member("link_bandwidth", preset.facts.link_bandwidth);
        json.member("flops_f16", preset.facts.flops_f16);
        json.member("flops_f32", preset.facts.flops_f32);
        json.member("source", preset.source);
    });
}

}  // namespace

std::string write_devices_json(const std::vector<Device*>& devices, const DeviceListings& listings,
                               const Machine& simulated) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-devices", 1);
        json.array("devices", [&] {
            for (Device* device : devices) write_device(json, *device);
        });
        for (const auto& [kind, listing] : listings) {
            json.object(kind->name(), [&, &found = listing] {
                json.member("why_none", found.why_none);
                json.array("devices", [&] {
                    for (const ListedDevice& device : found.devices) write_listed(json, device);
                });
            });
        }
        json.object("default_machine", [&] {
            json.member("name", simulated.name);
            json.array("backends", [&] {
                for (const MachineBackend& backend : simulated.backends) json.value(backend.name);
            });
        });
    });
    return std::move(json).take();
}

std::string write_presets_json() {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-presets", 1);
        json.array("presets", [&] {
            for (const DevicePreset& preset : device_presets()) write_preset(json, preset);
        });
    });
    return std::move(json).take();
}

std::string write_calibration_json(const Calibration& calibration) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-calibration", 1);
        json.array("devices", [&] {
            for (const MeasuredDevice& device : calibration.devices) {
                const DeviceFacts& facts = device.facts;
                json.object([&] {
                    json.member("name", device.name);
                    json.member("weights", device.weights);
                    json.member("memory_bandwidth", facts.memory_bandwidth);
                    json.object("weight_bandwidth", [&] {
                        for (const auto& [type, rate] : facts.weight_bandwidth)
                            json.member(name_of(type), rate);
                    });
                    json.member("flops_f16", facts.flops_f16);
                    json.member("flops_f32", facts.flops_f32);
                    json.member("node_seconds", facts.node_seconds);
                    json.member("link_bandwidth", facts.link_bandwidth);
                    json.member("link_latency", facts.link_latency);
                    json.key("decode");
                    if (!device.decode) {
                        json.value(nullptr);
                    } else {
                        json.object([&] {
                            json.member("seconds", device.decode->seconds);
                            json.member("from_products", device.decode->from_products);
                            json.member("estimated", device.decode->estimated);
                        });
                    }
                    json.member("no_decode", device.no_decode);
                    json.member("disturbed", device.disturbed || device.contradicted);
                });
            }
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope

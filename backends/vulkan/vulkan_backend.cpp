// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_backend.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "backends/interface/messages.hpp"
#include "backends/vulkan/messages.hpp"
#include "backends/vulkan/vulkan_event.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

using vulkan::MemoryRange;

/// Size of the fault report: a node's number plus one.
constexpr std::uint64_t kFaultBytes = 64;

/// Approximate FLOPs per command buffer: below a second in software, some milliseconds on a GPU.
double max_work(const vulkan::PhysicalDevice& device) {
    return device.is_software() ? 2e9 : 4e10;
}

/// "norm-0 … result".
std::string row_of(const std::string& first, const std::string& last) {
    return first == last ? first : fmt::format("{} … {}", first, last);
}

}  // namespace

VulkanBackend::VulkanBackend(VulkanDevice& device)
    : Backend(device),
      vulkan_(device),
      recorder_(device.logical()),
      fault_(device.logical(), vulkan::MemoryKind::host, kFaultBytes),
      max_work_(max_work(device.logical()->physical())) {
    std::memset(fault_.mapped(), 0, kFaultBytes);
}

VulkanBackend::~VulkanBackend() {
    vulkan_.logical()->wait_idle();
}

Guid VulkanBackend::guid() const {
    return {0x5c, 0x1f, 0x70, 0x0e, 0xd2, 0x4b, 0x4c, 0x95, 0x8a, 0x11, 0x3e, 0x62, 0x9b, 0xd7, 0x04, 0x26};
}

VulkanBuffer* VulkanBackend::own_buffer(const BoundGraph& graph, TensorId id) const {
    auto* buffer = dynamic_cast<VulkanBuffer*>(graph.buffer_of(id));
    return buffer != nullptr && !buffer->is_empty() && &buffer->type() == &vulkan_.buffer_type() ? buffer
                                                                                                 : nullptr;
}

vulkan::TensorBlock VulkanBackend::block_of(const BoundGraph& graph, TensorId id) const {
    const Tensor& t = graph[id];
    vulkan::TensorBlock block;
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        block.ne[d] = static_cast<std::uint32_t>(t.ne[d]);
        block.nb[d] = static_cast<std::uint32_t>(t.nb[d]);
    }
    const VulkanBuffer* buffer = own_buffer(graph, id);
    if (buffer == nullptr) {
        if (is_empty(t)) return block;
        throw Error(ErrorKind::no_buffer, msg::kNotInMemoryOf(name()), t.name, msg::kPlaceInDeviceBuffer);
    }
    block.data = buffer->memory().address() + graph.offset_of(id);
    return block;
}

void VulkanBackend::record_node(const BoundGraph& graph, TensorId id) {
    const Tensor& t = graph[id];
    if (t.op == Op::none || is_view_op(t.op) || is_empty(t)) return;
    const vulkan::OpEntry* entry = vulkan::find_op(t.op);
    if (entry == nullptr) {
        throw Error(ErrorKind::unsupported, msg::kDoesNotCompute(name(), name_of(t.op)), t.name,
                    msg::kAssignElsewhere);
    }
    vulkan::NodeBlock block;
    block.dst = block_of(graph, id);
    std::vector<MemoryRange> reads;
    const Sources& sources = graph.sources(id);
    for (std::size_t i = 0; i < sources.size() && i < vulkan::kShaderSources; ++i) {
        if (!sources[i].valid()) continue;
        block.src[i] = block_of(graph, sources[i]);
        reads.push_back({block.src[i].data, byte_size(graph[sources[i]])});
    }
    block.tables = vulkan_.tables().address();
    block.fault = fault_.address();
    block.params = t.op_params;
    names_.push_back(t.name);
    block.id = static_cast<std::uint32_t>(names_.size());
    const std::uint32_t offset = recorder_.add(block);

    const MemoryRange write{block.dst.data, byte_size(t)};
    passes_.clear();
    entry->plan({graph.view(), id, vulkan_.logical()->physical().reading_lanes()}, passes_);
    for (const vulkan::Pass& pass : passes_) {
        const VkPipeline pipeline = vulkan_.pipelines().get(pass.shader, pass.constants);
        recorder_.dispatch(pipeline, vulkan_.pipelines().layout(), offset, pass.groups, reads, {&write, 1});
    }
}

Status VulkanBackend::compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) {
    if (nodes.empty()) return Status::success;
    try {
        return record_nodes(graph, nodes);
    } catch (const Error& error) {
        throw error.within(row_of(graph[nodes.front()].name, graph[nodes.back()].name));
    }
}

Status VulkanBackend::record_nodes(const BoundGraph& graph, std::span<const TensorId> nodes) {
    recorder_.reserve(nodes.size());
    if (timing_) timer_->begin(recorder_.commands(), nodes.size());
    std::uint64_t before = 0;
    double work = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        try {
            record_node(graph, nodes[i]);
        } catch (const Error& error) {
            throw error.within(graph[nodes[i]].name);
        }
        if (timing_) timer_->mark(recorder_.commands());
        work += node_flops(graph.view(), nodes[i]);
        if (work < max_work_ || i + 1 == nodes.size()) continue;
        work = 0;
        const std::uint64_t queued = recorder_.submit();
        vulkan_.logical()->wait(std::exchange(before, queued), msg::kCannotFinishQueued);
        if (abort_ && abort_()) return Status::aborted;
        recorder_.reserve(nodes.size() - i);
    }
    recorder_.submit();
    return Status::success;
}

bool VulkanBackend::time_nodes(bool on) {
    if (vulkan_.logical()->physical().timestamp_period <= 0) return false;
    if (on && !timer_) timer_.emplace(vulkan_.logical());
    timing_ = on;
    return true;
}

std::vector<std::chrono::nanoseconds> VulkanBackend::take_node_times() {
    return timer_ ? timer_->take() : std::vector<std::chrono::nanoseconds>{};
}

std::string VulkanBackend::queued_names() const {
    return names_.empty() ? name() : row_of(names_.front(), names_.back());
}

void VulkanBackend::synchronize() {
    try {
        vulkan_.logical()->wait(recorder_.submit(), msg::kCannotFinishQueued);
        check_relay();
    } catch (const Error& error) {
        const std::string where = queued_names();
        names_.clear();
        downloads_.clear();
        throw error.within(where);
    }
    for (const Download& download : downloads_)
        std::memcpy(download.data.data(), download.staging->mapped(), download.data.size());
    downloads_.clear();
    check_fault();
    names_.clear();
}

void VulkanBackend::check_relay() {
    const Message failure = vulkan_.logical()->relay().take_failure();
    if (failure.empty()) return;
    throw Error(ErrorKind::state, msg::kTransferFailed(failure), name(), msg::kRunOnCpu);
}

void VulkanBackend::check_fault() {
    std::uint32_t id = 0;
    std::memcpy(&id, fault_.mapped(), sizeof(id));
    if (id == 0) return;
    std::memset(fault_.mapped(), 0, sizeof(id));
    const std::string where = id <= names_.size() ? names_[id - 1] : name();
    names_.clear();
    throw Error(ErrorKind::range, msg::kIndexOutside(name()), where, msg::kGiveIndicesInside);
}

bool VulkanBackend::set_async(const BoundGraph& graph, TensorId id, std::span<const std::byte> data,
                              std::uint64_t offset) {
    VulkanBuffer* buffer = own_buffer(graph, id);
    if (buffer == nullptr) return false;
    if (data.empty()) return true;
    vulkan::Memory& staging = recorder_.staging(data.size());
    std::memcpy(staging.mapped(), data.data(), data.size());
    recorder_.copy(staging, 0, buffer->memory(), graph.offset_of(id) + offset, data.size());
    return true;
}

bool VulkanBackend::get_async(const BoundGraph& graph, TensorId id, std::span<std::byte> data,
                              std::uint64_t offset) {
    VulkanBuffer* buffer = own_buffer(graph, id);
    if (buffer == nullptr) return false;
    if (data.empty()) return true;
    auto staging = std::make_unique<vulkan::Memory>(vulkan_.logical(), vulkan::MemoryKind::host, data.size());
    recorder_.copy(buffer->memory(), graph.offset_of(id) + offset, *staging, 0, data.size());
    downloads_.push_back({std::move(staging), data});
    return true;
}

bool VulkanBackend::copy_async(Backend& source_backend, const BoundGraph& graph, TensorId source,
                               TensorId destination) {
    VulkanBuffer* to = own_buffer(graph, destination);
    if (to == nullptr) return false;
    const std::uint64_t bytes = byte_size(graph[source]);
    if (auto* other = dynamic_cast<VulkanBackend*>(&source_backend)) {
        const VulkanBuffer* from = other->own_buffer(graph, source);
        if (from == nullptr) return false;
        if (bytes == 0) return true;
        if (other->vulkan_.logical() == vulkan_.logical()) {
            // Both share a queue, in which the other's work comes first.
            if (other != this) other->recorder_.submit();
            recorder_.copy(from->memory(), graph.offset_of(source), to->memory(),
                           graph.offset_of(destination), bytes);
            return true;
        }
        // Through host memory with a relay, so that neither the caller nor the source device has to wait.
        const auto sent =
            std::make_shared<vulkan::Memory>(other->vulkan_.logical(), vulkan::MemoryKind::host, bytes);
        other->recorder_.copy(from->memory(), graph.offset_of(source), *sent, 0, bytes);
        const std::uint64_t submission = other->recorder_.submit();
        vulkan::Memory& received = recorder_.staging(bytes);
        std::byte* const arrival = received.mapped();
        recorder_.wait_for(
            vulkan_.logical()->relay().add([sender = other->vulkan_.logical(), sent, submission, arrival] {
                sender->wait(submission, msg::kCannotFinishBeforeCopy);
                std::memcpy(arrival, sent->mapped(), sent->size());
            }));
        recorder_.copy(received, 0, to->memory(), graph.offset_of(destination), bytes);
        return true;
    }
    const std::byte* data = graph.host_data(source);
    if (data == nullptr) return false;
    source_backend.synchronize();
    return set_async(graph, destination, {data, bytes}, 0);
}

void VulkanBackend::record(Event& event) {
    auto* own = dynamic_cast<VulkanEvent*>(&event);
    if (own == nullptr || own->device() != vulkan_.logical()) {
        throw Error(ErrorKind::state, msg::kEventOfOtherDevice, name(), msg::kUseOwnEvents);
    }
    own->set(recorder_.submit());
}

void VulkanBackend::wait(Event& event) {
    auto* own = dynamic_cast<VulkanEvent*>(&event);
    if (own == nullptr) {
        event.synchronize();
        return;
    }
    // Work submitted earlier to the same queue completes earlier.
    if (own->device() == vulkan_.logical() || own->device()->is_done(own->submission())) return;
    recorder_.wait_for(
        vulkan_.logical()->relay().add([device = own->device(), submission = own->submission()] {
            device->wait(submission, msg::kCannotFinishBeforeEvent);
        }));
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_backend.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "backends/interface/messages.hpp"
#include "backends/vulkan/fused_kernels.hpp"
#include "backends/vulkan/messages.hpp"
#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/vulkan_event.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Size of the fault report: a node's number plus one.
constexpr std::uint64_t kFaultBytes = 64;

/// Approximate FLOPs per command buffer: below a second in software, some milliseconds on a GPU.
double max_work(const vulkan::PhysicalDevice& device) {
    return device.is_software() ? 2e9 : 4e10;
}

double flops_of(const GraphView& graph, const vulkan::Unit& unit) {
    double flops = 0;
    for (const TensorId node : unit.nodes) flops += node_flops(graph, node);
    return flops;
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
      kernels_(device.logical()->physical().kernel_traits()),
      max_work_(max_work(device.logical()->physical())) {
    std::memset(fault_.mapped(), 0, kFaultBytes);
}

VulkanBackend::~VulkanBackend() {
    vulkan_.logical()->wait_idle();
}

Guid VulkanBackend::guid() const {
    return {0x5c, 0x1f, 0x70, 0x0e, 0xd2, 0x4b, 0x4c, 0x95, 0x8a, 0x11, 0x3e, 0x62, 0x9b, 0xd7, 0x04, 0x26};
}

std::vector<vulkan::Unit> VulkanBackend::units_of(vulkan::BoundTensors& tensors,
                                                  std::span<const TensorId> nodes, DeviceWork& work) {
    if (keep_results_ && !timing_) return vulkan::single_units(tensors, nodes);
    std::vector<vulkan::Unit> units = vulkan::fused_units(tensors, nodes, kernels_);
    for (const vulkan::Unit& unit : units) {
        if (unit.nodes.size() > 1) work.fused.push_back({unit.nodes, unit.touched_bytes});
    }
    if (timing_) {
        tensors.keep_moves(0);
        return vulkan::single_units(tensors, nodes);
    }
    if (tensors.moved_bytes() > 0) {
        if (moved_ == nullptr || moved_->size() < tensors.moved_bytes()) {
            // Queued work may still use the memory before.
            vulkan_.logical()->wait(recorder_.submit(), msg::kCannotFinishEarlier);
            moved_ = std::make_shared<const vulkan::Memory>(vulkan_.logical(), vulkan::MemoryKind::device,
                                                            tensors.moved_bytes());
        }
        tensors.set_moved(moved_->address());
    }
    return units;
}

void VulkanBackend::record_unit(vulkan::Recorder& recorder, const vulkan::BoundTensors& tensors,
                                const vulkan::Unit& unit, NodeNames& names,
                                vulkan::ConvertedColumns& converted) {
    try {
        record_passes(recorder, tensors, unit, names, converted);
    } catch (const Error& error) {
        throw error.within(tensors.graph()[unit.nodes.front()].name);
    }
}

void VulkanBackend::record_passes(vulkan::Recorder& recorder, const vulkan::BoundTensors& tensors,
                                  const vulkan::Unit& unit, NodeNames& names,
                                  vulkan::ConvertedColumns& converted) {
    using vulkan::ScratchUse;
    vulkan::Kernel kernel = vulkan::kernel_of(unit, tensors, kernels_);
    vulkan::NodeBlock& block = kernel.block;
    block.tables = vulkan_.tables().address();
    const bool uses_scratch = std::ranges::any_of(
        kernel.passes, [](const vulkan::Pass& pass) { return pass.scratch != ScratchUse::none; });
    vulkan::MemoryRange shared{};
    if (uses_scratch) shared = {scratch().address(), scratch().size()};
    block.scratch = shared.address;
    block.fault = fault_.address();
    block.id = names.first + static_cast<std::uint32_t>(names.names.size());
    // Shaders number the parts of a unit from its first.
    if (unit.parts.empty()) names.names.push_back(tensors.graph()[unit.nodes.front()].name);
    for (const vulkan::Part& part : unit.parts) names.names.push_back(tensors.graph()[part.result].name);
    const std::uint32_t offset = recorder.add(block);
    std::vector<vulkan::MemoryRange> reads;
    std::vector<vulkan::MemoryRange> writes;
    for (const TensorId id : unit.reads) reads.push_back(tensors.range(id));
    for (const TensorId id : unit.writes) writes.push_back(tensors.range(id));
    recorder.count_touched(unit.touched_bytes);
    // The scratch memory comes last, for the passes that use it.
    const auto unit_reads = reads.size();
    const auto unit_writes = writes.size();
    reads.push_back(shared);
    writes.push_back(shared);
    for (const vulkan::Pass& pass : kernel.passes) {
        if (pass.scratch == ScratchUse::converts && converted.hold(pass, block)) continue;
        const bool writes_parts = pass.scratch == ScratchUse::writes_parts;
        const bool reads_scratch = pass.scratch == ScratchUse::reads || writes_parts;
        const bool writes_only_scratch = pass.scratch == ScratchUse::converts || writes_parts;
        std::span<const vulkan::MemoryRange> pass_reads = reads;
        std::span<const vulkan::MemoryRange> pass_writes = writes;
        if (!reads_scratch) pass_reads = pass_reads.first(unit_reads);
        // Parts are on the way between work groups only, but the next kernel counts from 0 again.
        if (writes_only_scratch) {
            pass_writes = pass_writes.last(1);
        } else if (pass.scratch != ScratchUse::parts) {
            pass_writes = pass_writes.first(unit_writes);
        }
        const VkPipeline pipeline = vulkan_.pipelines().get(pass.shader, pass.constants);
        recorder.dispatch(pipeline, vulkan_.pipelines().layout(), offset, pass.groups, pass_reads,
                          pass_writes);
        converted.record(pass, block);
    }
    converted.drop_if_overwritten(std::span(writes).first(unit_writes));
}

const vulkan::Memory& VulkanBackend::scratch() {
    if (scratch_ == nullptr) scratch_ = vulkan_.new_scratch();
    return *scratch_;
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
    vulkan::BoundTensors tensors = tensors_of(graph);
    const std::vector<vulkan::Unit> units = units_of(tensors, nodes, fused_);
    if (units.empty() && !timing_ && wanted_.empty()) return Status::success;
    recorder_.reserve(units.size());
    if (timing_) timer_->begin(recorder_.commands(), nodes.size());
    std::size_t timed = 0;
    const auto mark_until = [&](TensorId node) {
        while (timing_ && timed < nodes.size() && nodes[timed] != node) {
            timer_->mark(recorder_.commands());
            ++timed;
        }
    };
    std::uint64_t before = 0;
    double work = 0;
    vulkan::ConvertedColumns converted;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const vulkan::Unit& unit = units[i];
        mark_until(unit.nodes.front());
        record_unit(recorder_, tensors, unit, names_, converted);
        work += flops_of(graph.view(), unit);
        if (work < max_work_ || i + 1 == units.size()) continue;
        work = 0;
        // The mark of this node belongs to its command buffer.
        mark_until(units[i + 1].nodes.front());
        if (submit_between(before)) return Status::aborted;
        recorder_.reserve(units.size() - i);
    }
    mark_until({});
    download_wanted();
    recorder_.submit();
    return Status::success;
}

bool VulkanBackend::submit_between(std::uint64_t& before) {
    const std::uint64_t queued = recorder_.submit();
    vulkan_.logical()->wait(std::exchange(before, queued), msg::kCannotFinishQueued);
    return abort_ && abort_();
}

std::unique_ptr<GraphPlan> VulkanBackend::create_plan(const BoundGraph& graph,
                                                      std::span<const TensorId> nodes) {
    auto plan = std::make_unique<VulkanPlan>(graph, nodes);
    plan->keeps_results = keep_results_;
    vulkan::BoundTensors tensors = tensors_of(plan->graph());
    const std::vector<vulkan::Unit> units = units_of(tensors, nodes, plan->work);
    auto recorder = std::make_unique<vulkan::Recorder>(vulkan_.logical(), vulkan::Recorder::Use::repeated);
    auto names = std::make_shared<NodeNames>();
    names->first = next_plan_number_;
    recorder->reserve(units.size());
    vulkan::ConvertedColumns converted;
    double work = 0;
    for (const vulkan::Unit& unit : units) {
        if (abort_ && abort_()) return nullptr;
        if (work >= max_work_) {
            plan->commands.push_back(recorder->split());
            work = 0;
        }
        record_unit(*recorder, tensors, unit, *names, converted);
        work += flops_of(graph.view(), unit);
    }
    plan->commands.push_back(recorder->finish());
    plan->work += recorder->take_work();
    plan->recorder = std::move(recorder);
    plan->moved = moved_;
    plan->scratch = scratch_;
    next_plan_number_ += static_cast<std::uint32_t>(names->names.size());
    plan->names = std::move(names);
    return plan;
}

Status VulkanBackend::compute_plan(GraphPlan& prepared) {
    auto& plan = static_cast<VulkanPlan&>(prepared);
    const bool suits = !timing_ && plan.keeps_results == keep_results_;
    // Pending commands cannot be submitted again, and waiting for them here would stall the caller.
    if (!suits || !vulkan_.logical()->is_done(plan.submission))
        return compute_async(plan.graph(), plan.nodes());
    plan_names_.push_back(plan.names);
    std::uint64_t before = 0;
    for (const VkCommandBuffer& commands : plan.commands) {
        const bool is_last = &commands == &plan.commands.back();
        recorder_.append(commands, is_last ? plan.work : DeviceWork{});
        if (is_last) break;
        const bool aborted = submit_between(before);
        plan.submission = before;
        if (aborted) return Status::aborted;
    }
    download_wanted();
    plan.submission = recorder_.submit();
    return Status::success;
}

void VulkanBackend::prepare_transfers(const BoundGraph& graph, std::span<const std::uint64_t> uploads,
                                      std::span<const TensorId> wanted) {
    recorder_.prepare_uploads(uploads);
    for (const TensorId id : wanted) {
        const VulkanBuffer* buffer = own_buffer(graph, id);
        if (buffer != nullptr && buffer->memory().mapped() == nullptr)
            spare_.push_back(download_memory(byte_size(graph[id])));
    }
}

std::optional<DeviceWork> VulkanBackend::take_work() {
    DeviceWork work = recorder_.take_work();
    work += std::exchange(fused_, {});
    return work;
}

bool VulkanBackend::is_idle() const {
    vulkan::LogicalDevice& device = *vulkan_.logical();
    return !recorder_.is_open() && device.is_done(device.submitted());
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
    if (!names_.names.empty()) return row_of(names_.names.front(), names_.names.back());
    if (plan_names_.empty() || plan_names_.front()->names.empty()) return name();
    return row_of(plan_names_.front()->names.front(), plan_names_.back()->names.back());
}

void VulkanBackend::synchronize() {
    const auto forget = [this] {
        names_.names.clear();
        plan_names_.clear();
        wanted_.clear();
    };
    try {
        vulkan_.logical()->wait(recorder_.submit(), msg::kCannotFinishQueued);
        check_relay();
    } catch (const Error& error) {
        const std::string where = queued_names();
        forget();
        downloads_.clear();
        throw error.within(where);
    }
    constexpr std::size_t kSpare = 4;
    for (Download& download : downloads_) {
        std::memcpy(download.data.data(), download.staging->mapped(), download.data.size());
        if (spare_.size() < kSpare) spare_.push_back(std::move(download.staging));
    }
    downloads_.clear();
    try {
        check_fault();
    } catch (...) {
        forget();
        throw;
    }
    forget();
}

void VulkanBackend::check_relay() {
    const Message failure = vulkan_.logical()->relay().take_failure();
    if (failure.empty()) return;
    throw Error(ErrorKind::state, msg::kTransferFailed(failure), name(), msg::kRunOnCpu);
}

void VulkanBackend::check_fault() {
    std::uint32_t number = 0;
    std::memcpy(&number, fault_.mapped(), sizeof(number));
    if (number == 0) return;
    std::memset(fault_.mapped(), 0, sizeof(number));
    const std::string* where = names_.find(number);
    for (const auto& names : plan_names_) {
        if (where == nullptr) where = names->find(number);
    }
    throw Error(ErrorKind::range, msg::kIndexOutside(name()), where != nullptr ? *where : name(),
                msg::kGiveIndicesInside);
}

bool VulkanBackend::set_async(const BoundGraph& graph, TensorId id, std::span<const std::byte> data,
                              std::uint64_t offset) {
    VulkanBuffer* buffer = own_buffer(graph, id);
    if (buffer == nullptr) return false;
    if (data.empty()) return true;
    const std::uint64_t place = graph.offset_of(id) + offset;
    if (buffer->memory().mapped() != nullptr && is_idle()) {
        std::memcpy(buffer->memory().mapped() + place, data.data(), data.size());
    } else {
        recorder_.upload(data, buffer->memory(), place);
    }
    return true;
}

std::unique_ptr<vulkan::Memory> VulkanBackend::download_memory(std::uint64_t bytes) {
    const auto fits =
        std::ranges::find_if(spare_, [&](const auto& memory) { return memory->size() >= bytes; });
    if (fits == spare_.end())
        return std::make_unique<vulkan::Memory>(vulkan_.logical(), vulkan::MemoryKind::host, bytes);
    auto memory = std::move(*fits);
    spare_.erase(fits);
    return memory;
}

bool VulkanBackend::get_async(const BoundGraph& graph, TensorId id, std::span<std::byte> data,
                              std::uint64_t offset) {
    VulkanBuffer* buffer = own_buffer(graph, id);
    if (buffer == nullptr) return false;
    if (data.empty()) return true;
    download(buffer->memory(), graph.offset_of(id) + offset, data);
    return true;
}

bool VulkanBackend::get_with_next(const BoundGraph& graph, TensorId id, std::span<std::byte> data) {
    VulkanBuffer* buffer = own_buffer(graph, id);
    if (buffer == nullptr || buffer->memory().mapped() != nullptr || data.empty()) return false;
    wanted_.push_back({&buffer->memory(), graph.offset_of(id), data});
    return true;
}

void VulkanBackend::download(const vulkan::Memory& memory, std::uint64_t offset, std::span<std::byte> data) {
    auto staging = download_memory(data.size());
    recorder_.copy(memory, offset, *staging, 0, data.size());
    downloads_.push_back({std::move(staging), data});
}

void VulkanBackend::download_wanted() {
    for (const Wanted& wanted : std::exchange(wanted_, {}))
        download(*wanted.memory, wanted.offset, wanted.data);
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

// SPDX-License-Identifier: MIT
#include "engine/planning/calibrate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "backends/interface/measure_link.hpp"
#include "backends/interface/registry.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/fit_rates.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/live_backends.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

using Clock = std::chrono::steady_clock;

/// Together larger than any cache.
constexpr std::int64_t kMatrices = 4;
constexpr std::int64_t kManyMatrices = 16;
constexpr std::int64_t kRowsPerColumn = 3;
constexpr std::int64_t kPromptTokens = 256;
constexpr std::int64_t kChain = 256;
constexpr std::uint32_t kSampleTokens = 48;
constexpr std::chrono::milliseconds kLongEnough{300};
constexpr int kMinRuns = 3;
constexpr int kMaxRuns = 50;
/// A small number in every element type that computes at normal speed.
constexpr std::byte kFilling{0x2f};

double seconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// A graph in a backend's memory.
class MeasuredGraph {
 public:
    MeasuredGraph(Backend& backend, Graph graph)
        : backend_(backend), graph_(std::move(graph)), places_(graph_.tensors.size()), view_(graph_) {
        BufferType& type = backend.default_buffer_type();
        std::vector<std::uint64_t> offsets;
        std::uint64_t size = 0;
        for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
            size = round_up(size, type.alignment());
            offsets.push_back(size);
            size += type.alloc_size(view_, TensorId(t));
        }
        buffer_ = type.allocate(size);
        buffer_->clear(kFilling);
        const BoundGraph bound{view_, places_};
        for (std::size_t t = 0; t < offsets.size(); ++t)
            tensor_alloc({bound, TensorId(t)}, *buffer_, offsets[t]);
        if (backend.has_plans()) plan_ = backend.create_plan(bound, graph_.nodes);
    }

    /// Whether the backend supports all of it.
    static bool supported(const Backend& backend, const Graph& graph) {
        const GraphView view(graph);
        return std::ranges::all_of(graph.nodes, [&](TensorId node) {
            return bool(backend.supports_op({view, node}));
        });
    }

    /// Seconds of one computation: the median of several.
    double measure(const JobContext& job) {
        compute();
        std::vector<double> runs;
        const auto begin = Clock::now();
        while (runs.size() < kMinRuns || (Clock::now() - begin < kLongEnough && runs.size() < kMaxRuns)) {
            job.check();
            const auto start = Clock::now();
            compute();
            runs.push_back(seconds_of(Clock::now() - start));
        }
        return median(std::move(runs));
    }

    const GraphView& view() const { return view_; }
    const std::vector<TensorId>& nodes() const { return graph_.nodes; }

 private:
    void compute() {
        const BoundGraph bound{view_, places_};
        Status status = Status::success;
        if (plan_ != nullptr) {
            status = backend_.compute_plan(*plan_);
            backend_.synchronize();
        } else {
            status = backend_.compute(bound, graph_.nodes);
        }
        if (status == Status::aborted) throw Cancelled();
        if (status != Status::success)
            throw Error(ErrorKind::state, msg::kProductsFailed, backend_.name(), msg::kMeasureWithoutIt);
        // Where synchronizing does not wait, as over RPC, a read does.
        std::array<std::byte, sizeof(float)> some{};
        tensor_get({bound, graph_.nodes.back()}, some);
    }

    Backend& backend_;
    Graph graph_;
    std::vector<TensorPlace> places_;
    GraphView view_;
    std::unique_ptr<Buffer> buffer_;
    std::unique_ptr<GraphPlan> plan_;
};

/// Products of several matrices with several tokens.
struct ProductShape {
    std::int64_t columns;
    std::int64_t rows;
    std::int64_t tokens;
};
Graph products(ElementType type, std::int64_t matrices, const ProductShape& shape) {
    GraphBuilder build("products");
    const TensorId x = build.new_input(ElementType::f32, {shape.columns, shape.tokens, 1, 1}, "x");
    for (std::int64_t i = 0; i < matrices; ++i) {
        const TensorId w = build.new_tensor(type, {shape.columns, shape.rows, 1, 1}, "w" + std::to_string(i));
        build.expand(build.mul_mat(w, x));
    }
    return build.take();
}

Graph chain(std::int64_t columns) {
    GraphBuilder build("chain");
    TensorId x = build.new_input(ElementType::f32, {columns, 1, 1, 1}, "x");
    const TensorId y = build.new_input(ElementType::f32, {columns, 1, 1, 1}, "y");
    for (std::int64_t i = 0; i < kChain; ++i) x = build.add(x, y);
    build.expand(x);
    return build.take();
}

std::map<ElementType, std::uint64_t> bytes_by_type(const Session* session) {
    std::map<ElementType, std::uint64_t> bytes;
    if (session != nullptr) {
        for (const GgufTensor& tensor : session->file->model->file().tensors())
            bytes[tensor.type] += tensor.bytes;
    }
    return bytes;
}

/// Types of weights to measure: those of the model's larger part, or common ones. The decode then corrects
/// them together: types that it lacks would be wrong where weights are repacked.
std::set<ElementType> measured_types(const Session* session) {
    if (session == nullptr) {
        return {ElementType::q4_0, ElementType::q4_K, ElementType::q6_K, ElementType::q8_0, ElementType::f16};
    }
    const auto bytes = bytes_by_type(session);
    std::uint64_t all = 0;
    for (const auto& [type, size] : bytes) all += size;
    constexpr std::uint64_t kSmallPart = 50;
    std::set<ElementType> types;
    for (const auto& [type, size] : bytes)
        if (size > all / kSmallPart) types.insert(type);
    return types;
}

/// The element type with most bytes of a model's weights, or a common default.
ElementType usual_weights(const Session* session) {
    const auto bytes = bytes_by_type(session);
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& entry) { return entry.second; });
    return most == bytes.end() ? ElementType::q4_K : most->first;
}

LinkRates measured_link(Backend& backend) {
    constexpr std::uint64_t kBytes = 32U << 20;
    constexpr int kRepeat = 5;
    const auto buffer = backend.default_buffer_type().allocate(kBytes);
    std::vector<std::byte> host(kBytes, kFilling);
    LinkRates rates;
    std::vector<double> writing;
    std::vector<double> reading;
    std::vector<double> smallest;
    for (int i = 0; i < kRepeat; ++i) {
        const auto start = Clock::now();
        buffer->write(0, host);
        const auto written = Clock::now();
        buffer->read(0, host);
        const auto read = Clock::now();
        buffer->read(0, std::span(host).first(sizeof(float)));
        writing.push_back(seconds_of(written - start));
        reading.push_back(seconds_of(read - written));
        smallest.push_back(seconds_of(Clock::now() - read));
    }
    rates.bandwidth = kBytes / std::max(median(std::move(writing)), median(std::move(reading)));
    rates.latency = median(std::move(smallest));
    return rates;
}

class Calibrating {
 public:
    Calibrating(KnownMachine known, const BackendKinds& kinds, const Session* session,
                const CalibrateOptions& options, const JobContext& job)
        : kinds_(kinds), session_(session), options_(options), job_(job) {
        result_.known = std::move(known);
    }

    Calibration take() {
        const Machine& machine = result_.known.machine;
        {
            // Devices are released before the model needs their memory.
            const LiveBackends live(machine, kinds_,
                                    {options_.threads,
                                     [stop = job_.stop_token()] { return stop.stop_requested(); },
                                     options_.kind_options,
                                     {}});
            if (!live.note().empty())
                throw Error(ErrorKind::unsupported, live.note(), msg::kPlaceCalibrate, msg::kNameRealDevices);
            for (std::size_t b = 0; b < machine.backends.size(); ++b) {
                const MachineBackend& described = machine.backends[b];
                job_.report(0.5 * static_cast<double>(b) / static_cast<double>(machine.backends.size()),
                            msg::kMeasuringDevice(described.name));
                require_real(described);
                measure(described, *live.all()[b]);
            }
        }
        fill_helpers();
        open_sample();
        for (std::size_t d = 0; d < result_.devices.size(); ++d) {
            job_.report(0.5 + 0.5 * static_cast<double>(d) / static_cast<double>(result_.devices.size()),
                        msg::kMeasuringDecode(result_.devices[d].name));
            measure_decode(BackendId(d));
        }
        return std::move(result_);
    }

 private:
    /// A device that works in the CPU's memory and computes no single tokens reads as fast as the CPU.
    void fill_helpers() {
        const double host = result_.devices.back().facts.memory_bandwidth;
        for (MeasuredDevice& device : result_.devices) {
            if (device.facts.memory_bandwidth > 0) continue;
            device.facts.memory_bandwidth = host;
            result_.known.devices[device.name] = device.facts;
        }
    }

    /// The small model; programs that use the library may lack it.
    void open_sample() {
        try {
            sample_ = open_session(sample_model_path(), job_);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::io) throw;
        }
    }

    void require_real(const MachineBackend& described) const {
        if (kinds_->kind_of(described) != nullptr) return;
        const bool own_cpu = described.kind.empty() && described.device == DeviceKind::cpu;
        if (!own_cpu) {
            throw Error(ErrorKind::unsupported, msg::kOnlyDescribed, described.name, msg::kNameRealDevices);
        }
    }

    ProductShape of_token() const { return {options_.columns, kRowsPerColumn * options_.columns, 1}; }
    ProductShape of_prompt() const { return {options_.columns, options_.columns, kPromptTokens}; }

    struct Product {
        double seconds = 0;  ///< 0 = not supported by the backend
        double bytes = 0;
        double flops = 0;
        bool disturbed = false;  ///< sending a graph seemed to take most of the time
    };
    /// Time of one of several products, repeated more often if sending dominates.
    Product product(Backend& backend, ElementType type, const ProductShape& shape, std::int64_t fewest,
                    double once) const {
        constexpr double kLonger = 5e-3;
        const Graph one = products(type, 1, shape);
        if (!MeasuredGraph::supported(backend, one)) return {};
        const GraphView view(one);
        const TensorId node = one.nodes.front();
        Product measured{0, node_bytes(view, node), node_flops(view, node)};
        for (const std::int64_t matrices : {fewest, kManyMatrices}) {
            double whole = 0;
            try {
                whole = MeasuredGraph(backend, products(type, matrices, shape)).measure(job_);
            } catch (const Error& error) {
                const bool full = error.kind() == ErrorKind::memory || error.kind() == ErrorKind::limit;
                if (!full || measured.seconds == 0) throw;
                break;
            }
            measured.seconds = without_sending(whole, once) / static_cast<double>(matrices);
            measured.disturbed = whole < 2 * once;
            if (!measured.disturbed && whole - once > kLonger) break;
        }
        return measured;
    }

    void measure(const MachineBackend& described, Backend& backend) {
        MeasuredDevice device;
        device.name = described.name;
        DeviceFacts& facts = result_.known.devices[described.name];
        facts.measured = true;
        // Each graph is sent and waited for once.
        double once = 0;
        if (Graph one = products(ElementType::f32, 1, {options_.columns, 1, 1});
            MeasuredGraph::supported(backend, one))
            once = MeasuredGraph(backend, std::move(one)).measure(job_);
        if (Graph small = chain(options_.columns); MeasuredGraph::supported(backend, small)) {
            const double chained = MeasuredGraph(backend, std::move(small)).measure(job_);
            facts.node_seconds = std::max(0.0, chained - once) / (kChain - 1);
        }
        sending_.push_back(std::max(0.0, once - facts.node_seconds));
        ElementType type = usual_weights(session_);
        for (const ElementType other : {ElementType::q8_0, ElementType::f16, ElementType::f32}) {
            if (MeasuredGraph::supported(backend, products(type, 1, of_token()))) break;
            type = other;
        }
        device.weights = std::string(name_of(type));
        std::set<ElementType> types = measured_types(session_);
        types.insert(type);
        const auto measured = [&](ElementType of, const ProductShape& shape, std::int64_t fewest) {
            const Product one = product(backend, of, shape, fewest, once);
            device.disturbed = device.disturbed || one.disturbed;
            return one;
        };
        for (const ElementType each : types) {
            const Product token = measured(each, of_token(), kMatrices);
            if (token.seconds > 0) facts.weight_bandwidth[each] = token.bytes / token.seconds;
        }
        if (const auto usual = facts.weight_bandwidth.find(type); usual != facts.weight_bandwidth.end())
            facts.memory_bandwidth = usual->second;
        if (const Product prompt = measured(type, of_prompt(), 1); prompt.seconds > 0)
            facts.flops_f16 = prompt.flops / prompt.seconds;
        if (const Product prompt = measured(ElementType::f32, of_prompt(), 1); prompt.seconds > 0)
            facts.flops_f32 = prompt.flops / prompt.seconds;
        if (described.device == DeviceKind::gpu) {
            BackendKind* const kind = kinds_->kind_of(described);
            const std::any own = kind == nullptr ? std::any() : kind->extra_function(kMeasureLink);
            const auto* const nearer = std::any_cast<MeasureLink>(&own);
            const LinkRates link = nearer != nullptr ? (*nearer)(described) : measured_link(backend);
            facts.link_bandwidth = link.bandwidth;
            // For devices in this computer it is part of the overhead per split.
            facts.link_latency = described.claims_all ? link.latency : 0;
        }
        device.facts = facts;
        result_.devices.push_back(std::move(device));
    }

    /// A decode entirely on one device.
    struct Decode {
        std::shared_ptr<const Analysis> analysis;
        TimedDecode timed;
    };

    /// Fits the rates to decodes of the sample and of the model.
    void measure_decode(BackendId backend) {
        MeasuredDevice& device = result_.devices[backend.index()];
        const Machine& machine = result_.known.machine;
        if (backend.index() + 1 < machine.backends.size() &&
            machine.backends[backend.index()].device != DeviceKind::gpu) {
            if (session_ != nullptr) device.no_decode = msg::kHasNoMemory;
            return;
        }
        DeviceFacts& facts = result_.known.devices[device.name];
        std::optional<Decode> small;
        if (sample_) small = decode_on(backend, *sample_, kSampleTokens, nullptr);
        std::optional<Decode> large;
        if (session_ != nullptr) large = decode_on(backend, *session_, options_.tokens, &device.no_decode);
        if (large) {
            device.decode.emplace();
            device.decode->seconds = large->timed.seconds;
            device.decode->from_products = large->timed.estimated(facts);
        }
        if (!fit_rates(facts, small ? &small->timed : nullptr, large ? &large->timed : nullptr))
            device.contradicted = true;
        if (large) device.decode->estimated = large->timed.estimated(facts);
        device.facts = facts;
    }

    std::optional<Decode> decode_on(BackendId backend, const Session& model, std::uint32_t tokens,
                                    Message* why_not) {
        const std::string& name = result_.devices[backend.index()].name;
        const Machine& machine = result_.known.machine;
        const bool is_cpu = backend.index() + 1 == machine.backends.size();
        Session session = model;
        session.kinds = kinds_;
        session.machine = machine;
        session.devices = result_.known.devices;
        session.model_options.gpu_layers = is_cpu ? 0 : std::numeric_limits<std::int32_t>::max();
        session.model_options.accelerators = {is_cpu ? std::string("none") : name};
        RunOptions run;
        run.prompt_tokens = {1, 2, 3, 4};
        run.tokens = std::max<std::uint32_t>(3, tokens);
        run.sampling.temperature = 0;
        run.stop_at_end = false;
        run.threads = options_.threads;
        run.kind_options = options_.kind_options;
        // What is computed on servers is only waited for when the token is read.
        const bool remote = machine.backends[backend.index()].claims_all;
        std::vector<double> times;
        auto last = Clock::now();
        RunObserver observer;
        observer.on_token = [&](const RunStep& step) {
            const auto now = Clock::now();
            times.push_back(seconds_of(remote ? now - last : step.execution->duration));
            last = now;
        };
        RunResult result;
        try {
            result = run_model(session, run, observer, job_);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::memory) throw;
            if (why_not != nullptr) *why_not = error.problem();
            return std::nullopt;
        }
        if (result.cancelled) throw Cancelled();
        // The prompt gives the first token, and the graph of the second is new.
        constexpr std::size_t kNotAlike = 2;
        if (result.decode == nullptr || times.size() <= kNotAlike) return std::nullopt;
        times.erase(times.begin(), times.begin() + kNotAlike);
        const double whole = median(std::move(times));
        const Schedule& schedule = *result.decode->schedule;
        // Sending a graph counts per split; over a network, as its latency.
        const double sent =
            remote ? 0 : sending_[backend.index()] * static_cast<double>(schedule.splits.size());
        Decode decode{result.decode, {}};
        decode.timed.seconds = without_sending(whole, sent);
        for (const TensorId node : schedule.graph->nodes) {
            const bool own = schedule.backend[node.index()] == backend;
            if (own && !is_view_op((*schedule.graph)[node].op)) ++decode.timed.nodes;
        }
        decode.timed.estimated = [this, name, analysis = result.decode](const DeviceFacts& facts) {
            auto devices = result_.known.devices;
            devices[name] = facts;
            return estimate(*analysis->schedule, hardware_of(*analysis->machine, devices, kinds_)).seconds;
        };
        return decode;
    }

    const BackendKinds& kinds_;
    const Session* session_;
    const CalibrateOptions& options_;
    const JobContext& job_;
    Calibration result_;
    std::optional<Session> sample_;
    std::vector<double> sending_;  ///< time to send a graph and return its end, by backend
};

}  // namespace

Calibration calibrate(KnownMachine known, const BackendKinds& kinds, const Session* session,
                      const CalibrateOptions& options, const JobContext& job) {
    return Calibrating(std::move(known), kinds, session, options, job).take();
}

}  // namespace splitscope

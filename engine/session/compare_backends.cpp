// SPDX-License-Identifier: MIT
#include "engine/session/compare_backends.hpp"

#include <algorithm>
#include <array>

#include "backends/interface/machine_of_devices.hpp"
#include "engine/execution/messages.hpp"
#include "engine/models/sampling.hpp"
#include "engine/session/live_model.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::int32_t kDefaultTokens = 12;

/// The session with the CPU only, which holds the compared graph.
Session on_host(const Session& session) {
    if (const auto reason = why_not_runnable(session)) {
        throw Error(ErrorKind::unsupported, *reason,
                    session.file ? ErrorPlace(session.file->path) : ErrorPlace(msg::kPlaceCompare),
                    msg::kOpenCompleteModel);
    }
    Session host = session;
    host.machine = machine_of_devices({}, BackendRegistry());
    // The prompt is one graph, which needs room in window caches.
    constexpr std::uint32_t kBatch = 512;
    host.model_options.batch = std::max(host.model_options.batch, kBatch);
    host.model_options.logical_batch = std::max(host.model_options.logical_batch, kBatch);
    return host;
}

class Comparing {
 public:
    /// `default_tokens`: number of tokens without a prompt.
    Comparing(const Session& host, std::int32_t default_tokens, const BackendComparisonOptions& options,
              const BackendComparisonObserver& observer, const JobContext& job)
        : options_(options),
          observer_(observer),
          job_(job),
          tokens_(tokens_of(host, default_tokens, options, job)),
          live_(host, run_options(options), std::uint64_t{tokens_.size()} + 1, {}, job),
          embeds_(host.file->model->gives_embeddings()) {}

    Backend& host() const { return *live_.backends().front(); }

    BackendComparison compare(Backend& tested, Backend& reference) {
        result_.tested = tested.name();
        result_.reference = reference.name();
        const auto count = static_cast<std::uint32_t>(tokens_.size());
        add(msg::kPromptOfTokens(count), tokens_, 0, tested, reference);
        const bool ended = options_.first_only && result_.first_exceeding;
        if (embeds_ || ended) return std::move(result_);
        // The token that a run would generate, which may need other experts than those of the prompt.
        const std::array next{Sampler(SamplingOptions{}).sample(live_.logits())};
        add(msg::kDecodeOfOne, next, count, tested, reference);
        return std::move(result_);
    }

 private:
    static RunOptions run_options(const BackendComparisonOptions& options) {
        RunOptions run;
        run.prompt = options.prompt;
        run.prompt_tokens = options.prompt_tokens;
        run.threads = options.threads;
        return run;
    }

    static std::vector<std::int32_t> tokens_of(const Session& host, std::int32_t default_tokens,
                                               const BackendComparisonOptions& options,
                                               const JobContext& job) {
        const Model& model = *host.file->model;
        const std::uint32_t context = context_cells(host);
        const bool given = !options.prompt.empty() || !options.prompt_tokens.empty();
        const auto most = static_cast<std::int32_t>(std::min<std::uint64_t>(context, 1U << 20)) - 1;
        auto tokens = given ? prompt_of(model, run_options(options), job).tokens
                            : spread_tokens(model, std::min(default_tokens, most));
        if (tokens.size() >= context) {
            throw Error(ErrorKind::limit, msg::kPromptTooLong(tokens.size(), context), msg::kPlacePrompt,
                        msg::kShortenPrompt);
        }
        return tokens;
    }

    void add(Message title, std::span<const std::int32_t> tokens, std::uint32_t position, Backend& tested,
             Backend& reference) {
        const BoundGraph& graph = live_.prepare(tokens, position);
        GraphComparison& compared = result_.graphs.emplace_back();
        compared.title = std::move(title);
        compared.graph = live_.analysis()->graph;
        const auto note = [&](const NodeComparison& node) {
            count(node);
            if (node.exceeds()) {
                if (!result_.first_exceeding)
                    result_.first_exceeding = {result_.graphs.size() - 1, compared.nodes.size()};
                ++(node.fused.empty() ? result_.exceeding : result_.fused_exceeding);
            }
            compared.nodes.push_back(node);
            if (observer_) observer_(compared, node);
            return !(options_.first_only && node.exceeds());
        };
        compare_nodes(host(), graph, tested, reference, options_.nodes, note, job_);
    }

    void count(const NodeComparison& node) {
        if (!node.fused.empty()) {
            ++(node.count > 0 ? result_.fused : result_.fused_omitted);
        } else {
            ++(node.support ? result_.compared : result_.refused);
            if (!node.support && node.reference_supports) ++result_.lost;
            if (node.support && !node.reference_supports) ++result_.gained;
            if (node.reference_rounds()) ++result_.reference_rounds;
            if (!node.judged) ++result_.not_judged;
            if (node.both_nan > 0) ++result_.both_nan;
        }
    }

    const BackendComparisonOptions& options_;
    const BackendComparisonObserver& observer_;
    const JobContext& job_;
    std::vector<std::int32_t> tokens_;
    LiveModel live_;
    bool embeds_ = false;
    BackendComparison result_;
};

/// A device of this computer by name, with the CPU.
class NamedBackend {
 public:
    NamedBackend(const std::string& name, const BackendKinds& kinds, const KindOptions& kind_options,
                 const BackendComparisonOptions& options, const JobContext& job)
        : kinds_(kinds),
          machine_(machine_of_devices(std::span(&name, 1), *kinds, kind_options)),
          live_(machine_, kinds,
                {options.threads, [stop = job.stop_token()] { return stop.stop_requested(); }, kind_options,
                 options.on_message}) {
        if (!live_.note().empty()) {
            throw Error(ErrorKind::unknown, live_.note(), msg::kPlaceCompare, msg::kSeeDevices);
        }
    }

    Backend& backend() const { return *live_.all().front(); }
    bool is_cpu() const { return machine_.backends.front().kind.empty(); }
    KindLimits limits() const {
        const BackendKind* const kind = kinds_->kind_of(machine_.backends.front());
        return kind != nullptr ? kind->limits() : KindLimits{};
    }

 private:
    BackendKinds kinds_;
    Machine machine_;
    LiveBackends live_;
};

/// Well above the minimum batch of any kind.
std::int32_t tokens_for(const KindLimits& limits) {
    return std::max(kDefaultTokens, limits.min_tokens + limits.min_tokens / 2);
}

}  // namespace

BackendComparison compare_backends(const Session& session, Backend& tested, Backend& reference,
                                   const BackendComparisonOptions& options,
                                   const BackendComparisonObserver& observer, const JobContext& job) {
    const Session host = on_host(session);
    return Comparing(host, kDefaultTokens, options, observer, job).compare(tested, reference);
}

BackendComparison compare_backends(const Session& session, const std::string& tested,
                                   const std::string& reference, const BackendComparisonOptions& options,
                                   const BackendComparisonObserver& observer, const JobContext& job) {
    const Session host = on_host(session);
    const BackendKinds kinds =
        session.kinds != nullptr ? session.kinds : std::make_shared<const BackendRegistry>();
    const bool apart = !options.reference_options.empty();
    const NamedBackend a(tested, kinds, options.kind_options, options, job);
    const NamedBackend b(reference, kinds, apart ? options.reference_options : options.kind_options, options,
                         job);
    const std::int32_t tokens = std::max(tokens_for(a.limits()), tokens_for(b.limits()));
    Comparing comparing(host, tokens, options, observer, job);
    // If the CPU is the reference, it is also the host.
    BackendComparison comparison =
        comparing.compare(a.backend(), b.is_cpu() ? comparing.host() : b.backend());
    // Two builds of a library may use equal device names.
    if (comparison.tested == comparison.reference && tested != reference) {
        comparison.tested = tested;
        comparison.reference = reference;
    }
    if (comparison.compared == 0) {
        const Message advice = a.limits().advice;
        throw Error(ErrorKind::unsupported, msg::kNothingCompared(a.backend().name(), comparison.refused),
                    msg::kPlaceCompare, advice.empty() ? Message(msg::kCompareOtherBackend) : advice);
    }
    return comparison;
}

}  // namespace splitscope

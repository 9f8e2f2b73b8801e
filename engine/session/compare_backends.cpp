// SPDX-License-Identifier: MIT
#include "engine/session/compare_backends.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "backends/vulkan/vulkan_machine.hpp"
#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/session/live_model.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::int32_t kDefaultTokens = 12;
/// BLAS takes products of 32 columns and more.
constexpr std::int32_t kDefaultTokensForBlas = 48;

/// Numbers from all over the vocabulary, the same each time.
std::vector<std::int32_t> spread_tokens(const Model& model, std::int32_t count) {
    const auto vocabulary = static_cast<std::int32_t>(model.shape().vocabulary);
    std::vector<std::int32_t> tokens;
    for (std::int32_t i = 0; i < count; ++i)
        tokens.push_back(vocabulary * static_cast<std::int64_t>(i) / count % vocabulary);
    return tokens;
}

/// The session on the CPU alone: where the compared graph lies.
Session on_host(const Session& session, VulkanKind& vulkan) {
    if (const auto reason = why_not_runnable(session)) {
        throw Error(ErrorKind::unsupported, *reason, session.file ? session.file->path.string() : "compare",
                    "open a complete model file");
    }
    const std::array<std::string, 1> cpu{"cpu"};
    Session host = session;
    host.machine = machine_of_devices(cpu, vulkan);
    return host;
}

class Comparing {
 public:
    /// `default_tokens`: how many are computed where no prompt is given.
    Comparing(const Session& host, std::int32_t default_tokens, const BackendComparisonOptions& options,
              const BackendComparisonObserver& observer, const JobContext& job)
        : options_(options), observer_(observer), job_(job), live_(host, run_options(options), {}, job) {
        const Model& model = *host.file->model;
        const bool given = !options.prompt.empty() || !options.prompt_tokens.empty();
        const auto most = static_cast<std::int32_t>(std::min<std::uint64_t>(live_.context(), 1U << 20)) - 1;
        tokens_ = given ? prompt_tokens(model, run_options(options))
                        : spread_tokens(model, std::min(default_tokens, most));
        if (tokens_.size() >= live_.context()) {
            throw Error(
                ErrorKind::limit,
                fmt::format("the prompt has {} tokens and the context {}", tokens_.size(), live_.context()),
                "prompt", "shorten the prompt or raise the context");
        }
        embeds_ = model.gives_embeddings();
    }

    Backend& host() const { return *live_.backends().front(); }

    BackendComparison compare(Backend& tested, Backend& reference) {
        result_.tested = tested.name();
        result_.reference = reference.name();
        const auto count = static_cast<std::uint32_t>(tokens_.size());
        add(fmt::format("prompt of {} tokens", count), tokens_, 0, tested, reference);
        const std::array next{tokens_.front()};
        const bool ended = options_.first_only && result_.first_exceeding;
        if (!embeds_ && !ended) add("next token", next, count, tested, reference);
        return std::move(result_);
    }

 private:
    static RunOptions run_options(const BackendComparisonOptions& options) {
        RunOptions run;
        run.prompt = options.prompt;
        run.prompt_tokens = options.prompt_tokens;
        run.threads = options.threads;
        run.vulkan = options.vulkan;
        return run;
    }

    void add(std::string title, std::span<const std::int32_t> tokens, std::uint32_t position, Backend& tested,
             Backend& reference) {
        const BoundGraph& graph = live_.prepare(tokens, position);
        GraphComparison& compared = result_.graphs.emplace_back();
        compared.title = std::move(title);
        compared.graph = live_.analysis()->graph;
        const auto note = [&](const NodeComparison& node) {
            ++(node.support ? result_.compared : result_.refused);
            if (node.exceeds()) {
                if (!result_.first_exceeding)
                    result_.first_exceeding = {result_.graphs.size() - 1, compared.nodes.size()};
                ++result_.exceeding;
            }
            compared.nodes.push_back(node);
            if (observer_) observer_(compared, node);
            return !(options_.first_only && node.exceeds());
        };
        compare_nodes(host(), graph, tested, reference, options_.nodes, note, job_);
    }

    const BackendComparisonOptions& options_;
    const BackendComparisonObserver& observer_;
    const JobContext& job_;
    LiveModel live_;
    std::vector<std::int32_t> tokens_;
    bool embeds_ = false;
    BackendComparison result_;
};

}  // namespace

BackendComparison compare_backends(const Session& session, Backend& tested, Backend& reference,
                                   const BackendComparisonOptions& options,
                                   const BackendComparisonObserver& observer, const JobContext& job) {
    const auto vulkan = options.vulkan != nullptr ? options.vulkan : std::make_shared<VulkanKind>();
    const Session host = on_host(session, *vulkan);
    return Comparing(host, kDefaultTokens, options, observer, job).compare(tested, reference);
}

BackendComparison compare_backends(const Session& session, const std::string& tested,
                                   const std::string& reference, const BackendComparisonOptions& options,
                                   const BackendComparisonObserver& observer, const JobContext& job) {
    BackendComparisonOptions own = options;
    if (own.vulkan == nullptr) own.vulkan = std::make_shared<VulkanKind>();
    const Session host = on_host(session, *own.vulkan);
    // Checks the names, and says what exists.
    const std::array<std::string, 2> names{tested, reference};
    const Machine machine = machine_of_devices(names, *own.vulkan);
    if (own.vulkan->device_count() == 0 && std::ranges::any_of(machine.backends, is_vulkan)) {
        throw Error(ErrorKind::unknown, "there is no Vulkan device (" + own.vulkan->why_none() + ")",
                    "compare", "install a Vulkan driver; mesa-vulkan-drivers computes without a GPU");
    }
    const bool with_blas = std::ranges::any_of(names, is_blas_name);
    // BLAS, if wanted, and the CPU in whose memory it works.
    const std::array<std::string, 1> processor_names{with_blas ? "blas" : "cpu"};
    LiveBackends processors(machine_of_devices(processor_names, *own.vulkan), own.threads,
                            [&job] { return job.stop_requested(); });
    std::vector<std::unique_ptr<Backend>> devices;
    const auto backend_of = [&](const std::string& name, Backend& cpu) -> Backend& {
        if (is_blas_name(name)) return *processors.all().front();
        if (is_cpu_name(name)) return cpu;
        return *devices.emplace_back(own.vulkan->find(name)->new_backend());
    };
    Comparing comparing(host, with_blas ? kDefaultTokensForBlas : kDefaultTokens, own, observer, job);
    Backend& a = backend_of(tested, *processors.all().back());
    Backend& b = backend_of(reference, comparing.host());
    BackendComparison comparison = comparing.compare(a, b);
    if (comparison.compared == 0) {
        throw Error(ErrorKind::unsupported,
                    fmt::format("{} takes none of the {} nodes, so nothing was compared", a.name(),
                                comparison.refused),
                    "compare",
                    is_blas_name(tested)
                        ? "give a prompt of 32 tokens or more: BLAS takes products of 32 rows, "
                          "columns and terms or more"
                        : "compare with another backend");
    }
    return comparison;
}

}  // namespace splitscope

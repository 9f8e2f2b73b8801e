// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "backends/ggml/ggml_device.hpp"
#include "backends/interface/backend_kind.hpp"
#include "backends/interface/own_scheduler.hpp"

namespace splitscope {

/// The devices of the user's own builds of ggml. Their libraries run in a process of their own for each
/// folder, which starts when it is needed and again after it has ended. A folder is only loaded after it was
/// named in the options: it is code that runs with the user's rights. Machines remember it as
/// "ggml:CUDA0@/folder".
class GgmlKind final : public BackendKind {
 public:
    explicit GgmlKind(ggml::EngineOptions options = {}) : engine_options_(std::move(options)) {}

    const std::string& name() const override { return name_; }
    std::string title() const override { return "engine"; }
    std::vector<KindOption> options() const override;
    /// None: devices belong to folders, which options name.
    std::size_t device_count() override { return 0; }
    Device& device(std::size_t index) override;
    /// Those of the folder in the options, else the engines found, which are not loaded. Errors: those of
    /// loading it.
    KindListing list(const KindOptions& options) override;
    bool searches() const override { return true; }
    std::string example() const override { return "engine:CUDA0"; }
    /// "engine:NAME", as the engine in the options calls it, or "engine:NAME@FOLDER". Errors: usage, when no
    /// folder is named; unknown, when that has no such device; those of loading it.
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) override;
    /// The engine's answers, asked for once; none while its folder is not confirmed.
    std::vector<OpSupport> supports(const MachineBackend& described, const GraphView& graph,
                                    std::span<const TensorId> nodes) override;
    LiveBackend make(const LiveRequest& request) override;
    /// ScheduleByOwn (own_scheduler.hpp).
    std::any extra_function(std::string_view name) override;
    std::optional<int> run_process(std::span<const char* const> arguments) override;

    /// The running engine of a folder, started where there is none; the folder counts as confirmed.
    std::shared_ptr<ggml::EngineDevices> open(const std::filesystem::path& folder);

 private:
    struct Loaded {
        std::shared_ptr<ggml::Answers> answers;
        std::shared_ptr<ggml::EngineDevices> devices;
        std::filesystem::file_time_type built;
    };
    OwnSchedule schedule(const Machine& machine, const Graph& graph);
    bool is_confirmed(const std::filesystem::path& folder);

    std::string name_ = "ggml";
    ggml::EngineOptions engine_options_;
    std::mutex mutex_;
    std::set<std::filesystem::path> confirmed_;
    std::map<std::filesystem::path, Loaded> loaded_;
};

std::shared_ptr<BackendKind> make_ggml_kind();

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "backends/ggml/ggml_device.hpp"
#include "backends/ggml/remembered_engine.hpp"
#include "backends/interface/backend_kind.hpp"
#include "backends/interface/measure_link.hpp"
#include "backends/interface/native_scheduler.hpp"

namespace splitscope {

/// Devices of the user's own ggml builds. The libraries of each folder run in a separate process, started on
/// demand and restarted after it has ended. A folder is loaded only after it was named in the options,
/// because its code runs with the user's rights. Machines store it as "ggml:CUDA0@/folder".
class GgmlBackendKind final : public BackendKind {
 public:
    explicit GgmlBackendKind(ggml::EngineOptions options = {}, ggml::RememberedEngine remembered = {})
        : engine_options_(std::move(options)), remembered_(std::move(remembered)) {}

    const std::string& name() const override { return name_; }
    std::string title() const override { return "engine"; }
    std::vector<KindOption> options() const override;
    /// Always 0: devices belong to folders, which are named by options.
    std::size_t device_count() override { return 0; }
    Device& device(std::size_t index) override;
    /// The devices of the folder in the options, or without one, the engines found, which are not loaded.
    /// Errors: those of loading.
    KindListing list(const KindOptions& options) override;
    bool searches() const override { return true; }
    std::string example() const override { return "engine:CUDA0"; }
    /// "engine:NAME", with the engine's own device name, or "engine:NAME@FOLDER". Errors: usage, if no folder
    /// is named; unknown, if it has no such device; those of loading.
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) override;
    std::optional<ListedDevice> find_listed(const MachineBackend& described,
                                            const KindOptions& options) override;
    /// Confirms the folder. Errors: io, unsupported, if it has no engine.
    void accept(const KindOptions& options) override;
    bool is_selected(const MachineBackend& described, const KindOptions& options) override;
    /// The engine's answers, cached. Errors: unsupported, if its folder is not confirmed; io and unknown, if
    /// the folder or the device is missing.
    std::vector<OpSupport> supports(const MachineBackend& described, const GraphView& graph,
                                    std::span<const TensorId> nodes) override;
    LiveBackend make(const LiveRequest& request) override;
    /// NativeScheduler (native_scheduler.hpp), MeasureLink (measure_link.hpp), UsualOptions
    /// (usual_options.hpp).
    std::any extra_function(std::string_view name) override;
    std::vector<std::string> suggestions(const std::string& option) override;
    void set_question(std::function<bool(const Message& question)> ask) override { ask_ = std::move(ask); }
    std::optional<int> run_process(std::span<const char* const> arguments) override;

    /// The running engine of a folder, started if necessary; confirms the folder.
    std::shared_ptr<ggml::EngineDevices> open(const ggml::EngineSource& source);
    std::shared_ptr<ggml::EngineDevices> open(const std::filesystem::path& folder) {
        return open(ggml::EngineSource{folder.string(), {}});
    }

 private:
    struct Loaded {
        std::shared_ptr<ggml::Answers> answers;
        std::shared_ptr<ggml::EngineDevices> devices;
        std::filesystem::file_time_type built;
    };
    struct DescribedEngine {
        std::shared_ptr<ggml::EngineDevices> devices;
        ggml::GgmlDevice& device;
    };
    /// Errors: as of supports().
    DescribedEngine open_described(const MachineBackend& described);
    NativeSchedule schedule(const Machine& machine, const Graph& graph);
    KindOptions usual_options(KindOptions options);
    LinkRates measure_link(const MachineBackend& backend);
    bool is_confirmed(const std::string& folder);
    /// From the options, else the remembered or confirmed folder; empty = none.
    std::string folder_for(const KindOptions& options);

    std::string name_ = "ggml";
    ggml::EngineOptions engine_options_;
    ggml::RememberedEngine remembered_;
    std::function<bool(const Message&)> ask_;
    std::mutex mutex_;
    std::set<std::string> confirmed_;
    std::map<ggml::EngineSource, Loaded> loaded_;
};

std::shared_ptr<BackendKind> make_ggml_kind();

}  // namespace splitscope

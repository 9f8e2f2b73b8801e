// SPDX-License-Identifier: MIT
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/machine.hpp"
#include "engine/messages/message.hpp"

namespace splitscope {

/// An option of a kind: --name on the command line, `title` in the window.
struct KindOption {
    std::string name;
    Message title;
    Message help;
    std::string value;  ///< placeholder of the value ("FOLDER"); empty = a switch
    /// The question before its value is loaded as foreign code, with the user's rights; empty = not code.
    Message before_loading{};

    bool is_switch() const { return value.empty(); }
};

/// Option values by name; an enabled switch has an arbitrary value.
using KindOptions = std::map<std::string, std::string>;

/// A message of a backend during a run.
struct BackendMessage {
    Message source;  ///< title of the option that requested it, or of the kind
    std::string text;
};

/// Description of a device that has not been opened.
enum class DeviceClass : std::uint8_t {
    discrete,
    integrated,  ///< shares the memory of the computer
    software,    ///< computes on the CPU
    remote,
};

struct ListedDevice {
    using Property = std::variant<bool, std::uint64_t, std::string>;

    std::string name;  ///< as in machines and on the command line
    DeviceKind type = DeviceKind::cpu;
    std::string hardware;
    std::string driver;                                          ///< name and version; may be empty
    DeviceMemory memory;                                         ///< 0 and 0 = not known
    std::vector<Message> details{};                              ///< limits and abilities, one sentence each
    std::vector<std::pair<std::string, Property>> properties{};  ///< `details` in machine-readable form
    Message why_unusable{};                                      ///< empty if it can be used
    DeviceClass device_class = DeviceClass::discrete;            ///< of a GPU

    bool usable() const { return why_unusable.empty(); }
};

struct KindListing {
    std::vector<ListedDevice> devices;  ///< usable or not
    Message why_none;                   ///< why no device is usable; empty if one is
};

/// A device as part of a machine. machine_of_devices.hpp fills in the buffer types.
struct DescribedDevice {
    MachineBackend backend;
    std::optional<MachineBufferType> memory;  ///< its own memory; none = uses the CPU's
};

/// A device that can be offered without a search.
struct OfferedDevice {
    std::string name;
    Message title;  ///< menu text
};

struct KindLimits {
    std::int32_t min_tokens = 1;  ///< smaller batches are not worth the device
    Message advice;               ///< the remedy if the device refused all nodes of a graph
};

/// Input for creating the backend that a machine describes.
struct LiveRequest {
    const Machine& machine;
    BackendId backend;  ///< index in the machine
    std::uint32_t threads = 1;
    std::function<bool()> abort;  ///< polled between work items; true ends the computation
    /// Backends of the machine that exist already, else null. Those without a kind are created first.
    std::span<Backend* const> made;
    const KindOptions& options;
    std::function<void(const BackendMessage&)> on_message;

    const MachineBackend& described() const { return machine.backends[backend.index()]; }
};

/// A backend, or the reason why there is none; then the CPU computes instead.
struct LiveBackend {
    std::shared_ptr<Device> device;
    std::unique_ptr<Backend> backend;
    Message why_not;
};

/// Case-insensitive comparison.
bool same_name(std::string_view a, std::string_view b);

/// A kind of backend: finds devices, describes them as parts of a machine, and creates the backends of
/// machines that name it (MachineBackend::kind). Nothing outside the kind's folder uses its name.
/// Thread-safe; the device search may load drivers and happens on first use.
class BackendKind {
 public:
    BackendKind() = default;
    virtual ~BackendKind() = default;
    BackendKind(const BackendKind&) = delete;
    BackendKind& operator=(const BackendKind&) = delete;

    /// As in machine files: lower case, without a colon.
    virtual const std::string& name() const = 0;
    /// Name for messages.
    virtual std::string title() const { return name(); }
    virtual std::vector<KindOption> options() const { return {}; }
    virtual KindLimits limits() const { return {}; }

    /// Usable devices, opened on first access and owned by the kind. Errors: unknown.
    virtual std::size_t device_count() = 0;
    virtual Device& device(std::size_t index) = 0;

    /// All devices found. Errors: those of invalid options.
    virtual KindListing list(const KindOptions& options) = 0;
    /// Whether finding devices takes time and depends on the computer, so that the result should be shown.
    virtual bool searches() const { return false; }
    /// Devices available without a search; cheap.
    virtual std::vector<OfferedDevice> offers() const { return {}; }
    /// An example of a device name.
    virtual std::string example() const { return name(); }
    /// The device that a user's text means, case-insensitive; empty if it is not of this kind.
    virtual std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) = 0;
    /// The listed device that a machine describes; empty if there is none. Errors: those of list().
    virtual std::optional<ListedDevice> find_listed(const MachineBackend& described,
                                                    const KindOptions& options);
    /// The options that the user gave, before the kind is used: code that they name may be loaded. Errors:
    /// those of invalid options.
    virtual void accept(const KindOptions& /*options*/) {}
    /// Whether a described device is one of those that the options select.
    virtual bool is_selected(const MachineBackend& /*described*/, const KindOptions& /*options*/) {
        return true;
    }
    /// Support of a described device for these nodes, one entry each; empty if unknown. Errors: unsupported,
    /// if only a library can answer that may not be loaded; unknown and io, if it or the device is missing.
    virtual std::vector<OpSupport> supports(const MachineBackend& described, const GraphView& graph,
                                            std::span<const TensorId> nodes) = 0;
    /// Creates the backend that a machine describes. A missing device is not an error. Errors: unsupported,
    /// for invalid options; memory, and those of drivers.
    virtual LiveBackend make(const LiveRequest& request) = 0;

    /// Likely values of an option, previously used ones first. Loads nothing.
    virtual std::vector<std::string> suggestions(const std::string& /*option*/) { return {}; }
    /// `ask` is called, on any thread, before loading foreign code that the user has not named; true = load
    /// it. Without `ask`, such code is not loaded. Set before the kind is used.
    virtual void set_question(std::function<bool(const Message& question)> /*ask*/) {}

    /// For kinds that run foreign code in a separate process: this program started again with arguments of
    /// the kind. Then runs that process and returns its exit code; otherwise empty.
    virtual std::optional<int> run_process(std::span<const char* const> /*arguments*/) {
        return std::nullopt;
    }

    /// Environment variables that the kind's libraries read while they are loaded, before main();
    /// `address_space`: the limit of the process, in bytes.
    virtual std::map<std::string, std::string> load_environment(std::uint64_t /*address_space*/) const {
        return {};
    }

    /// An extra function by name, as a std::function of the documented type; empty if there is none.
    virtual std::any extra_function(std::string_view /*name*/) { return {}; }
};

}  // namespace splitscope

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

/// A setting of a kind, offered on the command line as --name and in the window under its title.
struct KindOption {
    std::string name;
    Message title;
    Message help;
    std::string value;  ///< what its value is called ("FOLDER"); empty = a switch

    bool is_switch() const { return value.empty(); }
};

/// Chosen settings by the names of their options; a switch that is on has any value.
using KindOptions = std::map<std::string, std::string>;

/// What a backend reports while it works.
struct BackendMessage {
    Message source;  ///< the title of the option that asked for it, or the kind's
    std::string text;
};

/// What a kind knows about one device without opening it.
struct ListedDevice {
    using Property = std::variant<bool, std::uint64_t, std::string>;

    std::string name;  ///< as machines and users call it
    DeviceKind type = DeviceKind::cpu;
    std::string hardware;
    std::string driver;                                          ///< name and version; may be empty
    DeviceMemory memory;                                         ///< 0 and 0 = not known
    std::vector<Message> details{};                              ///< limits and abilities, one sentence each
    std::vector<std::pair<std::string, Property>> properties{};  ///< the same for programs
    Message why_unusable{};                                      ///< empty when it can be used

    bool usable() const { return why_unusable.empty(); }
};

struct KindListing {
    std::vector<ListedDevice> devices;  ///< usable or not
    Message why_none;                   ///< why no device is usable; empty when one is
};

/// A device as part of a machine. Buffer types are filled in when it is added (machine_of_devices.hpp).
struct DescribedDevice {
    MachineBackend backend;
    std::optional<MachineBufferType> memory;  ///< its own; none = it works in the CPU's
};

/// A device that can be offered without looking for it.
struct OfferedDevice {
    std::string name;
    Message title;  ///< how a menu names it
};

struct KindLimits {
    std::int32_t fewest_tokens = 1;  ///< batches below this are not worth the device
    Message advice;                  ///< the remedy when none of a graph's nodes was taken
};

/// Everything a kind needs to make the backend that a machine describes.
struct LiveRequest {
    const Machine& machine;
    BackendId backend;  ///< which of the machine's backends
    std::uint32_t threads = 1;
    std::function<bool()> abort;  ///< asked between pieces of work; true ends the computation
    /// The machine's backends that exist already, else null. Those without a kind come first.
    std::span<Backend* const> made;
    const KindOptions& options;
    std::function<void(const BackendMessage&)> on_message;

    const MachineBackend& described() const { return machine.backends[backend.index()]; }
};

/// A backend that computes, or why there is none: then the CPU stands in.
struct LiveBackend {
    std::shared_ptr<Device> device;
    std::unique_ptr<Backend> backend;
    Message why_not;
};

/// Upper and lower case alike.
bool same_name(std::string_view a, std::string_view b);

/// A kind of backend: it finds devices, describes them as parts of a machine, and makes the backends of
/// machines that name it (MachineBackend::kind). Nothing outside the kind's folder knows its name. Called
/// from several threads at once; finding devices may load drivers and happens when it is first needed.
class BackendKind {
 public:
    BackendKind() = default;
    virtual ~BackendKind() = default;
    BackendKind(const BackendKind&) = delete;
    BackendKind& operator=(const BackendKind&) = delete;

    /// As machine files write it: lower case, without a colon.
    virtual const std::string& name() const = 0;
    /// For sentences.
    virtual std::string title() const { return name(); }
    virtual std::vector<KindOption> options() const { return {}; }
    virtual KindLimits limits() const { return {}; }

    /// Usable devices, opened when they are asked for and kept by the kind. Errors: unknown.
    virtual std::size_t device_count() = 0;
    virtual Device& device(std::size_t index) = 0;

    /// Every device found. Errors: those of options that cannot be met.
    virtual KindListing list(const KindOptions& options) = 0;
    /// Finding devices takes time and depends on the computer, so that what was found is worth telling.
    virtual bool searches() const { return false; }
    /// Devices that are there without looking; cheap.
    virtual std::vector<OfferedDevice> offers() const { return {}; }
    /// A device's name as users write it, for examples.
    virtual std::string example() const { return name(); }
    /// The device a user means by this, in upper or lower case; nothing when it is none of this kind.
    virtual std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) = 0;
    /// Which of these nodes a described device takes, one answer for each; none when they are not known.
    virtual std::vector<OpSupport> supports(const MachineBackend& described, const GraphView& graph,
                                            std::span<const TensorId> nodes) = 0;
    /// The backend that a machine describes. Errors: unsupported, for options that cannot be met; memory, and
    /// what drivers report. A computer without the device is no error.
    virtual LiveBackend make(const LiveRequest& request) = 0;

    /// A kind that lets foreign code work in a process of its own starts this program again with arguments
    /// that it knows: then it does that process's work and returns its exit code.
    virtual std::optional<int> run_process(std::span<const char* const> /*arguments*/) {
        return std::nullopt;
    }

    /// Settings that the kind's libraries read from the environment while they are loaded, before main(), by
    /// variable; `address_space`: what the process may have, in bytes.
    virtual std::map<std::string, std::string> load_environment(std::uint64_t /*address_space*/) const {
        return {};
    }

    /// An extra function of this kind by name, as a std::function of the type the kind documents; empty when
    /// it has none.
    virtual std::any extra_function(std::string_view /*name*/) { return {}; }
};

}  // namespace splitscope

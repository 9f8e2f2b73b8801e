// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dump_tensors.hpp"

#include <algorithm>

#include "app/cli/messages.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/npy.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/nearest_name.hpp"

namespace splitscope::cli {

TensorDump::TensorDump(const std::vector<std::string>& requests) {
    for (const std::string& request : requests) {
        // Tensor names may contain "=", file names of arrays are assumed not to.
        const auto middle = request.rfind('=');
        if (middle == std::string::npos || middle == 0 || !request.ends_with(".npy")) {
            throw Error(ErrorKind::usage, msg::kNotNodeAndFile(request), "--dump-tensor",
                        msg::kGiveNodeAndFile);
        }
        wanted_[request.substr(0, middle)].files.emplace_back(request.substr(middle + 1));
    }
}

std::vector<std::filesystem::path> TensorDump::files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& [name, wanted] : wanted_)
        files.insert(files.end(), wanted.files.begin(), wanted.files.end());
    return files;
}

/// Resolves the wanted nodes in a new graph.
void TensorDump::look_at(const Analysis& analysis) {
    if (identities_ == analysis.identities) return;
    identities_ = analysis.identities;
    names_.clear();
    wanted_nodes_.clear();
    for (auto& [node, wanted] : wanted_) {
        for (const TensorId tensor : identities_->all(node)) wanted_nodes_[tensor].push_back(&wanted);
    }
}

void TensorDump::watch(RunObserver& observer) {
    if (wanted_.empty()) return;
    observer.on_node = [this](const Analysis& analysis, TensorId node, std::span<const std::byte> bytes) {
        look_at(analysis);
        const Tensor& tensor = (*analysis.graph)[node];
        names_.push_back(tensor.name);
        const auto found = wanted_nodes_.find(node);
        if (found == wanted_nodes_.end()) return;
        for (Wanted* wanted : found->second) {
            wanted->tensor = tensor;
            wanted->bytes.assign(bytes.begin(), bytes.end());
            wanted->seen.insert(identities_->of(node));
        }
    };
}

void TensorDump::require_all_seen() const {
    for (const auto& [name, wanted] : wanted_) {
        if (wanted.seen.size() == 1) continue;
        if (wanted.seen.size() > 1) {
            std::string nodes;
            for (const TensorIdentity& node : wanted.seen)
                nodes += (nodes.empty() ? "" : ", ") + text_of(node);
            throw Error(ErrorKind::usage, msg::kNodesOfOneName(wanted.seen.size(), name), "--dump-tensor",
                        msg::kChooseTable(nodes));
        }
        const auto nearest = std::ranges::min_element(
            names_, {},
            [&wanted_name = name](const std::string& known) { return edit_distance(wanted_name, known); });
        throw Error(ErrorKind::usage, msg::kNoSuchNodeComputed(name), "--dump-tensor",
                    nearest == names_.end() ? Message(msg::kSeeNodeTable) : msg::kDidYouMeanNode(*nearest));
    }
}

std::vector<std::string> TensorDump::write() const {
    require_all_seen();
    std::vector<std::string> files;
    for (const auto& [name, wanted] : wanted_) {
        const std::string content = npy_of(wanted.tensor, wanted.bytes);
        for (const std::filesystem::path& file : wanted.files) {
            write_file_atomically(file, content);
            files.push_back(file.string());
        }
    }
    return files;
}

}  // namespace splitscope::cli

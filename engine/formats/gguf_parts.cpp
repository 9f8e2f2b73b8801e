// SPDX-License-Identifier: MIT
// Models split into several files: NAME-00001-of-0000N.gguf and so on.
#include <utility>

#include <fmt/format.h>

#include "engine/formats/gguf.hpp"
#include "engine/formats/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/mapping_guard.hpp"

namespace splitscope {
namespace {

std::string ending(std::uint64_t part, std::uint64_t count) {
    return fmt::format("-{:05}-of-{:05}.gguf", part + 1, count);
}

Error damaged(const GgufFile& file, Message problem) {
    return {ErrorKind::bad_file, std::move(problem), file.path(), msg::kPartsDoNotBelong};
}

}  // namespace

void GgufFile::require_readable() const {
    for (std::size_t part = 0; part < parts(); ++part) require_intact(mapped_bytes(part), path_of(part));
}

void GgufFile::add_parts(const JobContext& job) {
    const std::uint64_t count = unsigned_value("split.count").value_or(0);
    if (count <= 1) return;
    if (count > kMaxGgufParts) throw damaged(*this, msg::kTooManyParts(count));
    const std::uint64_t number = unsigned_value("split.no").value_or(0);
    const std::string name = path().filename().string();
    const std::string own_ending = ending(number, count);
    if (!name.ends_with(own_ending)) {
        throw Error(ErrorKind::bad_file, msg::kPartNotNamed(number + 1, count), path(),
                    msg::kRenamePart(own_ending));
    }
    const std::string prefix = name.substr(0, name.size() - own_ending.size());
    const auto named = [&](std::uint64_t part) {
        return path().parent_path() / (prefix + ending(part, count));
    };
    if (number != 0) {
        throw Error(ErrorKind::bad_file, msg::kNotFirstPart(number + 1, count), path(),
                    msg::kOpenFirstPart(named(0).filename()));
    }
    for (std::uint64_t part = 1; part < count; ++part) {
        job.check();
        const std::filesystem::path file = named(part);
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored)) {
            throw Error(ErrorKind::bad_file, msg::kModelPartMissing(part + 1, count), file,
                        msg::kPutBesideFirst);
        }
        const auto opened = read(file, job);
        if (opened->unsigned_value("split.count") != count || opened->unsigned_value("split.no") != part) {
            throw damaged(*opened, msg::kPartDisagrees(part + 1, count));
        }
        add_part(opened);
    }
    const auto stated = unsigned_value("split.tensors.count");
    if (stated && *stated != tensors_.size()) {
        throw damaged(*this, msg::kPartsTensorCount(tensors_.size(), *stated));
    }
    // The strings have been moved.
    tensor_index_.clear();
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const GgufTensor& tensor = tensors_[i];
        if (!tensor_index_.emplace(tensor.name, i).second)
            throw damaged(*more_[tensor.part - 1], msg::kTensorInEarlierPart(tensor.name));
    }
    // A part without tensors needs no data section.
    bool complete = true;
    for (const GgufTensor& tensor : tensors_)
        complete = complete && (tensor.part == 0 ? has_data_ : more_[tensor.part - 1]->has_data_);
    has_data_ = complete;
}

void GgufFile::add_part(std::shared_ptr<const GgufFile> part) {
    more_from_.push_back(tensors_.size());
    more_.push_back(std::move(part));
    for (GgufTensor tensor : more_.back()->tensors_) {
        tensor.part = static_cast<std::uint32_t>(more_.size());
        tensors_.push_back(std::move(tensor));
    }
}

}  // namespace splitscope

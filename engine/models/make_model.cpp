// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "engine/models/hyperparameters.hpp"
#include "engine/models/llama.hpp"
#include "engine/models/model.hpp"
#include "engine/models/spm_tokenizer.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using BuildGraph = ModelGraph (*)(const GgufFile&, const Hyperparameters&, const ModelGraphOptions&,
                                  const ModelPlacement&);

struct Family {
    std::string_view architecture;
    BuildGraph build;
};

/// One row per architecture; a family may serve several.
constexpr std::array kFamilies = {Family{"llama", build_llama}};

BuildGraph builder_for(const GgufFile& file, const std::string& architecture) {
    for (const Family& family : kFamilies) {
        if (family.architecture == architecture) return family.build;
    }
    std::string known;
    for (const Family& family : kFamilies)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", family.architecture);
    throw Error(ErrorKind::unsupported,
                fmt::format("there is no graph builder for the architecture '{}'", architecture),
                file.path().string(), fmt::format("open a captured graph of it, or a model of: {}", known));
}

class FileModel final : public Model {
 public:
    explicit FileModel(std::shared_ptr<const GgufFile> file)
        : file_(std::move(file)),
          hyperparameters_(read_hyperparameters(*file_)),
          build_(builder_for(*file_, hyperparameters_.shape.architecture)) {
        try {
            tokenizer_ = make_tokenizer(*file_);
        } catch (const Error& error) {
            no_tokenizer_ = error.problem();
        }
    }

    const ModelShape& shape() const override { return hyperparameters_.shape; }
    const GgufFile& file() const override { return *file_; }
    ModelGraph build_graph(const ModelGraphOptions& options, const ModelPlacement& placement) const override {
        return build_(*file_, hyperparameters_, options, placement);
    }
    const Tokenizer* tokenizer() const override { return tokenizer_.get(); }

    std::optional<std::string> why_not_runnable() const override {
        if (!file_->has_data())
            return "The file holds no weights, only their description, so there is nothing to compute.";
        if (!tokenizer_) return fmt::format("The text cannot be cut into tokens: {}.", no_tokenizer_);
        if (tokenizer_->vocabulary_size() < shape().vocabulary) {
            return fmt::format("The file lists {} of {} tokens, so text cannot be cut into tokens.",
                               tokenizer_->vocabulary_size(), shape().vocabulary);
        }
        return std::nullopt;
    }

 private:
    std::shared_ptr<const GgufFile> file_;
    Hyperparameters hyperparameters_;
    BuildGraph build_;
    std::unique_ptr<const Tokenizer> tokenizer_;
    std::string no_tokenizer_;
};

}  // namespace

std::string Model::name() const {
    if (auto name = file().string_value("general.name"); name && !name->empty()) return *name;
    return file().path().stem().string();
}

std::unique_ptr<const Tokenizer> make_tokenizer(const GgufFile& file) {
    const std::string kind = file.string_value("tokenizer.ggml.model").value_or("");
    if (kind == "llama") return make_spm_tokenizer(file);
    throw Error(ErrorKind::unsupported,
                kind.empty() ? std::string("the file names no tokenizer")
                             : fmt::format("the tokenizer '{}' is not supported", kind),
                fmt::format("{}: 'tokenizer.ggml.model'", file.path().string()),
                "use a model with a 'llama' vocabulary");
}

std::shared_ptr<const Model> make_model(std::shared_ptr<const GgufFile> file, const JobContext& job) {
    job.check();
    return std::make_shared<const FileModel>(std::move(file));
}

}  // namespace splitscope

// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/bpe_tokenizer.hpp"
#include "engine/models/check_file.hpp"
#include "engine/models/families.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/model.hpp"
#include "engine/models/spm_tokenizer.hpp"
#include "engine/models/wordpiece_tokenizer.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

struct Family {
    std::string_view architecture;
    BuildGraph* build;
    bool gives_embeddings = false;
    bool only_2026_08 = false;  ///< needs operations that came later than 2025-02
};

/// One row per architecture; a family may serve several.
constexpr std::array kFamilies = {Family{"llama", build_llama},
                                  Family{"qwen2", build_qwen},
                                  Family{"qwen3", build_qwen},
                                  Family{"qwen3moe", build_qwen},
                                  Family{"gemma2", build_gemma},
                                  Family{"gemma3", build_gemma},
                                  Family{"phi3", build_phi3},
                                  Family{"gpt2", build_gpt2},
                                  Family{"gpt-oss", build_gpt_oss, false, true},
                                  Family{"mamba", build_mamba, false, true},
                                  Family{"bert", build_bert, true}};

const Family& family_of(const GgufFile& file, const std::string& architecture) {
    for (const Family& family : kFamilies) {
        if (family.architecture == architecture) return family;
    }
    std::string known;
    for (const Family& family : kFamilies)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", family.architecture);
    throw Error(ErrorKind::unsupported, msg::kNoBuilder(architecture), file.path(),
                msg::kOpenCaptureOrModelOf(known));
}

class FileModel final : public Model {
 public:
    explicit FileModel(std::shared_ptr<const GgufFile> file)
        : file_(std::move(file)),
          family_(family_of(*file_, architecture_of(*file_))),
          hyperparameters_(read_hyperparameters(*file_)) {
        try {
            tokenizer_ = make_tokenizer(*file_);
        } catch (const Error& error) {
            no_tokenizer_ = error.problem();
        }
    }

    const ModelShape& shape() const override { return hyperparameters_.shape; }
    const GgufFile& file() const override { return *file_; }
    ModelGraph build_graph(const ModelGraphOptions& options, const ModelPlacement& placement) const override {
        if (options.form == GraphForm::g2025_02 && family_.only_2026_08) {
            throw Error(ErrorKind::unsupported, msg::kNeedsNewerOperations(family_.architecture),
                        file_->path(), msg::kChooseNewest);
        }
        return family_.build(*file_, hyperparameters_, options, placement);
    }
    bool gives_embeddings() const override { return family_.gives_embeddings; }
    const Tokenizer* tokenizer() const override { return tokenizer_.get(); }

    std::optional<Message> why_not_runnable() const override {
        if (const auto error = why_not_loadable(*file_))
            return msg::kNoEngineLoads(reason_in(*file_, *error));
        if (!file_->has_data()) return msg::kOnlyDescription;
        if (!tokenizer_) return msg::kCannotTokenize(no_tokenizer_);
        if (tokenizer_->vocabulary_size() < shape().vocabulary) {
            return msg::kTokensNotListed(tokenizer_->vocabulary_size(), shape().vocabulary);
        }
        return std::nullopt;
    }

 private:
    std::shared_ptr<const GgufFile> file_;
    const Family& family_;
    Hyperparameters hyperparameters_;
    std::unique_ptr<const Tokenizer> tokenizer_;
    Message no_tokenizer_;
};

}  // namespace

std::string Model::name() const {
    if (auto name = file().string_value("general.name"); name && !name->empty()) return *name;
    return file().path().stem().string();
}

std::unique_ptr<const Tokenizer> make_tokenizer(const GgufFile& file) {
    const std::string kind = file.string_value("tokenizer.ggml.model").value_or("");
    if (kind == "llama") return make_spm_tokenizer(file);
    if (kind == "gpt2") return make_bpe_tokenizer(file);
    if (kind == "bert") return make_wordpiece_tokenizer(file);
    throw Error(ErrorKind::unsupported,
                kind.empty() ? Message(msg::kTokenizerNotNamed) : msg::kTokenizerUnsupported(kind),
                place_of_key(file.path(), "tokenizer.ggml.model"), msg::kUseSupportedVocabulary);
}

std::shared_ptr<const Model> make_model(std::shared_ptr<const GgufFile> file, const JobContext& job) {
    job.check();
    return std::make_shared<const FileModel>(std::move(file));
}

}  // namespace splitscope

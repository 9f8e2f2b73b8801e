// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/model_options_editor.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/session/model_placement.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/element_type.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/session_edits.hpp"

namespace splitscope::ui {
namespace {

constexpr std::array kCacheTypes{ElementType::f32,  ElementType::f16,  ElementType::bf16, ElementType::q8_0,
                                 ElementType::q5_1, ElementType::q5_0, ElementType::q4_1, ElementType::q4_0};

/// Embeddings without a pooling of their own; the others are values of Pooling.
enum EmbeddingsChoice : int { kNoEmbeddings = -2, kPoolingOfFile = -1 };

int choice_of(bool embeddings, const std::optional<Pooling>& pooling) {
    if (!embeddings) return kNoEmbeddings;
    return pooling ? static_cast<int>(*pooling) : kPoolingOfFile;
}

/// Flash attention options; two flags of ModelOptions.
enum FlashChoice : int { kFlashOff, kFlashOn, kFlashAutomatic };

QComboBox* new_cache_types(const QString& none) {
    auto* box = new QComboBox;
    box->addItem(none, -1);
    for (const ElementType type : kCacheTypes) box->addItem(to_text(name_of(type)), static_cast<int>(type));
    return box;
}

std::optional<ElementType> chosen_type(const QComboBox& box) {
    const int type = box.currentData().toInt();
    return type < 0 ? std::nullopt : std::optional(static_cast<ElementType>(type));
}

void show_type(QComboBox& box, const std::optional<ElementType>& type) {
    box.setCurrentIndex(std::max(0, box.findData(type ? static_cast<int>(*type) : -1)));
}

}  // namespace

ModelOptionsEditor::ModelOptionsEditor(Document& document)
    : QGroupBox(tr("Model and scheduler")), document_(document) {
    make_fields();
    connect_fields();
    connect(&document_, &Document::session_changed, this, &ModelOptionsEditor::show_session);
    show_session();
}

void ModelOptionsEditor::make_fields() {
    context_ = new QSpinBox;
    context_->setRange(0, kMaxBatch);
    context_->setSingleStep(1024);
    context_->setSpecialValueText(tr("the model's own"));
    batch_ = new QSpinBox;
    batch_->setRange(1, kMaxBatch);
    batch_->setToolTip(tr("Tokens computed at once (micro-batch): those of a prefill graph"));
    context_->setToolTip(tr("Capacity of the KV cache in tokens"));
    logical_batch_ = new QSpinBox;
    logical_batch_->setRange(1, kMaxBatch);
    logical_batch_->setToolTip(tr("Tokens submitted at once; computed in micro-batches"));
    for (QSpinBox* box : {context_, batch_, logical_batch_}) box->setKeyboardTracking(false);
    cache_type_ = new_cache_types(tr("by size"));
    cache_type_->setToolTip(tr("Element type of the cached keys; smaller types save memory"));
    cache_type_v_ = new_cache_types(tr("as the keys"));
    cache_type_v_->setToolTip(tr("Element type of the cached values; quantised ones need flash attention"));
    flash_attention_ = new QComboBox;
    flash_attention_->addItem(tr("off"), kFlashOff);
    flash_attention_->addItem(tr("on"), kFlashOn);
    flash_attention_->addItem(tr("where devices have it"), kFlashAutomatic);
    for (QComboBox* box : {cache_type_, cache_type_v_, flash_attention_}) allow_shrinking(*box);
    flash_attention_->setToolTip(tr("Attention computed as one operation that never stores all scores"));
    op_offload_ = new QCheckBox(tr("offload operations"));
    op_offload_->setToolTip(tr("Run large batches on an accelerator even if the weights are on the CPU"));
    parallel_ = new QCheckBox(tr("pipeline copies"));
    parallel_->setToolTip(tr("Several copies of the inputs, so that devices can work on different batches"));
    auto* form = new_form(this);
    form->addRow(tr("Context"), context_);
    form->addRow(tr("Micro-batch"), batch_);
    form->addRow(tr("Batch"), logical_batch_);
    form->addRow(tr("Cached keys"), cache_type_);
    form->addRow(tr("Cached values"), cache_type_v_);
    form->addRow(tr("Flash attention"), flash_attention_);
    form->addRow(op_offload_);
    form->addRow(parallel_);
    add_switches(*form);
}

void ModelOptionsEditor::connect_fields() {
    connect(context_, &QSpinBox::valueChanged, this, [this](int value) {
        edit(
            tr("context"),
            [this, value](ModelOptions& o) {
                const GgufFile& file = document_.session().file->model->file();
                o.context =
                    value > 0 ? static_cast<std::uint32_t>(value) : std::max(trained_context(file), 1U);
            },
            true);
    });
    connect(batch_, &QSpinBox::valueChanged, this, [this](int value) {
        edit(
            tr("micro-batch"), [value](ModelOptions& o) { o.batch = static_cast<std::uint32_t>(value); },
            true);
    });
    connect(logical_batch_, &QSpinBox::valueChanged, this, [this](int value) {
        edit(
            tr("batch"), [value](ModelOptions& o) { o.logical_batch = static_cast<std::uint32_t>(value); },
            true);
    });
    connect(cache_type_, &QComboBox::currentIndexChanged, this, [this] {
        edit(tr("cached keys"), [type = chosen_type(*cache_type_)](ModelOptions& o) { o.cache_type = type; });
    });
    connect(cache_type_v_, &QComboBox::currentIndexChanged, this, [this] {
        edit(tr("cached values"),
             [type = chosen_type(*cache_type_v_)](ModelOptions& o) { o.cache_type_v = type; });
    });
    connect(flash_attention_, &QComboBox::currentIndexChanged, this, [this] {
        const int choice = flash_attention_->currentData().toInt();
        edit(tr("flash attention"), [choice](ModelOptions& o) {
            o.flash_attention = choice != kFlashOff;
            o.flash_attention_if_supported = choice == kFlashAutomatic;
        });
    });
    connect(op_offload_, &QCheckBox::toggled, this, [this](bool on) {
        if (showing_) return;
        Machine machine = document_.session().machine;
        machine.op_offload = on;
        edit_machine(document_, tr("offloading"), machine);
    });
    connect(parallel_, &QCheckBox::toggled, this, [this](bool on) {
        if (showing_) return;
        Machine machine = document_.session().machine;
        machine.parallel = on;
        edit_machine(document_, tr("pipeline copies"), machine);
    });
}

void ModelOptionsEditor::add_embeddings(QFormLayout& form) {
    embeddings_ = new QComboBox;
    embeddings_->addItem(tr("off"), kNoEmbeddings);
    embeddings_->addItem(tr("pooled as the file says"), kPoolingOfFile);
    embeddings_->addItem(tr("one per token"), static_cast<int>(Pooling::none));
    embeddings_->addItem(tr("mean of the tokens"), static_cast<int>(Pooling::mean));
    embeddings_->addItem(tr("first token"), static_cast<int>(Pooling::first));
    embeddings_->addItem(tr("last token"), static_cast<int>(Pooling::last));
    embeddings_->addItem(tr("scores of a reranker"), static_cast<int>(Pooling::rank));
    embeddings_->setToolTip(
        tr("Embeddings besides the logits, and how those of a sequence are pooled. "
           "llama.cpp: --embeddings, --pooling, --reranking"));
    allow_shrinking(*embeddings_);
    form.addRow(tr("Embeddings"), embeddings_);
    connect(embeddings_, &QComboBox::currentIndexChanged, this, [this] {
        const int choice = embeddings_->currentData().toInt();
        edit(tr("embeddings"), [choice](ModelOptions& o) {
            o.embeddings = choice != kNoEmbeddings;
            o.pooling = choice < 0 ? std::nullopt : std::optional(static_cast<Pooling>(choice));
        });
    });
}

/// Rarely used options.
void ModelOptionsEditor::add_switches(QFormLayout& form) {
    sequences_ = new QSpinBox;
    sequences_->setRange(1, kMaxSequences);
    sequences_->setKeyboardTracking(false);
    sequences_->setToolTip(tr("Sequences that memory is reserved for. llama.cpp: -np"));
    form.addRow(tr("Sequences"), sequences_);
    connect(sequences_, &QSpinBox::valueChanged, this, [this](int value) {
        edit(
            tr("sequences"), [value](ModelOptions& o) { o.sequences = static_cast<std::uint32_t>(value); },
            true);
    });
    add_embeddings(form);
    const auto add = [&](const QString& title, const QString& tip, bool ModelOptions::*member) {
        auto* box = new QCheckBox(title);
        box->setToolTip(tip);
        form.addRow(box);
        connect(box, &QCheckBox::toggled, this, [this, title, member](bool on) {
            edit(title, [on, member](ModelOptions& o) { o.*member = on; });
        });
        return box;
    };
    unified_cache_ = add(tr("one cache for all sequences"),
                         tr("The sequences share one cache. llama.cpp: -kvu"), &ModelOptions::unified_cache);
    full_window_cache_ =
        add(tr("whole window caches"),
            tr("Sliding-window layers keep the whole context in their cache. llama.cpp: --swa-full"),
            &ModelOptions::full_window_cache);
    repack_ = add(tr("repack CPU weights"),
                  tr("The CPU repacks weights if it has kernels for that. llama.cpp: -nr switches it off"),
                  &ModelOptions::repack);
    pinned_host_ = add(tr("pinned memory for CPU weights"),
                       tr("CPU weights may be in pinned memory, which devices copy faster. llama.cpp: "
                          "--no-host switches it off"),
                       &ModelOptions::pinned_host);
}

void ModelOptionsEditor::edit(const QString& what, const std::function<void(ModelOptions&)>& change,
                              bool gradual) {
    if (!showing_) edit_options(document_, what, change, gradual);
}

void ModelOptionsEditor::show_session() {
    showing_ = true;
    const Session& session = document_.session();
    const bool model = document_.has_session() && session.file->model;
    const ModelOptions& options = session.model_options;
    for (QWidget* widget : std::initializer_list<QWidget*>{
             context_, batch_, logical_batch_, cache_type_, cache_type_v_, flash_attention_, sequences_,
             embeddings_, unified_cache_, full_window_cache_, repack_, pinned_host_}) {
        widget->setEnabled(model);
    }
    context_->setValue(static_cast<int>(options.context));
    batch_->setValue(static_cast<int>(options.batch));
    logical_batch_->setValue(static_cast<int>(options.logical_batch));
    show_type(*cache_type_, options.cache_type);
    show_type(*cache_type_v_, options.cache_type_v);
    flash_attention_->setCurrentIndex(flash_attention_->findData(!options.flash_attention ? kFlashOff
                                                                 : options.flash_attention_if_supported
                                                                     ? kFlashAutomatic
                                                                     : kFlashOn));
    op_offload_->setChecked(session.machine.op_offload);
    parallel_->setChecked(session.machine.parallel);
    sequences_->setValue(static_cast<int>(options.sequences));
    const bool embeds = model && placement_flags(session).embeddings;
    embeddings_->setCurrentIndex(embeddings_->findData(choice_of(embeds, options.pooling)));
    unified_cache_->setChecked(options.unified_cache);
    full_window_cache_->setChecked(options.full_window_cache);
    repack_->setChecked(options.repack);
    pinned_host_->setChecked(options.pinned_host);
    showing_ = false;
}

}  // namespace splitscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QSpinBox>
#include <functional>

#include "ui/document/document.hpp"

namespace splitscope::ui {

/// Options of the model and the scheduler: context, batches, caches, attention, pipelining. Each change is an
/// undoable edit.
class ModelOptionsEditor : public QGroupBox {
    Q_OBJECT
 public:
    explicit ModelOptionsEditor(Document& document);

    QSpinBox& context() { return *context_; }
    QSpinBox& batch() { return *batch_; }
    QSpinBox& logical_batch() { return *logical_batch_; }
    QComboBox& cache_type() { return *cache_type_; }
    QComboBox& cache_type_v() { return *cache_type_v_; }
    QComboBox& flash_attention() { return *flash_attention_; }
    QSpinBox& sequences() { return *sequences_; }
    QComboBox& embeddings() { return *embeddings_; }

 private:
    void make_fields();
    void connect_fields();
    void add_switches(QFormLayout& form);
    void add_embeddings(QFormLayout& form);
    void edit(const QString& what, const std::function<void(ModelOptions&)>& change, bool gradual = false);
    void show_session();

    Document& document_;
    bool showing_ = false;
    QSpinBox* context_;
    QSpinBox* batch_;
    QSpinBox* logical_batch_;
    QComboBox* cache_type_;
    QComboBox* cache_type_v_;
    QComboBox* flash_attention_;
    QCheckBox* op_offload_;
    QCheckBox* parallel_;
    QSpinBox* sequences_;
    QComboBox* embeddings_;
    QCheckBox* unified_cache_;
    QCheckBox* full_window_cache_;
    QCheckBox* repack_;
    QCheckBox* pinned_host_;
};

}  // namespace splitscope::ui

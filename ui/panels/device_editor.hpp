// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <functional>
#include <vector>

#include "ui/document/document.hpp"
#include "ui/models/machine_edit.hpp"

namespace splitscope::ui {

/// One device of the machine: name, memory, rates, supported operations. Each change is an undoable edit.
class DeviceEditor : public QGroupBox {
    Q_OBJECT
 public:
    explicit DeviceEditor(Document& document);

    void show_device(std::size_t backend);
    /// The presets whose rates can be selected.
    void set_presets(std::vector<PresetDevice> presets);

    QLineEdit& name() { return *name_; }
    /// Free memory in GiB; 0 = unknown.
    QDoubleSpinBox& capacity() { return *capacity_; }
    /// The preset whose rates are used.
    QComboBox& rates() { return *rates_; }
    QLineEdit& refused_ops() { return *refused_ops_; }
    /// Unknown names in the refusals.
    QLabel& unknown_names() { return *unknown_; }
    QComboBox& alignment() { return *alignment_; }
    /// In GiB; 0 = no limit.
    QDoubleSpinBox& largest_buffer() { return *largest_buffer_; }
    QListWidget& readable_memory() { return *memory_; }
    QCheckBox& offloads() { return *offloads_; }
    QSpinBox& offload_batch() { return *offload_batch_; }

 private:
    void make_fields();
    void connect_fields();
    void rename_device();
    void set_capacity(double gibibytes);
    void set_rates();
    void show_rates(const DeviceFacts& facts);
    void edit_backend(const QString& what, const std::function<void(MachineBackend&)>& change,
                      bool gradual = false);
    /// Edits the device's memory.
    void edit_memory_type(const QString& what, const std::function<void(MachineBufferType&)>& change,
                          bool gradual = false);

    Document& document_;
    std::vector<PresetDevice> presets_;
    std::size_t backend_ = 0;
    bool showing_ = false;
    QLineEdit* name_;
    QDoubleSpinBox* capacity_;
    QComboBox* rates_;
    QLineEdit* refused_ops_;
    QLineEdit* refused_types_;
    QLabel* unknown_;
    QComboBox* alignment_;
    QDoubleSpinBox* largest_buffer_;
    QListWidget* memory_;
    QCheckBox* offloads_;
    QSpinBox* offload_batch_;
    QCheckBox* async_;
    QCheckBox* events_;
};

}  // namespace splitscope::ui

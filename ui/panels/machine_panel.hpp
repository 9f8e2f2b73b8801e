// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include "ui/models/machine_edit.hpp"
#include "ui/panels/machine_source.hpp"
#include "ui/panels/panel.hpp"
#include "ui/panels/placement_editor.hpp"
#include "ui/panels/placement_search.hpp"
#include "ui/panels/setup_bar.hpp"

namespace splitscope::ui {

/// The machine: devices in priority order, what each supports, and the placement of the model. Each change is
/// an undoable edit of the session and reschedules immediately.
class MachinePanel : public QWidget {
    Q_OBJECT
 public:
    explicit MachinePanel(const PanelContext& context);

    /// Adds a preset by name; no effect while presets are loading.
    void add_device(const QString& preset);
    void select_device(BackendId backend);
    void remove_device();
    /// Moves the current device up (-1) or down (+1) in priority.
    void move_device(int step);
    /// Replaces the machine with the devices of this computer.
    void detect_devices();

    QListWidget& devices() { return *devices_; }
    /// The result of the device search.
    QLabel& found() { return *found_; }
    QLineEdit& refused_ops() { return *refused_ops_; }
    /// Unknown names in the current device's refusals.
    QLabel& unknown_names() { return *unknown_; }
    QComboBox& alignment() { return *alignment_; }
    /// In GiB; 0 = no limit.
    QDoubleSpinBox& largest_buffer() { return *largest_buffer_; }
    QCheckBox& offloads() { return *offloads_; }
    QSpinBox& offload_batch() { return *offload_batch_; }
    QListWidget& readable_memory() { return *memory_; }
    QSpinBox& context() { return *context_; }
    QSpinBox& batch() { return *batch_; }
    QSpinBox& logical_batch() { return *logical_batch_; }
    QComboBox& cache_type() { return *cache_type_; }
    QComboBox& cache_type_v() { return *cache_type_v_; }
    QComboBox& flash_attention() { return *flash_attention_; }
    QLineEdit& device_name() { return *name_; }
    /// Free memory of the device in GiB; 0 = unknown.
    QDoubleSpinBox& device_memory() { return *capacity_; }
    /// The preset whose rates are used for the device.
    QComboBox& rates() { return *rates_; }
    PlacementEditor& placement() { return *placement_; }
    MachineSource& source() { return *source_; }
    SetupBar& setup() { return *setup_; }
    PlacementSearch& search() { return *search_; }
    QSpinBox& sequences() { return *sequences_; }
    JobChannel& add_job() { return add_job_; }
    JobChannel& detect_job() { return source_->job(); }
    JobChannel& preset_job() { return preset_job_; }
    const std::vector<PresetDevice>& presets() const { return presets_; }

 protected:
    void resizeEvent(QResizeEvent* event) override;

 private:
    QWidget* make_devices();
    QWidget* make_device();
    QWidget* make_model();
    void add_model_switches(QFormLayout& form);
    void show_model_switches(const ModelOptions& options, bool model);
    void fill_presets();
    void show_session();
    void show_device();
    void edit_machine(const QString& what, const Machine& machine, bool gradual = false);
    void edit_backend(const QString& what, const std::function<void(MachineBackend&)>& change,
                      bool gradual = false);
    /// Edits the memory of the current device.
    void edit_memory_type(const QString& what, const std::function<void(MachineBufferType&)>& change,
                          bool gradual = false);
    void edit_options(const QString& what, const std::function<void(ModelOptions&)>& change,
                      bool gradual = false);
    void rename_device();
    void set_capacity(double gibibytes);
    void set_rates();
    void show_rates(const DeviceFacts& facts);
    std::size_t current() const;

    Document& document_;
    const Theme& theme_;
    JobChannel preset_job_;
    JobChannel add_job_;
    std::vector<PresetDevice> presets_;
    MachineSource* source_;
    SetupBar* setup_;
    PlacementSearch* search_;
    QWidget* inside_;
    QMenu* add_menu_;
    QBoxLayout* groups_;
    QListWidget* devices_;
    QLabel* found_;
    QPushButton* remove_;
    QPushButton* up_;
    QPushButton* down_;
    QGroupBox* device_;
    QLineEdit* name_;
    QLineEdit* refused_ops_;
    QLineEdit* refused_types_;
    QLabel* unknown_;  ///< unknown names
    QComboBox* alignment_;
    QDoubleSpinBox* largest_buffer_;
    QListWidget* memory_;
    QDoubleSpinBox* capacity_;
    QComboBox* rates_;
    QCheckBox* offloads_;
    QSpinBox* offload_batch_;
    QCheckBox* async_;
    QCheckBox* events_;
    QGroupBox* model_;
    QSpinBox* context_;
    QSpinBox* batch_;
    QSpinBox* logical_batch_;
    QComboBox* cache_type_;
    QComboBox* cache_type_v_;
    QComboBox* flash_attention_;
    QCheckBox* op_offload_;
    QCheckBox* parallel_;
    QSpinBox* sequences_;
    QCheckBox* unified_cache_;
    QCheckBox* full_window_cache_;
    QCheckBox* repack_;
    QCheckBox* pinned_host_;
    PlacementEditor* placement_;
    std::size_t chosen_ = 0;
    bool showing_ = false;
};

}  // namespace splitscope::ui

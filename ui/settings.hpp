// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "engine/support/generation.hpp"
#include "ui/document/new_session_defaults.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// What to open at startup without a file.
enum class StartWith { sample, last_file, nothing };

/// UI language; file formats and logs are independent of it.
enum class Language { system, english, chinese };

/// Drawing options of graphs.
struct CanvasOptions {
    bool graphviz = true;       ///< otherwise the built-in layout is used
    int graphviz_seconds = 20;  ///< for one graph
    bool minimap = true;
    friend bool operator==(const CanvasOptions&, const CanvasOptions&) = default;
};

/// A program debugged earlier.
struct RecentProgram {
    QString command;      ///< as typed
    QString folder;       ///< empty: the current folder
    QString environment;  ///< NAME=VALUE, one per line
    friend bool operator==(const RecentProgram&, const RecentProgram&) = default;
};

/// User settings: recent files, theme, window layout. Unreadable values count as absent; a damaged file is
/// moved aside. Several instances share the file: lists are read again before changes.
class Settings {
 public:
    /// `file` empty: the user's settings; otherwise this file (for tests).
    explicit Settings(const QString& file = {});

    /// Where a damaged file was moved at startup; empty if there was none.
    const QString& set_aside() const { return set_aside_; }
    /// The file if it cannot be written; else empty.
    QString unwritable() const { return store_->isWritable() ? QString() : store_->fileName(); }
    /// For the program's own files, such as unsaved changes.
    QString data_folder() const;

    QStringList recent_files() const;
    void add_recent_file(const QString& path);
    void clear_recent_files();
    /// Most recent first.
    std::vector<RecentProgram> recent_programs() const;
    void add_recent_program(const RecentProgram& program);

    ThemeMode theme() const;
    void set_theme(ThemeMode mode);
    Language language() const;
    void set_language(Language language);
    /// Generation for new sessions; empty: the engine's default.
    std::optional<Generation> generation() const;
    void set_generation(std::optional<Generation> generation);
    /// The program whose default switches place new models.
    Program program() const;
    void set_program(Program program);
    /// Machine for new models; empty: the simulated one.
    std::optional<KnownMachine> machine() const;
    void set_machine(const std::optional<KnownMachine>& machine);
    StartWith start_with() const;
    void set_start_with(StartWith start);
    CanvasOptions canvas() const;
    void set_canvas(const CanvasOptions& options);
    /// Whether to ask before discarding changes of saved sessions or notes.
    bool confirm_before_discard() const;
    void set_confirm_before_discard(bool ask);
    bool autosave() const;
    void set_autosave(bool on);
    bool tour_done() const;
    void set_tour_done(bool done);

    QByteArray window_geometry() const;
    QByteArray window_state() const;
    void set_window(const QByteArray& geometry, const QByteArray& state);

    QString last_folder() const;
    void set_last_folder(const QString& folder);

    /// Last report format; initially "html".
    QString report_format() const;
    /// Sections omitted from the last report.
    QStringList report_hidden_sections() const;
    void set_report(const QString& format, const QStringList& hidden_sections);

 private:
    void open(const QString& file);

    QString file_;
    QString set_aside_;
    std::unique_ptr<QSettings> store_;
};

}  // namespace splitscope::ui

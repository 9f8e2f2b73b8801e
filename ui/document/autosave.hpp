// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <utility>
#include <vector>

#include "ui/document/document.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// Delays before changes are written, in milliseconds.
struct AutosavePace {
    int quiet = 1500;  ///< after the last change, so that a burst such as dragging a slider is written once
    int longest = 10000;  ///< after the first change, during continuous editing
    int retry = 10000;    ///< after a failure, unless a change comes first
};

/// Saves unsaved changes of the session to a file of this instance, for recovery after a crash. The file is
/// deleted when the changes are saved, undone or discarded, and on regular exit.
class Autosave : public QObject {
    Q_OBJECT
 public:
    /// A recovery file of a terminated instance.
    struct Found {
        QString file;
        QString title;  ///< of the model or graph
        QDateTime when;
    };

    /// Creates `folder` on demand with access for its owner only, because the files name the user's files.
    /// The document must outlive the object.
    Autosave(Document& document, QString folder, QObject* parent = nullptr, AutosavePace pace = {});

    /// Newest first. Damaged files are renamed to "….damaged" and reported by damaged(). Files of running
    /// instances are skipped.
    std::vector<Found> find_leftovers();
    const QStringList& damaged() const { return damaged_; }
    static void discard(const QString& file);

    void set_enabled(bool enabled);
    /// Writes immediately, after the current write if there is one.
    void write_now();
    /// Discards the changes: deletes this instance's file after the current write.
    void forget();
    const QString& file() const { return own_.path; }
    /// Do not cancel it: the changes would not be written.
    const JobChannel& job() const { return job_; }

 signals:
    /// The changes have been written.
    void saved();
    /// Writing failed; each reason is reported once, until writing succeeds or the changes are discarded.
    void save_failed(const QString& why);
    /// The reason no longer applies.
    void problem_cleared(const QString& why);

 private:
    void changed();
    /// Creates the folder and the lock file, by which other instances see that this one is running.
    bool claim_file();
    void written();
    void failed(const QString& why);
    void end_problem();
    void writing_ended();

    /// This instance's file and its lock file; both are deleted together.
    struct OwnFile {
        QString path;
        std::unique_ptr<QLockFile> lock;

        explicit OwnFile(QString p) : path(std::move(p)) {}
        ~OwnFile() { remove(); }
        OwnFile(const OwnFile&) = delete;
        OwnFile& operator=(const OwnFile&) = delete;
        void remove();
    };

    Document& document_;
    QString folder_;
    AutosavePace pace_;
    OwnFile own_;  // before job_: deletes the file after the last write
    QString problem_;
    QStringList damaged_;
    QTimer timer_;
    QElapsedTimer waiting_;  ///< since the first change not yet being written
    bool enabled_ = true;
    bool due_ = false;       ///< to be written again after the current write
    bool unwanted_ = false;  ///< the changes being written were discarded
    JobChannel job_;
};

}  // namespace splitscope::ui

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

/// When changes are kept, in milliseconds.
struct AutosavePace {
    int quiet = 1500;     ///< after the last change: a burst, like dragging a slider, is written once
    int longest = 10000;  ///< after the first one, for somebody who never rests
    int retry = 10000;    ///< after a failure, unless a change comes first
};

/// Keeps unsaved changes of the session in a file of this instance's own, so that a crash does not take
/// them. The file goes when the changes are saved, undone or given up, and when the program ends in order.
class Autosave : public QObject {
    Q_OBJECT
 public:
    /// What an instance that is gone left behind.
    struct Found {
        QString file;
        QString title;  ///< of the model or graph
        QDateTime when;
    };

    /// `folder` is made when it is needed, for its owner alone: what is kept tells of the user's files. The
    /// document must outlive the object.
    Autosave(Document& document, QString folder, QObject* parent = nullptr, AutosavePace pace = {});

    /// Newest first. Damaged files are renamed to "….damaged" and named by damaged(). Files of instances that
    /// still run are left alone.
    std::vector<Found> left_behind();
    const QStringList& damaged() const { return damaged_; }
    static void discard(const QString& file);

    void set_enabled(bool enabled);
    /// Now rather than a moment after the last change; after the writing that is under way, if one is.
    void write_now();
    /// Deletes this instance's file, once nothing writes it any more: the changes are given up.
    void forget();
    const QString& file() const { return own_.path; }
    /// Not for cancelling: nobody would write again.
    const JobChannel& job() const { return job_; }

 signals:
    /// The changes are in this instance's file.
    void kept();
    /// The changes could not be kept; each reason is said once, until they are kept or given up.
    void not_kept(const QString& why);
    /// That reason holds no more.
    void problem_over(const QString& why);

 private:
    void changed();
    /// Makes the folder, and the lock by which other instances see that this one runs.
    bool claim_file();
    void written();
    void failed(const QString& why);
    void end_problem();
    void writing_ended();

    /// This instance's file, and the lock by which others see that it runs; both go with it.
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
    OwnFile own_;  // before job_: the file goes when nobody can write it any more
    QString problem_;
    QStringList damaged_;
    QTimer timer_;
    QElapsedTimer waiting_;  ///< since the first change that is in no writing yet
    bool enabled_ = true;
    bool due_ = false;       ///< to be written again after the writing under way
    bool unwanted_ = false;  ///< what is being written was given up
    JobChannel job_;
};

}  // namespace splitscope::ui

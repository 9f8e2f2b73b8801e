// SPDX-License-Identifier: MIT
#include "engine/reports/report_plans.hpp"
#include "splitscope/report.hpp"

namespace splitscope {

std::string report_text(const Analysis& analysis, ReportFormat format, const RunResult* run,
                        const JobContext& job) {
    const auto plans = plan_for_report(analysis.session, false, job);
    ReportOptions options = options_for(format);
    if (plans) options.plans = &*plans;
    return render(make_report(analysis, run, options), format);
}

}  // namespace splitscope

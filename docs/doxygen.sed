# SPDX-License-Identifier: CC0-1.0
# What Doxygen takes for its own commands in comments: a label of the schedulers, classes of regular expressions.
s/wgt<i>/wgtI/
s/`\(\\[dws]\)[^`]*`/classes such as "digit"/
s/`\. \[[^`]*`/the usual signs/

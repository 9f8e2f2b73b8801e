# SPDX-License-Identifier: CC0-1.0
# Escapes text that Doxygen would parse as commands: scheduler labels, classes of regular expressions.
s/wgt<i>/wgtI/
s/`\(\\[dws]\)[^`]*`/classes such as "digit"/
s/`\. \[[^`]*`/the usual signs/

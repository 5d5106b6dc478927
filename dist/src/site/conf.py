# SPDX-License-Identifier: Apache-2.0
"""How `bin/thermocline docs` makes pages of the documentation. Each warning fails the build."""

project = "Thermocline"
extensions = ["myst_parser"]
root_doc = "README"
html_theme = "furo"
html_title = "Thermocline"
html_copy_source = False
html_show_sphinx = False
# Links to headings are by their words, as on GitHub.
myst_heading_anchors = 6
# Most blocks without a language are output.
highlight_language = "text"

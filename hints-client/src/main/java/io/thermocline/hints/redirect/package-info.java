// SPDX-License-Identifier: Apache-2.0
/** Which blocks have a copy in a group file, and where in it (PRS, section 3.5). Pure Java. */
package io.thermocline.hints.redirect;

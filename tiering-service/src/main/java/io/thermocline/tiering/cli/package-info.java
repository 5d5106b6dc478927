// SPDX-License-Identifier: Apache-2.0
/** Commands for people at a terminal, over the REST interface of a service that runs. */
package io.thermocline.tiering.cli;

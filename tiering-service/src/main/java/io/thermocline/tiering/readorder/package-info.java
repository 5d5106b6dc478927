// SPDX-License-Identifier: Apache-2.0
/** Which replica the NameNode hands to a reader first, and so which storage type serves a read. Pure. */
package io.thermocline.tiering.readorder;

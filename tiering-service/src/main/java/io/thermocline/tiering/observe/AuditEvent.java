// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * One line of a NameNode audit log, unescaped, with nothing interpreted yet.
 *
 * @param allowed whether the NameNode let the operation through; lines of Hadoop 0.20 don't say and
 *     count as allowed, since that version logged nothing else
 * @param user short name of the user the operation ran as: no realm, no proxy user
 * @param command as logged: {@code open}, {@code rename}, {@code rename (options=[TO_TRASH])}
 * @param source the path the operation names, or null; cache operations put a description here
 * @param destination the second path, or null
 * @param callerContext as the client set it, without signature, or null
 */
public record AuditEvent(
    boolean allowed,
    String user,
    String command,
    String source,
    String destination,
    String callerContext) {}

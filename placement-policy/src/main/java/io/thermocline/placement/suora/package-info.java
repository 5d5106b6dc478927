// SPDX-License-Identifier: Apache-2.0
/**
 * SUORA's placement, pure: devices become segments of a number line, and a key goes to the first
 * segment that its random sequence reaches, or with all its replicas to distinct devices at once.
 *
 * <p>Source: Zhou, Chen, Zheng, Wang: Data Distribution for Heterogeneous Storage Systems, sections
 * 3.1, 3.2, 3.4.2, 3.5 and 3.6.
 */
package io.thermocline.placement.suora;

// SPDX-License-Identifier: Apache-2.0
/**
 * attributedCH, pure: a consistent hash ring whose virtual nodes stand for capacity, cut into sectors
 * inside which capacity and bandwidth decide.
 *
 * <p>Source: Zhou, Chen, Wang: Attributed Consistent Hashing for Heterogeneous Storage Systems, PACT
 * 2018.
 */
package io.thermocline.placement.attributed;

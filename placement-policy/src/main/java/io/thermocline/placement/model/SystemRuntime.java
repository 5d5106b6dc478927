// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the few places that bind a seam (clock, ticker, sleep, randomness) to the machine. The build
 * fails where any other class reads the time, sleeps or draws a random number by itself.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface SystemRuntime {}

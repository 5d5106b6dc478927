// SPDX-License-Identifier: Apache-2.0
/** Plans from when they are made until they are carried out or not, and what people say of them meanwhile. */
package io.thermocline.tiering.review;

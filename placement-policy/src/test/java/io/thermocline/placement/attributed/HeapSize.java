// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Bytes of heap that an object of ours and all it refers to take on a 64-bit JVM with compressed
 * references: found by walking the real object, headers and padding included.
 */
final class HeapSize {
  private static final int HEADER = 12;
  private static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 4;

  private HeapSize() {}

  static long of(Object root) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    open.add(root);
    long bytes = 0;
    while (!open.isEmpty()) {
      Object object = open.pop();
      if (!seen.add(object)) {
        continue;
      }
      Class<?> type = object.getClass();
      if (object instanceof String string) {
        // A byte a character, ours being Latin-1.
        bytes += padded(HEADER + REFERENCE + 4 + 1 + 1) + padded(ARRAY_HEADER + string.length());
      } else if (type.isArray()) {
        Class<?> element = type.getComponentType();
        int length = Array.getLength(object);
        bytes += padded(ARRAY_HEADER + (long) length * sizeOf(element));
        for (int i = 0; !element.isPrimitive() && i < length; i++) {
          open.add(Array.get(object, i));
        }
      } else {
        bytes += padded(HEADER + fields(object, type, open));
      }
    }
    return bytes;
  }

  private static long fields(Object object, Class<?> type, Deque<Object> open) {
    long bytes = 0;
    for (Class<?> at = type; at != Object.class && at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        bytes += sizeOf(field.getType());
        if (!field.getType().isPrimitive() && !field.getType().isEnum() && !type.isHidden()) {
          try {
            field.setAccessible(true);
            Object value = field.get(object);
            if (value != null) {
              open.add(value);
            }
          } catch (IllegalAccessException e) {
            throw new AssertionError(field + " was made accessible", e);
          }
        }
      }
    }
    return bytes;
  }

  private static int sizeOf(Class<?> type) {
    if (!type.isPrimitive()) {
      return REFERENCE;
    }
    if (type == long.class || type == double.class) {
      return 8;
    }
    return type == boolean.class || type == byte.class
        ? 1
        : type == short.class || type == char.class ? 2 : 4;
  }

  private static long padded(long bytes) {
    return (bytes + 7) / 8 * 8;
  }
}

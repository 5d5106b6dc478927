// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

/** A request that can't be answered as it was meant: becomes an {@link ApiError}. */
public final class ApiException extends Exception {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String where;
  private final String whatToDo;

  /**
   * @param message what was wrong, with the values
   * @param where the parameter, field or thing that it was about
   * @param whatToDo what would be right
   */
  public ApiException(ErrorCode code, String message, String where, String whatToDo) {
    super(message);
    this.code = code;
    this.where = where;
    this.whatToDo = whatToDo;
  }

  public ErrorCode code() {
    return code;
  }

  ApiError error() {
    return new ApiError(code, getMessage(), where, whatToDo, code.isRetriable());
  }
}

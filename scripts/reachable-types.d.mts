/**
 * Copies the declarations reachable by importing programs from one folder to another: those of the
 * entries, and those they refer to. Of a file that only re-exports, it copies the requested lines. A
 * package in `absent` is not installed with them, and none of them may refer to it.
 */
export declare function copyReachableTypes(
  from: string,
  to: string,
  entries: readonly string[],
  absent?: readonly string[],
): void;

/**
 * Copies the declarations that programs can meet from one folder to another: those of the entries,
 * and what these name. Of a file that only passes names on, it copies the lines that are asked for.
 * A package of `absent` is not installed with them, and none of them may name it.
 */
export declare function copyReachableTypes(
  from: string,
  to: string,
  entries: readonly string[],
  absent?: readonly string[],
): void;

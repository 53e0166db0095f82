interface Check {
  readonly isOk: boolean;
}

/** Checks with their overall result. */
export function withVerdict<One extends Check>(checks: readonly One[]) {
  return { ok: checks.every(({ isOk }) => isOk), checks };
}

/** Members that `--json` prints for checks. */
export function checksDocument<One extends Check>(found: {
  readonly ok: boolean;
  readonly checks: readonly One[];
}) {
  const { ok, checks } = found;
  return { ok, checks: checks.map(({ isOk, ...check }) => ({ ...check, ok: isOk })) };
}

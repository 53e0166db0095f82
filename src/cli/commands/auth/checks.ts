interface Check {
  readonly isOk: boolean;
}

/** Checks with what they say together. */
export function withVerdict<One extends Check>(checks: readonly One[]) {
  return { ok: checks.every(({ isOk }) => isOk), checks };
}

/** What `--json` prints of checks. */
export function checksDocument<One extends Check>(found: {
  readonly ok: boolean;
  readonly checks: readonly One[];
}) {
  const { ok, checks } = found;
  return { ok, checks: checks.map(({ isOk, ...check }) => ({ ...check, ok: isOk })) };
}

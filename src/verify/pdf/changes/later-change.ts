import type { ChangeKind, ChangeLevel } from '../../report/index.ts';

/** One change by updates after a signature, before it is compared with the permissions. */
export interface LaterChange {
  readonly level: Exclude<ChangeLevel, 'none'>;
  readonly kind: ChangeKind;
  /** Readable description of the change, with page and field. */
  readonly message: string;
  /** Page on which it is visible, counted from 1. */
  readonly page?: number | undefined;
  /** Fully qualified name of the changed or added field. */
  readonly field?: string | undefined;
  /** Object number, for inspecting the file. */
  readonly object?: number | undefined;
  /** New visible content: no certification permits new fields, except signatures. */
  readonly adds?: 'field' | 'visible signature' | 'shown field' | undefined;
  /** True if it is displayed over printed content of its page. */
  readonly covers?: boolean | undefined;
}

/** A change that is never permitted. */
export function otherChange(message: string, more: Partial<LaterChange> = {}): LaterChange {
  return { ...more, level: 'other', kind: 'other', message };
}

const order: readonly ChangeLevel[] = [
  'none',
  'long-term-data',
  'form-filling',
  'annotations',
  'other',
];

/** The highest level of the changes. */
export function levelOfChanges(changes: readonly LaterChange[]): ChangeLevel {
  let highest = 0;
  for (const { level } of changes) highest = Math.max(highest, order.indexOf(level));
  return order[highest] as ChangeLevel;
}

import { readFileSync } from 'node:fs';
import type { Decision } from '../../../../src/domain/process/consequences.ts';

/** A decision as one line: state · log rows · events · messages · jobs, `=`, or the code. */
export function decisionLine(decision: Decision): string {
  if (decision.kind === 'unchanged') return '=';
  if (decision.kind === 'refused') return decision.refusal.code;
  const { next, consequences } = decision;
  const { activity, events, messages, jobs } = consequences;
  const lists = [
    activity.map(({ status }) => status),
    events.map(({ type, withDocument }) => (withDocument ? `${type}+doc` : type)),
    messages.map(({ template }) => template),
    jobs.map(({ kind }) => kind),
  ];
  return [`${next.status}/${next.phase}`, ...lists.map((list) => list.join(' ') || '-')].join(
    ' · ',
  );
}

/** Rows of decisions.table.txt: command, state and decision line. */
export const decisionTable = readFileSync(new URL('./decisions.table.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]);

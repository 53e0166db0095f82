import { type EidFailCode, eidFailCodes } from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { isRecord } from '../../../base/input.ts';
import { normalPhone } from '../../../base/text/index.ts';
import type { Scenario } from './test-persons.table.ts';

/** What becomes of sessions with these numbers, by the number without spaces and hyphens. */
export type Scenarios = ReadonlyMap<string, Scenario>;

/**
 * The scenarios that a file names: an object of numbers, each with `success`, `mismatch`, `silence`
 * or the code of a failure; `{ "code": …, "at": "start" }` refuses the start.
 *
 * @returns a text that says what is wrong, instead
 */
export function parseScenarios(json: string): Scenarios | string {
  const value: unknown = attemptAny(() => JSON.parse(json));
  if (!isRecord(value)) return 'expected a JSON object of numbers with scenarios';
  const found = new Map<string, Scenario>();
  for (const [number, word] of Object.entries(value)) {
    const scenario = scenarioOf(word);
    if (!/^\+?[\d\s-]{7,20}$/.test(number)) return 'expected phones or national numbers as names';
    if (scenario === undefined) return `expected ${words.join(', ')} or {"code":…,"at":"start"}`;
    found.set(normalPhone(number), scenario);
  }
  return found;
}

/** The scenario of a number; undefined: that of the person. */
export function findScenario(scenarios: Scenarios | undefined, hint: string): Scenario | undefined {
  return scenarios?.get(normalPhone(hint));
}

const words = ['success', 'mismatch', 'silence', ...eidFailCodes] as const;

function scenarioOf(word: unknown): Scenario | undefined {
  if (word === 'success' || word === 'mismatch' || word === 'silence') return word;
  if (isFailCode(word)) return { code: word, at: 'poll' };
  if (!isRecord(word) || !isFailCode(word['code'])) return undefined;
  const { code, at = 'poll' } = word;
  return at === 'start' || at === 'poll' ? { code, at } : undefined;
}

function isFailCode(word: unknown): word is EidFailCode {
  return eidFailCodes.some((code) => code === word);
}

import { type EidFailCode, eidFailCodes } from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { isRecord } from '../../../base/input.ts';
import { normalPhone } from '../../../base/text/index.ts';
import type { Scenario } from './test-persons.table.ts';

/** Outcomes of sessions, by number without spaces and hyphens. */
export type Scenarios = ReadonlyMap<string, Scenario>;

/**
 * Parses the scenarios of a file: an object with numbers as names and `success`, `mismatch`,
 * `silence` or a failure code as values. `{ "code": …, "at": "start" }` makes the start fail.
 *
 * @returns the scenarios, or a text that describes the error
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

/** The scenario configured for a number; undefined if the scenario of the person applies. */
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

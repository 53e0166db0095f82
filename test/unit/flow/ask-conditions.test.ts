import { expect, test } from 'vitest';
import { conditionFault } from '../../../src/app/flow/form/ask-conditions.ts';
import type { FormQuestion } from '../../../src/app/flow/form/question.ts';

let reads = 0;

/** A question with a name that counts who reads it. */
function question(name: string, askedBy: readonly string[] = []): FormQuestion {
  const tests = askedBy.map((each) => ({ name: each, values: [true] }));
  return {
    get name() {
      reads += 1;
      return name;
    },
    label: name,
    kind: 'text',
    isRequired: false,
    askedIf: [{ tests }],
  };
}

test('a test on another question looks at none besides', () => {
  const count = 100;
  const questions = Array.from({ length: count }, (_, at) =>
    question(`q${at}`, at === 0 ? [] : ['q0', `q${at - 1}`]),
  );
  reads = 0;
  expect(conditionFault(questions)).toBeUndefined();
  expect(reads).toBeLessThan(10 * count);
});

test('what depends on a value that nobody is asked for has a fault', () => {
  expect(conditionFault([question('a', ['b'])])).toMatch(/^"a" depends on "b"/);
});

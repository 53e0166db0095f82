import { expect, test } from 'vitest';
import { conditionFault } from '../../../src/app/flow/form/ask-conditions.ts';
import type { FormQuestion } from '../../../src/app/flow/form/question.ts';

let reads = 0;

/** A question that counts reads of its name. */
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

test('the check of conditions visits only the question they depend on', () => {
  const count = 100;
  const questions = Array.from({ length: count }, (_, at) =>
    question(`q${at}`, at === 0 ? [] : ['q0', `q${at - 1}`]),
  );
  reads = 0;
  expect(conditionFault(questions)).toBeUndefined();
  expect(reads).toBeLessThan(10 * count);
});

test('a condition on a value that is not asked for is rejected', () => {
  expect(conditionFault([question('a', ['b'])])).toMatch(/^"a" depends on "b"/);
});

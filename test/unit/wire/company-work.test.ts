import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inflatingPdf } from '../../../scripts/stalls/documents.ts';
import { companyWork } from '../../../src/wire/service/company-work.ts';
import type { WorkOrder } from '../../../src/wire/threads/work-threads.types.ts';

const agreement = readFileSync('fixtures/pdf/agreement.pdf');

/** Work whose threads record their orders. */
function openWork() {
  const orders: WorkOrder[] = [];
  const run = async (order: WorkOrder) => {
    orders.push(order);
    return new Uint8Array(1);
  };
  return { orders, work: companyWork('acme', { run, close: async () => undefined }) };
}

test('a light document is opened in this thread, a heavy one in a worker thread', async () => {
  const { orders, work } = openWork();
  const request = { flatten: false };
  expect((await work.opened(agreement, request)).content).toBe(agreement);
  expect(orders).toEqual([]);
  const small = inflatingPdf(10_000_000, 2);
  expect(small.length).toBeLessThan(1000);
  await work.opened(small, request);
  expect(orders).toMatchObject([{ task: 'openedDocument', owner: 'acme' }]);
});

test('schemas, values, forms and templates run in threads, schemas with a time limit', async () => {
  const { orders, work } = openWork();
  await work.requireSchema('{}');
  await work.requireFit('{}', { a: 1 });
  await work.formFields(agreement);
  await work.fillForm(agreement, {});
  await work.renderDocument(agreement, {});
  await work.findValueFaults({ of: 'form', bytes: agreement, all: [{}] });
  expect(orders.map(({ task, deadline }) => [task, deadline?.ms])).toEqual([
    ['requireSchema', 5000],
    ['requireFit', 3000],
    ['formFields', undefined],
    ['fillForm', undefined],
    ['renderDocument', undefined],
    ['findValueFaults', 3000],
  ]);
  expect(orders.map(({ moved }) => moved)).toEqual(Array(6).fill(undefined));
  const [schema, values] = orders.map(({ deadline }) => deadline?.error());
  expect(schema).toMatchObject({
    code: 'flow.schema.invalid',
    message: 'schema: expected one that is ready within 5 s, found more work',
    details: { expectedMs: 5000 },
    hint: expect.stringContaining('simplify the schema'),
  });
  expect(values?.code).toBe('flow.values.invalid');
});

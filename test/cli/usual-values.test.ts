import { expect, test } from 'vitest';
import { integer } from '../../src/cli/command/readers.ts';
import { flowOf } from '../../src/cli/commands/webhook/options.ts';
import { openEidCli } from './support/eid-cli.ts';

const click = ['--signee', 'Jón,email=jon@example.test,type=ClickToSign'];

test('process create needs no --flow if only one flow is for signing', async () => {
  const { run, json } = await openEidCli();
  const create = ['process', 'create', 'a.pdf', ...click];
  const { flows } = await json('flow', 'list');
  for (const type of ['PEP', 'Compliance', 'Auth']) {
    expect((await run(['flow', 'create', '--name', type, '--type', type])).exitCode).toBe(0);
    const { process } = await json(...create);
    expect(process.flowKey).toBe(flows[0].flowKey);
  }
  await run(['flow', 'create', '--name', 'Orders', '--type', 'DropAndSign']);
  const unsure = await run(create);
  expect([unsure.exitCode, unsure.stderr]).toEqual([
    2,
    expect.stringContaining('--flow: expected the key of one of 2 flows, found none'),
  ]);
}, 60_000);

test.each([
  ['the active one', [flow('a', 'DropAndSign', false), flow('b', 'DropAndSign')], 'b'],
  ['the only one, whatever its type', [flow('a', 'PEP')], 'a'],
  ['the one for signing', [flow('a', 'PEP'), flow('b', 'FillAndSign'), flow('c', 'Auth')], 'b'],
])('the default flow is %s', async (_, all, expected) => {
  const flows = { list: async () => all } as never;
  expect(await flowOf({ flows }, undefined, ['DropAndSign', 'FillAndSign'])).toBe(expected);
});

test('a company without a flow has no default flow', async () => {
  const flows = { list: async () => [] } as never;
  await expect(flowOf({ flows }, undefined)).rejects.toThrow('--flow: the company has no flow');
});

function flow(flowKey: string, flowType: string, active = true) {
  return { flowKey, flowType, active };
}

test('company show and list print the rules set by company update', async () => {
  const { run, json } = await openEidCli();
  const rules = { person: { required: ['PEP'] } };
  await run(['company', 'update', '--set', `compliance=${JSON.stringify(rules)}`]);
  expect((await json('company', 'show')).company.compliance).toMatchObject(rules);
  const { companies } = await json('company', 'list');
  expect(companies).toMatchObject([{ compliance: rules }]);
  await run(['company', 'update', '--set', 'compliance=null']);
  expect((await json('company', 'show')).company).not.toHaveProperty('compliance');
}, 60_000);

test('an overlong number is shown with a mark where it was cut', () => {
  const read = (text: string) => () => integer(1, 100).read(text, '--limit', {} as never);
  expect(read('0010')()).toBe(10);
  expect(read('x'.repeat(40))).toThrow(`expected 1 to 100, found "${'x'.repeat(40)}"`);
  expect(read(`${'0'.repeat(50)}7`)).toThrow(`found "${'0'.repeat(39)}…"`);
});

import { expect, test } from 'vitest';
import { openEidCli } from './support/eid-cli.ts';

/** A misspelt word and the word that the hint suggests; undefined if none is similar. */
const rows: readonly (readonly [line: string, meant: string | undefined])[] = [
  ['flow create --name X --type DropAndSign --set questionmode=AllAtOnce', 'questionMode'],
  ['flow create --name X --type DropAndSign --set questionMode=Onee', 'One'],
  ['flow create --name X --type DropAndSign --set sealLevel=nothing', undefined],
  ['flow create --name X --type DropAndSing', 'DropAndSign'],
  ['flow create --name X --type DropAndSign --set xyz=1', undefined],
  ['company update --set timezone=UTC', 'timeZone'],
  ['company update --set signeeIdentity=nunber', 'number'],
  ['company key create --scope sing', 'sign'],
  ['webhook create https://a.example --type AllSinged', 'AllSigned'],
  ['process create a.pdf --signee Jón,mail=jon@example.is', 'email'],
  ['process create a.pdf --signee Jón,phoneNumber=5551234', 'phone'],
  ['process create a.pdf --signee Jón,signatureType=Simple', 'type'],
  ['process create a.pdf --signee Jón,xyzzy=1', undefined],
];

test.each(rows)('the hint of "%s" suggests %s', async (line, meant) => {
  const { exitCode, stderr } = await (await openEidCli()).run(line.split(' '));
  expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 2 });
  if (meant === undefined) expect(stderr).not.toContain('did you mean');
  else expect(stderr).toContain(`hint: did you mean ${meant}?`);
});

test('an invalid value of a column names what was expected and found, and suggests a value', async () => {
  const cli = await openEidCli();
  cli.write('c.csv', 'name,risk_level\nAnna,hgih\nJón,x\n');
  const { exitCode, stderr } = await cli.run(['compliance', 'import', 'c.csv']);
  expect(exitCode).toBe(2);
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/row 2: risk_level: expected one of low, medium, high, found "hgih"$/),
    'hint: did you mean high?',
    '  row 3: risk_level: expected one of low, medium, high, found "x"',
  ]);
});

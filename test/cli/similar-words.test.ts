import { expect, test } from 'vitest';
import { openEidCli } from './support/eid-cli.ts';

/** A word that is nearly one of those expected, and the one that the hint names; none for others. */
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

test.each(rows)('the hint of «%s» asks if %s is meant', async (line, meant) => {
  const { exitCode, stderr } = await (await openEidCli()).run(line.split(' '));
  expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 2 });
  if (meant === undefined) expect(stderr).not.toContain('did you mean');
  else expect(stderr).toContain(`hint: did you mean ${meant}?`);
});

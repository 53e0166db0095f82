/** Unknown members in arguments of `openInnsigli` methods are rejected rather than dropped. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CompanyService } from '../../../src/app/company-service.ts';
import { memorySource, openInnsigli } from '../../../src/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { fixture } from '../../support/sealing.ts';

const innsigli = openInnsigli({ dataDir: join(newTemporaryFolder('members'), 'data') });
let acme: CompanyService;
beforeAll(async () => {
  await innsigli.initialise({ name: 'Acme ehf.' });
  acme = await innsigli.company();
});
afterAll(() => innsigli.close());

const source = memorySource(fixture('agreement.pdf'));
// As called from plain JavaScript.
const call = (object: unknown, name: string, ...args: readonly unknown[]) =>
  (object as Record<string, (...given: readonly unknown[]) => Promise<unknown>>)[name]?.(...args);

const anna = { name: 'Anna', email: 'anna@example.com', signatureType: 'ClickToSign' };

test.each<[keyof CompanyService, string, readonly unknown[], string, string]>([
  ['processes', 'list', [{ state: 'Active' }], 'state', 'did you mean status?'],
  ['processes', 'list', [{ flow_key: 'x' }], 'flow_key', 'did you mean flowKey?'],
  ['processes', 'count', [{ state: undefined }], 'state', 'did you mean status?'],
  ['processes', 'listSequences', [{ xyzxyz: 1 }], 'xyzxyz', 'known: skip, take'],
  [
    'processes',
    'create',
    [{ flowKey: 'f', signees: [{ name: 'Anna' }, { naem: 'Jon' }] }],
    'signees[1].naem',
    'did you mean name?',
  ],
  [
    'processes',
    'create',
    [{ flowKey: 'f', signees: [], signatureType: 'ClickToSign' }],
    'signatureType',
    'it is a member of each of signees',
  ],
  [
    'processes',
    'createSequence',
    [{ user: 'x', processes: [{ flowKey: 'f', signees: [{ singatureType: 'ClickToSign' }] }] }],
    'processes[0].signees[0].singatureType',
    'did you mean signatureType?',
  ],
  ['webhooks', 'create', [{ flowkey: 'f', url: 'x' }], 'flowkey', 'did you mean flowKey?'],
  ['webhooks', 'update', [1, { id: 1 }], 'id', 'id is a separate argument'],
  ['signing', 'view', [{ processKey: 'p', signeeKey: 's', ip: 'x' }], 'ip', 'circumstances'],
  [
    'signing',
    'signByCode',
    [{ processKey: 'p', signeeKey: 's', token: 't' }],
    'token',
    'token is a separate argument',
  ],
  ['messages', 'list', [JSON.parse('{"__proto__":1}')], '__proto__', 'known: processKey, '],
  ['messages', 'list', [{ ['x'.repeat(99)]: 1 }], `${'x'.repeat(40)}…`, 'known: processKey, '],
])('%s.%s rejects an unknown member (%#)', async (service, name, args, field, hint) => {
  await expect(call(acme[service], name, ...args)).rejects.toMatchObject({
    code: 'validation.error',
    message: `${field}: ${service}.${name} takes no such member`,
    details: { field },
    hint: expect.stringContaining(hint),
  });
});

test.each<[string, readonly unknown[], string, string]>([
  ['seal', [source, { levle: 'B-B' }], 'options.levle', 'did you mean level?'],
  ['seal', [source, { corner: 'top' }], 'options.corner', 'it is a member of visible'],
  ['seal', [source, { visible: { cornr: 'x' } }], 'options.visible.cornr', 'mean corner?'],
  ['sealXml', [source, { place: { town: 'x' } }], 'options.place.town', 'known: city, '],
  ['sealFiles', [[{ name: 'a', content: 'x' }], {}], 'files[0].content', 'known: name, source'],
  ['verify', [source, [], { at: new Date() }], 'options.at', 'did you mean atMs?'],
  ['diagnose', [{ trieMail: false }], 'options.trieMail', 'did you mean triesMail?'],
])('%s rejects an unknown member (%#)', async (name, args, path, hint) => {
  await expect(call(innsigli, name, ...args)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: `${path}: ${name} takes no such member`,
    hint: expect.stringContaining(hint),
  });
});

test('sources with additional members and class instances are accepted', async () => {
  const named = { ...source, path: 'agreement.pdf' };
  expect(await innsigli.verify(named)).toMatchObject({ signatures: [] });
  class Query {
    readonly take = 1;
    readonly page = 3;
  }
  expect(await acme.processes.list(new Query())).toEqual([]);
});

test('a returned object can be passed back as it is, even with members of a later version', async () => {
  const { key } = await acme.flows.create({ name: 'Contracts', type: 'DropAndSign' });
  const pdf = fixture('agreement.pdf');
  const request = { flowKey: key, pdf, fileName: 'agreement.pdf', signees: [anna] };
  const process = (await call(acme.processes, 'create', request)) as { readonly key: string };
  const shown = { ...(await acme.processes.show({ key: process.key })), later: true };
  for (const asked of [shown, { key: process.key }, process.key]) {
    expect(Buffer.from(await acme.processes.document(asked)).equals(pdf)).toBe(true);
  }
  await expect(call(acme.processes, 'document', {})).rejects.toMatchObject({
    message: 'key: expected text, found nothing',
  });
  // The compiler also accepts a returned object as `{ key }`.
  expect(await acme.processes.show(shown)).toMatchObject({ key: process.key });
  await expect(acme.processes.document({ key: 'p0' })).rejects.toMatchObject({
    code: 'process.not_found',
  });
});

test.each<[string, string, readonly unknown[], string]>([
  ['processes', 'create', [{ flowKey: '$', signees: [anna] }], 'pdf: required'],
  ['signing', 'decline', [{ processKey: 'p', signeeKey: 's' }, ''], 'reason: expected 1 to 2000'],
  ['signing', 'decline', [{ processKey: 'p', signeeKey: 's' }, 5], 'reason: expected text'],
  ['compliance', 'record', [{ kind: 'person', name: 'A', ssn: '1'.repeat(999) }], 'ssn: expected'],
  ['activity', 'list', [{ take: 1.5, skip: 0, fromMs: 0, toMs: 9 }], 'take: expected a whole'],
  ['activity', 'list', [{ take: 1, skip: 1e20, fromMs: 0, toMs: 9 }], 'skip: expected a whole'],
  ['activity', 'total', [{ fromMs: 0, toMs: 9, status: ['Done'] }], 'status[0]: expected one of'],
  ['activity', 'total', [{ fromMs: 0, toMs: 9, flowType: 'x' }], 'flowType: expected one of'],
  ['screening', 'importList', [{ list: 'a', files: [], format: 'x' }], 'format: expected one of'],
  ['reminders', 'unsubscribe', [{ processKey: 'p' }], 'target: expected an object with processKey'],
])(
  '%s.%s names the invalid argument as the caller wrote it (%#)',
  async (service, name, args, message) => {
    const { key } = await acme.flows.create({ name: 'Named', type: 'DropAndSign' });
    const given = args.map((each) =>
      typeof each === 'object' && each !== null && 'flowKey' in each
        ? { ...each, flowKey: key }
        : each,
    );
    const answer = call(acme[service as keyof CompanyService], name, ...given);
    await expect(answer).rejects.toMatchObject({
      code: 'validation.error',
      message: expect.stringContaining(message),
    });
  },
);

test.each<[string, string, readonly unknown[], string]>([
  ['compliance', 'record', [{ kind: 'persom', name: 'A', ssn: '0101302989' }], 'kind'],
  ['compliance', 'due', [{ kind: 'firm' }], 'kind'],
  ['compliance', 'status', ['persons', { ssn: '0101302989' }], 'kind'],
  ['webhooks', 'deliveries', [{ state: 'failing' }], 'state'],
  ['messages', 'list', [{ states: ['lost'] }], 'states[0]'],
  ['messages', 'retryAll', [{ states: ['lost'] }], 'states[0]'],
  ['flows', 'list', ['Rendered'], 'type'],
  [
    'activity',
    'export',
    [{ filter: { fromMs: 0, toMs: 9 }, format: 'xls', isAnonymous: false, by: 'x' }],
    'format',
  ],
  ['', 'runDueJobs', [['seel']], 'kinds[0]'],
])('%s.%s rejects an unknown keyword (%#)', async (service, name, args, field) => {
  const object = service === '' ? acme : acme[service as keyof CompanyService];
  await expect(async () => call(object, name, ...args)).rejects.toMatchObject({
    code: 'validation.error',
    message: expect.stringMatching(/: expected one of /),
    details: { field },
  });
});

test('keywords are accepted in any letter case', async () => {
  await acme.flows.create({ name: 'Cases', type: 'DropAndSign' });
  const found = await call(acme.flows, 'list', 'DROPandsign');
  expect(found).toEqual(await acme.flows.list('DropAndSign'));
  expect(found).not.toEqual([]);
});

test('a Date in place of milliseconds is rejected with a hint', async () => {
  const until = { key: 'p', by: 'x', expiresAtMs: new Date(0) };
  await expect(call(acme.processes, 'extend', until)).rejects.toMatchObject({
    message: 'expiresAtMs: expected a number, found a Date',
    hint: 'date.getTime() gives milliseconds',
  });
});

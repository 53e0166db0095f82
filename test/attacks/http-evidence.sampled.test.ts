import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asKey } from '../../src/domain/keys.ts';
import { type IdentityApi, openIdentityApi } from '../api/support/identity.ts';
import { costlyTest } from '../support/sample.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi({ trustProxy: ['127.0.0.1'] });
}, 60_000);
afterAll(() => api.close());

const odon = {
  ...{ name: 'Ödön Kőrösi', ssn: '6000101994', phoneNumber: '6666666' },
  ...{ email: 'leyni@hulin.example', signatureType: 'Qualified' },
};
const bera = { name: 'Bera', email: 'bera@hulin.example', signatureType: 'ClickToSign' };
const addresses = ['198.51.100.21', '198.51.100.22'];
const secrets = ['600010-1994', odon.ssn, odon.phoneNumber, odon.email, bera.email, ...addresses];
const host = 'hooks.receiver.example';

interface Reference {
  readonly id: string;
  readonly fileName: string;
  readonly attachmentType: string;
}

/** A document that both have signed, with its evidence created. */
async function completed(more: object = {}, signee: object = {}) {
  const place = await api.process(
    [
      { ...odon, ...signee },
      { ...bera, communicationDeliveryType: 'Email' },
    ],
    more,
  );
  const { processKey, signeeKeys, sign, status } = place;
  const from = (at: number) => ({ 'x-forwarded-for': addresses[at] as string });
  const sim = { authenticationContextType: 'Sim', loginHint: odon.phoneNumber };
  const begun = await api.post(sign, sim, from(0));
  api.answer();
  expect((await api.get(`${status}/token/${begun.body.token}`, from(0))).status).toBe(200);
  const click = `/api/signing/sign/${processKey}/signee/${signeeKeys[1]}/click`;
  expect((await api.post(click, {}, from(1))).status).toBe(200);
  await api.toolkit.runDueJobs();
  const view = (headers = {}) =>
    api.get(`/api/signing/${processKey}/signee/${signeeKeys[1]}`, headers);
  const pathOf = ({ id, fileName }: Reference) =>
    `/api/signing/${processKey}/attachment/${id}/fileName/${fileName}`;
  const referencesFor = async (headers = {}): Promise<readonly Reference[]> =>
    (await view(headers)).body.attachmentReferences;
  return { processKey, pathOf, referencesFor };
}

const bytes = async (url: string, headers = {}) =>
  (await api.app.inject({ method: 'GET', url, headers })).rawPayload;
const owner = () => ({ authorization: api.basic });
const leaksIn = (text: string) =>
  [...secrets, host, 'hulin.example'].filter((each) => text.includes(each));
const nameEnds = (references: readonly Reference[]) =>
  references.map(({ fileName }) => fileName.replace(/^[^-]*/, '')).sort();

describe('evidence records', () => {
  test.each([false, true])(
    'through a link have numbers and addresses masked (hidden: %s)',
    async (hide) => {
      await api.toolkit.webhooks.create({
        ...{
          flowKey: asKey('flow', api.flowKey),
          type: 'AllSigned',
          url: `https://${host}/secret`,
        },
      });
      const it = await completed({}, { hidePersonalCode: hide });
      const own = await it.referencesFor();
      expect(nameEnds(own)).toEqual(['-evidence-masked.json', '-evidence-masked.pdf']);
      const json = own.find(({ fileName }) => fileName.endsWith('.json')) as Reference;
      const text = (await bytes(it.pathOf(json))).toString('utf8');
      expect(leaksIn(text)).toEqual([]);
      const record = JSON.parse(text);
      const [first, second] = record.signees;
      expect([first.name, first.email, first.ip, first.identity.personalCode]).toEqual([
        ...[odon.name, 'l…@…', '…', '…94'],
      ]);
      expect(second).toMatchObject({ name: 'Bera', email: 'b…@…', ip: '…' });
      // It agrees with the company's record, and names that one.
      const theirs = await it.referencesFor(owner());
      expect(nameEnds(theirs)).toEqual(['-evidence.json', '-evidence.pdf']);
      const full = theirs.find(({ fileName }) => fileName.endsWith('.json')) as Reference;
      const whole = await bytes(it.pathOf(full), owner());
      const fullSha256 = createHash('sha256').update(whole).digest('hex');
      expect(record.copy).toEqual({ for: 'signees', fullSha256 });
      const { documents, chain, steps, salt } = JSON.parse(whole.toString('utf8'));
      // Without a salt the digest would reveal masked numbers to anyone who tries them all.
      expect(salt).toMatch(/^[0-9a-f]{64}$/);
      expect(record).not.toHaveProperty('salt');
      expect([record.documents, record.chain]).toEqual([documents, chain]);
      const hashes = (rows: readonly { readonly hash: string }[]) => rows.map(({ hash }) => hash);
      expect(hashes(record.steps)).toEqual(hashes(steps));
      expect(leaksIn(whole.toString('utf8'))).toContain(odon.email);
    },
  );

  test('of the company cannot be read through a link', async () => {
    const it = await completed();
    for (const reference of await it.referencesFor(owner())) {
      const path = it.pathOf(reference);
      const byLink = await api.get(path);
      expect([byLink.status, byLink.body.errorCode]).toEqual([404, 'process.file.not_found']);
      expect((await api.get(path, { authorization: api.foreign })).status).toBe(404);
      expect((await api.get(path, owner())).status).toBe(200);
    }
  });

  test('referenced by a later process are readable by its links in the masked form only', async () => {
    const it = await completed();
    const taken = async (from: readonly Reference[], more: object = {}) => {
      const references = from.map(({ id }) => ({ id, processKey: it.processKey, ...more }));
      const place = await api.process(bera, { attachmentReferences: references });
      const at = `/api/signing/${place.processKey}`;
      const see = async (headers: Record<string, string>): Promise<readonly Reference[]> =>
        (await api.get(`${at}/signee/${place.signeeKey}`, headers)).body.attachmentReferences;
      const pathOf = ({ id, fileName }: Reference) => `${at}/attachment/${id}/fileName/${fileName}`;
      return { see, pathOf };
    };
    for (const more of [{}, { description: 'The contract of before' }]) {
      const full = await taken(await it.referencesFor(owner()), more);
      const theirs = await full.see(owner());
      expect(nameEnds(theirs)).toEqual(['-evidence.json', '-evidence.pdf']);
      expect(await full.see({})).toEqual([]);
      for (const each of theirs) {
        expect((await api.get(full.pathOf(each))).status).toBe(404);
        expect((await api.get(full.pathOf(each), owner())).status).toBe(200);
      }
    }
    const masked = await taken(await it.referencesFor());
    const seen = await masked.see({});
    expect(nameEnds(seen)).toEqual(['-evidence-masked.json', '-evidence-masked.pdf']);
    for (const each of seen) expect(leaksIn(String(await bytes(masked.pathOf(each))))).toEqual([]);
  });

  costlyTest(
    'state whom a link has added, and that mail to their address followed links',
    async () => {
      const mails = () => {
        const folder = join(api.dataDir, 'outbox', 'mail');
        const all = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
        return all.filter((mail) => /^To: .*named@hulin/im.test(mail) && /-evidence/.test(mail));
      };
      // At most ten mails a day go to an address because of links, including confirmations.
      const last = { processKey: '' };
      for (let at = 0; at < 11; at += 1) {
        const { processKey } = await api.process(bera);
        const named = { name: 'Chief Executive', email: 'named@hulin.example' };
        const request = { ...named, ssn: '1703743719', signatureType: 'ClickToSign' };
        const added = await api.post(`/api/signing/${processKey}/signee`, request);
        expect(added.status).toBe(200);
        for (const { key } of (await api.toolkit.processes.show({ key: processKey })).signees) {
          const click = `/api/signing/sign/${processKey}/signee/${key}/click`;
          expect((await api.post(click, {})).status).toBe(200);
        }
        last.processKey = processKey;
      }
      await api.toolkit.runDueJobs();
      expect(mails()).toHaveLength(10);
      const { attachments } = await api.toolkit.processes.show({ key: last.processKey });
      const json = attachments.find(({ fileName }) => fileName.endsWith('-evidence.json'));
      const path = `/api/signing/${last.processKey}/attachment/${json?.key}/fileName/${json?.fileName}`;
      const record = JSON.parse(String(await bytes(path, owner())));
      const marks = record.signees.map(({ namedByLink }: { namedByLink?: true }) => namedByLink);
      expect(marks).toEqual([undefined, true]);
      const step = record.steps.findLast(
        ({ status }: { status: string }) => status === 'SigneeAdded',
      );
      expect([step.by, step.description]).toEqual(['System', 'by link']);
    },
  );

  test('for signees are sealed, and name their own record', async () => {
    const it = await completed();
    const own = await it.referencesFor();
    const [json, pdf] = ['.json', '.pdf'].map(
      (end) => own.find(({ fileName }) => fileName.endsWith(end)) as Reference,
    );
    const page = await bytes(it.pathOf(pdf as Reference));
    const report = await verifyPdfDocument(page);
    const seals = report.signatures.map(({ kind, intact, coverage }) => [kind, intact, coverage]);
    expect(seals[0]).toEqual(['signature', true, 'revision']);
    const record = JSON.parse((await bytes(it.pathOf(json as Reference))).toString('utf8'));
    expect(record.copy.for).toBe('signees');
  });

  test('in mails are masked for signees, and complete for the company', async () => {
    await completed({ user: 'owner@acme.example' });
    const folder = join(api.dataDir, 'outbox', 'mail');
    const mails = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .filter((mail) => mail.includes('-evidence'))
      .map((mail) => [/^To: .*hulin/im.test(mail), /-evidence-masked\.pdf/.test(mail)]);
    expect(mails.length).toBeGreaterThan(2);
    expect(new Set(mails.map(String))).toEqual(new Set(['true,true', 'false,false']));
  });
});

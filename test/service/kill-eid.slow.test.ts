import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { type BankidPlace, serveBankid } from '../support/eid/bankid-place.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { type EidPollTask, pollEid } from './kill-acts.ts';
import { type Nursery, openNursery } from './kill-children.ts';
import { killEverywhere as killSessions } from './kill-sessions.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const person = { number: '199003102390', name: 'Testa Exempelsson' };
const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };

let folder = '';
let bankid: BankidPlace;
let it: TestService;
let nursery: Nursery;
let env: Record<string, string>;
let offsetMs = 0;
const pass = (ms: number) => {
  it.pass(ms);
  offsetMs = it.nowMs() - Date.now();
};

beforeEach(async () => {
  folder = newTemporaryFolder('kill-eid');
  bankid = await serveBankid(person, () => Date.now() + offsetMs);
  for (const [name, content] of Object.entries(bankid.files)) {
    writeFileSync(join(folder, name), content);
  }
  const transport = { caFile: 'tls-ca.pem', certificateFile: 'rp.pem', keyFile: 'rp.key' };
  const provider = { driver: 'bankid-se', url: bankid.url, anchors: ['root.pem'], transport };
  const content = { providers: { bankid: provider }, methods: { 'eid-se': 'bankid' } };
  const file = join(folder, 'eid.json');
  writeFileSync(file, JSON.stringify(content));
  // Each kill point has a separate login.
  const bounds = ['IN_TEN_MINUTES', 'A_DAY', 'A_DAY_BY_CLIENT'];
  const names = [...bounds, 'STRANGERS_IN_TEN_MINUTES', 'STRANGERS_A_DAY', 'A_MINUTE_OF_FLOW'];
  const settings = {
    INNSIGLI_EID: file,
    ...Object.fromEntries(names.map((name) => [`INNSIGLI_LOGINS_${name}`, '1000'])),
  };
  it = await openTestService(settings);
  pass(0);
  env = { HOME: it.folder, INNSIGLI_HOME: join(it.folder, 'data'), ...settings };
  nursery = await openNursery(env);
}, 120_000);
afterEach(async () => {
  nursery?.remove();
  await it?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Logins or signatures started by `begin` and approved by the person. */
function killEverywhere(
  begin: () => Promise<EidPollTask>,
  check: (poll: EidPollTask, moment: string) => Promise<void>,
): Promise<readonly string[]> {
  const approved = async () => {
    const poll = await begin();
    bankid.server.control.approve();
    pass(2_500);
    return poll;
  };
  return killSessions({ nursery, offsetMs: () => offsetMs, pass, approved, check });
}

describe('a program killed during a response of the provider', () => {
  test('leaves a login that the next poll completes for one person', async () => {
    const begin = async () => {
      const scheme = { scheme: 'eid-se', channel: 'App', loginHint: '' } as const;
      const { flowKey } = it;
      const more = { flowKey, includeVerificationCode: false, circumstances };
      const { token } = await it.service.identity.startLogin({ ...scheme, ...more });
      return { token, flowKey };
    };
    const points = await killEverywhere(begin, async (poll, moment) => {
      const first = await pollEid(it.service.identity, poll);
      expect([moment, first]).toEqual([
        moment,
        { state: 'done', customer: expect.objectContaining({ ssn: person.number }) },
      ]);
      pass(2_500);
      expect(await pollEid(it.service.identity, poll)).toEqual(first);
    });
    expect(points).toContain('post accepted');
    const after = points.slice(points.indexOf('post accepted'));
    expect(after.filter((each) => each === 'committed').length).toBeGreaterThanOrEqual(2);
  }, 300_000);

  test('leaves a document with one signature after the next poll', async () => {
    const { config } = resolveConfig({ flags: {}, env, cwd: it.folder });
    const random = (count: number) => new Uint8Array(count);
    const kit = openToolkit(config, { now: it.nowMs, random, warn: () => undefined });
    const begin = async () => {
      const made = await it.toolkit.processes.create({
        ...{ flowKey: it.flowKey, pdf: agreement, fileName: 'Samningur.pdf' },
        signees: [{ name: person.name, ssn: person.number, signatureType: 'Qualified' }],
      });
      const place = { processKey: made.key, signeeKey: made.signees[0]?.key ?? '' };
      const at = { ...place, circumstances };
      const { token } = await it.service.identity.startForeign(at, 'eid-se', {});
      return { ...place, token };
    };
    const points = await killEverywhere(begin, async (poll, moment) => {
      if (!('processKey' in poll)) throw new Error('expected a signature');
      const { state } = await pollEid(it.service.identity, poll);
      expect([moment, state]).toEqual([moment, 'signed']);
      const { signees, lease } = await it.toolkit.processes.show({ key: poll.processKey });
      expect([moment, signees[0]?.state, lease]).toEqual([moment, 'Signed', undefined]);
      const pdf = await it.toolkit.processes.document(poll.processKey);
      const { signatures } = await kit.verify(memorySource(pdf));
      expect([moment, signatures.map(({ intact }) => intact)]).toEqual([moment, [true]]);
    });
    kit.close();
    expect(points).toContain('file renamed');
  }, 600_000);
});

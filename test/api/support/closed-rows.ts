import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';
import { weakMember } from '../../support/weak-keys.ts';
import { as, at, process, type Row, signee } from './rows.ts';

const mailed = { ...signee, communicationDeliveryType: 'Email' };
const simple = { ...signee, phoneNumber: '+3545550101', signatureType: 'Simple' };

const closed = (route: string, send: Row['send']): Row => ({
  ...{ route, what: 'no channel', status: 400, code: 'message.channel.none', send },
});

/** Requests to a service without mail and SMS. */
export const closedRows: readonly Row[] = [
  closed(
    'POST /management/signing',
    at('/api/management/signing', (w) => process(w, { createSignees: [mailed] })),
  ),
  closed(
    'POST /management/signing/sequential',
    at('/api/management/signing/sequential', (w) => {
      const changes = { user: 'owner@example.test', createSignees: [mailed] };
      return [process(w, changes), process(w, changes)];
    }),
  ),
  closed(
    'POST /signing/{ProcessKey}/signee',
    as(
      (w) => `/api/signing/${w.open.key}/signee`,
      () => simple,
    ),
  ),
  closed(
    'POST /management/signing/{ProcessKey}/signee/{SigneeKey}/remind',
    as(
      (w) => `/api/management/signing/${w.open.key}/signee/${w.open.signee}/remind`,
      () => ({ communicationDeliveryType: 'Email' }),
    ),
  ),
  closed(
    'POST /signing/sign/{ProcessKey}/signee/{SigneeKey}/otp',
    as((w) => `/api/signing/sign/${w.coded.key}/signee/${w.coded.signee}/otp`),
  ),
];

const weak = (route: string, send: Row['send']): Row => ({
  ...{ route, what: 'a weak key', status: 400, code: 'key.weak', send },
});

/** Requests to a service whose seal key is too weak. */
export const weakRows: readonly Row[] = [
  weak(
    'POST /management/signing',
    at('/api/management/signing', (w) => process(w, {})),
  ),
  weak(
    'POST /management/signing/sequential',
    at('/api/management/signing/sequential', (w) => {
      const changes = { user: 'owner@example.test' };
      return [process(w, changes), process(w, changes)];
    }),
  ),
];

/** Settings that refer to such a key. */
export function weakKey(): Readonly<Record<string, string>> {
  const folder = newTemporaryFolder('weak-key');
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const { privateKey, der, chain } = weakMember(
    makeTestPki({ nowMs: Date.now() }),
    'an RSA key of 1024 bits',
  );
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(
    certificate,
    [der, ...chain].map((each) => String(new X509Certificate(each))).join(''),
  );
  return { INNSIGLI_KEY: key, INNSIGLI_CERT: certificate };
}

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sealXml, type XmlVerificationReport } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sealOptions, signerOf } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';
import { defects } from './defects.table.ts';
import { type DocumentName, documents } from './documents.ts';
import { type CanonicalForm, canonicalForms, type Peer, type PeerKey } from './peer.ts';
import { xmlCrypto } from './xml-crypto-peer.ts';
import { xmldsigjs } from './xmldsigjs-peer.ts';

const pki = makeTestPki();
const members = { rsa: pki.member('rsa'), ecdsa: pki.member('signer') };
const forms = Object.keys(canonicalForms) as CanonicalForm[];
const names = Object.keys(documents) as DocumentName[];

const cases = [xmldsigjs, xmlCrypto].flatMap((peer) =>
  (['rsa', 'ecdsa'] as const).flatMap((scheme) =>
    names.map((name) => ({ title: `${peer.name}, ${scheme}: ${name}`, peer, scheme, name })),
  ),
);

describe('signatures of other libraries verify here, and ours verify there', () => {
  // The parsers of the peers write warnings to the console.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterAll(() => void vi.restoreAllMocks());

  test.each(cases)('$title', async ({ peer, scheme, name }) => {
    const { privateKey, der } = members[scheme];
    const key: PeerKey = { privateKey, certificate: der, scheme };
    const known = defects[peer.name]?.filter(({ documents }) => documents.includes(name)) ?? [];
    const wrong = known.flatMap(({ theirs = [] }) => theirs);
    expect(await judgeTheirs(peer, documents[name], key), 'what it signs, with us').toEqual(
      Object.fromEntries(forms.map((form) => [form, !wrong.includes(form)])),
    );
    expect(await peer.verify(await sealOurs(documents[name], scheme), key)).toBe(
      !known.some(({ ours }) => ours),
    );
  });
});

async function judgeTheirs(peer: Peer, xml: string, key: PeerKey) {
  const verdicts: Partial<Record<CanonicalForm, boolean>> = {};
  for (const form of forms) {
    const signed = Buffer.from(await peer.sign(xml, form, key));
    const options = { trust: [pki.member('root').der], now: () => new Date(pki.nowMs) };
    const report = (await verifyDocument(signed, options)) as XmlVerificationReport;
    expect(report.signatures).toMatchObject([{ form: 'xmldsig' }]);
    verdicts[form] = report.signatures[0]?.intact ?? false;
  }
  return verdicts;
}

async function sealOurs(xml: string, scheme: PeerKey['scheme']): Promise<string> {
  const { bytes } = await sealXml(Buffer.from(xml), {
    ...sealOptions(pki),
    signer: signerOf(members[scheme]),
    level: 'B-B',
    transform: 'enveloped',
  });
  return Buffer.from(bytes).toString('utf8');
}

import { afterAll, describe, expect, test } from 'vitest';
import { sealLevels, sealXml, type XmlVerificationReport } from '../../../src/index.ts';
import { pem } from '../../support/openssl.ts';
import { makeTestPki, type TestMemberName } from '../../support/pki.ts';
import { sealOptions, signerOf } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';
import { documents } from './documents.ts';
import { canonicalForms, dsigUri, envelopedUri } from './peer.ts';
import { folderWith, hasXmlsec1, xmlsec1, xmlsec1Note } from './xmlsec1.ts';

const pki = makeTestPki();
const keys: readonly TestMemberName[] = ['rsa', 'signer', 'p384'];
const folder = folderWith({
  'root.pem': pem('CERTIFICATE', pki.member('root').der),
  ...Object.fromEntries(
    keys.flatMap((name) => {
      const { der, privateKey } = pki.member(name);
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
      return [
        [`${name}.key`, key],
        [`${name}.pem`, pem('CERTIFICATE', der)],
      ];
    }),
  ),
});
afterAll(folder.remove);

const packagings = {
  enveloped: { packaging: 'enveloped' },
  'enveloped, own transform': { packaging: 'enveloped', transform: 'enveloped' },
  enveloping: { packaging: 'enveloping' },
  'enveloping, base64': { packaging: 'enveloping', encoding: 'base64' },
} as const;

// By its own clock the certificates of the test PKI might not be valid.
const time = new Date(pki.nowMs).toISOString().slice(0, 19).replace('T', ' ');
const verifyArgs = ['--verify', '--trusted-pem', 'root.pem', '--verification-gmt-time', time];

/**
 * `accepted` if it accepts all documents, otherwise its output. One process, because it starts
 * slowly.
 */
async function check(documents: Readonly<Record<string, Uint8Array>>): Promise<string> {
  for (const [name, document] of Object.entries(documents)) folder.write(name, document);
  const { accepted, errors } = await xmlsec1(
    [...verifyArgs, ...Object.keys(documents)],
    folder.path,
  );
  return accepted ? 'accepted' : errors;
}

describe.runIf(hasXmlsec1)(`xmlsec1 verifies our signatures${xmlsec1Note}`, () => {
  test.each(Object.entries(packagings))(
    'packaged as %s, with every key and level',
    async (_, packaging) => {
      const sealed: Record<string, Uint8Array> = {};
      for (const key of keys) {
        for (const level of sealLevels) {
          const options = { ...sealOptions(pki), signer: signerOf(pki.member(key)), level };
          const source = Buffer.from(documents['UBL invoice']);
          sealed[`${key} ${level}.xml`] = (
            await sealXml(source, { ...options, ...packaging })
          ).bytes;
        }
      }
      expect(Object.keys(sealed)).toHaveLength(12);
      expect(await check(sealed)).toBe('accepted');
      const text = Buffer.from(Object.values(sealed)[0] ?? []).toString('utf8');
      const changed = text.replace(/(<ds:DigestValue>)(.)/, (_, tag, letter) => {
        return `${tag}${letter === 'A' ? 'B' : 'A'}`;
      });
      expect(await check({ ...sealed, 'zz.xml': Buffer.from(changed) })).toContain('FAIL');
    },
  );

  test.each(['filter', 'enveloped'] as const)(
    'on every document, with the transform %s',
    async (transform) => {
      const sealed: Record<string, Uint8Array> = {};
      for (const [name, xml] of Object.entries(documents)) {
        const options = { ...sealOptions(pki), level: 'B-B', transform } as const;
        const { bytes } = await sealXml(Buffer.from(xml), options);
        sealed[`${name.replaceAll(/\W/g, '-')}.xml`] = bytes;
      }
      expect(Object.keys(sealed).length).toBeGreaterThan(30);
      expect(await check(sealed)).toBe('accepted');
    },
  );
});

const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const xmlenc = 'http://www.w3.org/2001/04/xmlenc#';
const digests = {
  sha256: `${xmlenc}sha256`,
  sha384: `${more}sha384`,
  sha512: `${xmlenc}sha512`,
} as const;
const forms = {
  ...canonicalForms,
  'version 1.1': 'http://www.w3.org/2006/12/xml-c14n11',
  'version 1.1 with comments': 'http://www.w3.org/2006/12/xml-c14n11#WithComments',
} as const;

type Digest = keyof typeof digests;

/** Has xmlsec1 sign the templates and expects every result to be intact here. */
async function signAndVerify(templates: readonly string[], key: TestMemberName): Promise<void> {
  const names = templates.map((_, index) => `${index}.xml`);
  for (const [index, name] of names.entries()) folder.write(name, templates[index] ?? '');
  const args = ['--sign', '--privkey-pem', `${key}.key,${key}.pem`, ...names];
  const { accepted, output, errors } = await xmlsec1(args, folder.path);
  expect(accepted, errors).toBe(true);
  const signed = Buffer.from(output)
    .toString('utf8')
    .split(/(?=<\?xml version)/);
  expect(signed).toHaveLength(templates.length);
  for (const document of signed) {
    const options = { trust: [pki.member('ca').der], now: () => new Date(pki.nowMs) };
    const report = (await verifyDocument(Buffer.from(document), options)) as XmlVerificationReport;
    expect(report.signatures, document).toMatchObject([
      { form: 'xmldsig', intact: true, trusted: true, coverage: 'document' },
    ]);
  }
}

describe.runIf(hasXmlsec1)(`our verification accepts signatures of xmlsec1${xmlsec1Note}`, () => {
  test.each(Object.entries(forms))('on every document, in canonical form %s', async (_, uri) => {
    const template = templateText(uri, 'ecdsa', 'sha256');
    const templates = Object.values(documents).map((xml) => withTemplate(xml, template));
    await signAndVerify(templates, 'signer');
  });

  const algorithms = keys.flatMap((key) =>
    (Object.keys(digests) as Digest[]).map((digest) => ({ key, digest })),
  );
  test.each(algorithms)(
    'in every canonical form, with $key and $digest',
    async ({ key, digest }) => {
      const scheme = key === 'rsa' ? 'rsa' : 'ecdsa';
      const templates = Object.values(forms).map((uri) =>
        withTemplate(documents['UBL invoice'], templateText(uri, scheme, digest)),
      );
      await signAndVerify(templates, key);
    },
  );
});

function templateText(form: string, scheme: 'rsa' | 'ecdsa', digest: Digest): string {
  const method = (name: string, uri: string) => `<${name} Algorithm="${uri}"/>`;
  return (
    `<Signature xmlns="${dsigUri}"><SignedInfo>${method('CanonicalizationMethod', form)}` +
    `${method('SignatureMethod', `${more}${scheme}-${digest}`)}<Reference URI=""><Transforms>` +
    `${method('Transform', envelopedUri)}${method('Transform', form)}</Transforms>` +
    `${method('DigestMethod', digests[digest])}<DigestValue/></Reference></SignedInfo>` +
    '<SignatureValue/><KeyInfo><X509Data/></KeyInfo></Signature>'
  );
}

/** The document with an additional last child of its root. */
function withTemplate(xml: string, template: string): string {
  const end = xml.lastIndexOf('</');
  if (end >= 0) return `${xml.slice(0, end)}${template}${xml.slice(end)}`;
  const empty = xml.lastIndexOf('/>');
  const name = /<([^\s?!/>]+)/.exec(xml)?.[1];
  return `${xml.slice(0, empty)}>${template}</${name}>${xml.slice(empty + 2)}`;
}

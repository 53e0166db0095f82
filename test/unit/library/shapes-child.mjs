// Seals or verifies a small document repeatedly: `node shapes-child.mjs CASE COUNT FOLDER`. A
// separate program, because V8 logs hidden classes for the whole process.
import { readFileSync } from 'node:fs';
import {
  augmentPdf,
  keyObjectSigner,
  localTimestampAuthority,
  sealContainer,
  sealPdf,
  sealXml,
  verifyDocument,
} from 'innsigli';
import { openDevelopmentTrust } from 'innsigli/toolkit';

const [name, count, directory] = process.argv.slice(2);
const development = await openDevelopmentTrust({ directory });
const trust = [development.rootCertificate];
const options = {
  trust,
  signer: keyObjectSigner(development.seal('ec')),
  revocation: development.revocationSource(),
  timestampAuthority: localTimestampAuthority(development.tsa()),
  level: 'B-LTA',
};
const pdf = new Uint8Array(
  readFileSync(new URL('../../../fixtures/pdf/agreement.pdf', import.meta.url)),
);
const xml = Buffer.from('<order><item>1</item></order>');

const repeated = async (making) => {
  const { bytes } = await making;
  return () => verifyDocument(bytes, { trust });
};
const cases = {
  'seal a PDF': () => () => sealPdf(pdf, { ...options, level: 'B-B' }),
  'seal an XML document': () => () => sealXml(xml, options),
  'verify a PDF': () => repeated(sealPdf(pdf, options)),
  'verify an XML document': () => repeated(sealXml(xml, options)),
  'verify a container': () => repeated(sealContainer([{ name: 'a.xml', content: xml }], options)),
  'augment a PDF': async () => {
    const { bytes } = await sealPdf(pdf, { ...options, level: 'B-T' });
    return () => augmentPdf(bytes, options);
  },
};

const work = await cases[name]();
await work();
// The log names the member for which a class is created. Entries before this one are from start-up,
// when the loader of Node 24 creates a class for each module.
const marker = {};
marker.startIsOver = true;
for (let i = 0; i < Number(count); i++) await work();

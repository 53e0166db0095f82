// One contender of the rates in a separate process: `node rate-child.mjs CASE KEY-KIND FOLDER`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { augmentPdf, httpTimestampAuthority, sealPdf, verifyDocument } from 'innsigli';
import { serveRounds } from './apart.mjs';
import { agreement, openMaterial, rawArchive, rawSeal, serveAuthority } from './material.mjs';

const [name, kind, directory, file] = process.argv.slice(2);
const material = await openMaterial(directory);
const { trust, revocation, authority, development, keys } = material;
const signer = material.signers[kind];
const { privateKey } = keys[kind];
const shared = { trust, revocation, signer };

const seal = async (level, timestampAuthority = authority) =>
  (await sealPdf(agreement, { ...shared, level, timestampAuthority })).bytes;
const tailOf = async (level) => (await seal(level)).length - agreement.length;

const cases = {
  async 'raw seal'() {
    return rawSeal(agreement, privateKey, await tailOf('B-B'));
  },
  async seal() {
    const options = { signer, level: 'B-B', trust };
    return () => sealPdf(agreement, options);
  },
  async libpdf() {
    const { P12Signer, PDF } = await import('@libpdf/core');
    const p12 = readFileSync(join(directory, `bench-${kind}.p12`));
    const peer = await P12Signer.create(new Uint8Array(p12), 'bench');
    return async () => (await PDF.load(agreement)).sign({ signer: peer, level: 'B-B' });
  },
  async 'raw archive'() {
    const authorityKey = development.tsa().privateKey;
    return rawArchive(agreement, privateKey, authorityKey, await tailOf('B-LTA'));
  },
  async 'archive over HTTP'() {
    const { url } = await serveAuthority(material);
    const overHttp = httpTimestampAuthority({ url: `${url}/tsa` });
    return () => seal('B-LTA', overHttp);
  },
  async 'archive in process'() {
    return () => seal('B-LTA');
  },
  async 'verify B-B'() {
    const bytes = await seal('B-B');
    return () => verifyDocument(bytes, { trust });
  },
  async 'verify B-LTA'() {
    const bytes = await seal('B-LTA');
    return () => verifyDocument(bytes, { trust });
  },
  async 'verify file'() {
    const bytes = readFileSync(file);
    return () => verifyDocument(bytes, { trust });
  },
  async renew() {
    const bytes = await seal('B-LTA');
    return () => augmentPdf(bytes, { trust, revocation, timestampAuthority: authority });
  },
};
await serveRounds(await cases[name]());
process.exit();

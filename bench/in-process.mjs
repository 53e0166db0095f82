import { archivePdf, httpTimestampAuthority, sealPdf, verifyDocument } from 'innsigli';
import { agreement, rawSeal, serveAuthority } from './material.mjs';
import { measure } from './measure.mjs';
import { libpdfSealers } from './peers.mjs';

/** Rates of sealing at B-B against the raw limit and a peer, one group a key. */
export async function sealBasic(material, timing) {
  const groups = [];
  for (const [kind, title] of [
    ['rsa', 'B-B, RSA-2048'],
    ['ec', 'B-B, P-256'],
  ]) {
    const signer = material.signers[kind];
    const options = { signer, level: 'B-B', trust: material.trust };
    const { bytes } = await sealPdf(agreement, options);
    const tailLength = bytes.length - agreement.length;
    const contenders = [
      { name: 'raw limit', work: rawSeal(agreement, material.keys[kind].privateKey, tailLength) },
      { name: 'innsigli', work: () => sealPdf(agreement, options) },
      ...(await libpdfSealers(material, kind)),
    ];
    groups.push({ title, rows: await measure(contenders, timing) });
  }
  return groups;
}

/** Rates of sealing to B-LTA: authority in process and over HTTP (its CPU time is counted too). */
export async function sealArchive(material, timing) {
  const server = await serveAuthority(material);
  const overHttp = httpTimestampAuthority({ url: `${server.url}/tsa` });
  const { trust, revocation, authority } = material;
  const shared = { trust, revocation, level: 'B-LTA' };
  const contenders = [
    ...['rsa', 'ec'].map((kind) => ({
      name: `${kind === 'rsa' ? 'RSA-2048' : 'P-256'}, authority over HTTP`,
      work: () =>
        sealPdf(agreement, {
          ...shared,
          signer: material.signers[kind],
          timestampAuthority: overHttp,
        }),
    })),
    {
      name: 'P-256, authority in process',
      work: () =>
        sealPdf(agreement, {
          ...shared,
          signer: material.signers.ec,
          timestampAuthority: authority,
        }),
    },
  ];
  const rows = await measure(contenders, timing);
  overHttp.close?.();
  await server.close();
  return [{ title: 'B-LTA with the embedded authority', rows }];
}

/** Rates of verifying and of renewing. */
export async function verifyAll(material, timing) {
  const { trust, revocation, authority: timestampAuthority, signers } = material;
  const options = { trust, revocation, timestampAuthority };
  const seal = async (kind, level) =>
    (await sealPdf(agreement, { ...options, signer: signers[kind], level })).bytes;
  const files = {
    'verify B-B, RSA-2048': await seal('rsa', 'B-B'),
    'verify B-B, P-256': await seal('ec', 'B-B'),
    'verify B-LTA, RSA-2048': await seal('rsa', 'B-LTA'),
    'verify B-LTA, P-256': await seal('ec', 'B-LTA'),
  };
  const contenders = Object.entries(files).map(([name, bytes]) => ({
    name,
    work: () => verifyDocument(bytes, { trust }),
  }));
  const archived = files['verify B-LTA, P-256'];
  contenders.push({ name: 'renew B-LTA, P-256', work: () => archivePdf(archived, options) });
  return [{ title: 'verify and renew', rows: await measure(contenders, timing) }];
}

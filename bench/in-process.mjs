import { fileURLToPath } from 'node:url';
import { measureApart } from './apart.mjs';
import { agreementPath, libpdfVersion, makeP12, pyhankoRounds } from './peers.mjs';

const child = fileURLToPath(new URL('rate-child.mjs', import.meta.url));
const keyNames = { rsa: 'RSA-3072', ec: 'P-256' };

/**
 * Rates within one process per contender: sealing compared with the raw limit and peers, verifying,
 * archiving again.
 */
export async function rates(material, timing) {
  const { directory } = material;
  const contender = (name, work, kind) => ({
    name,
    command: [process.execPath, child, work, kind, directory],
  });
  const groups = [];
  for (const kind of ['rsa', 'ec']) {
    const p12 = makeP12(material, kind);
    const contenders = [
      contender('raw limit', 'raw seal', kind),
      contender('innsigli', 'seal', kind),
      { ...contender(`@libpdf/core ${libpdfVersion()}`, 'libpdf', kind), isPeer: true },
      ...pyhankoRounds(p12, agreementPath),
    ];
    const rows = await measureApart(contenders, timing);
    groups.push({ title: `B-B, ${keyNames[kind]}`, rows });
  }
  for (const kind of ['rsa', 'ec']) {
    const contenders = [
      contender('raw limit', 'raw archive', kind),
      contender('authority over HTTP', 'archive over HTTP', kind),
      contender('authority in process', 'archive in process', kind),
    ];
    const rows = await measureApart(contenders, timing);
    groups.push({ title: `B-LTA, ${keyNames[kind]}`, rows });
  }
  const rows = await measureApart(
    [
      contender('verify B-B, RSA-3072', 'verify B-B', 'rsa'),
      contender('verify B-B, P-256', 'verify B-B', 'ec'),
      contender('verify B-LTA, RSA-3072', 'verify B-LTA', 'rsa'),
      contender('verify B-LTA, P-256', 'verify B-LTA', 'ec'),
      contender('renew B-LTA, P-256', 'renew', 'ec'),
    ],
    timing,
  );
  groups.push({ title: 'verify and renew', rows });
  return groups;
}

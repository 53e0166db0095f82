import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sealPdf, sealXml } from 'innsigli';
import { measureApart } from './apart.mjs';
import { openJudge } from './judge-process.mjs';
import { agreement } from './material.mjs';
import { agreementPath, makeP12 } from './peers.mjs';
import { orderDocument } from './xml-inputs.mjs';

const child = fileURLToPath(new URL('rate-child.mjs', import.meta.url));
const judge = fileURLToPath(new URL('../../shared/tools/judge', import.meta.url));
const MORE_THAN_ANY_RUN = 20_000;

/**
 * Verifies the same files as the foreign judges, each a warm process that takes its turns. Even
 * short rounds warm up for `warmAtLeastMs`, because cold programs cannot be compared.
 */
export async function verifyAgainstJudges(material, { warmUpMs, ...rounds }, warmAtLeastMs) {
  const timing = { ...rounds, warmUpMs: Math.max(warmUpMs, warmAtLeastMs) };
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-bench-verify-'));
  const root = join(folder, 'root.der');
  writeFileSync(root, material.trust[0]);
  if (!existsSync(judge)) console.error('SKIPPED DSS, pyHanko: ../shared/tools/judge is absent');
  try {
    const groups = [];
    for (const [name, file] of await makeFiles(material, folder)) {
      const command = [process.execPath, child, 'verify file', 'rsa', material.directory, file];
      const judges = existsSync(judge) ? judgesOf(file, root) : [];
      const rows = await measureApart([{ name: 'innsigli', command }, ...judges], timing);
      groups.push({ title: `verify ${name}, RSA-3072`, kind: 'costs', rows });
    }
    return groups;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeFiles(material, folder) {
  const { signers, trust, revocation, authority: timestampAuthority } = material;
  const options = { signer: signers.rsa, trust, revocation, timestampAuthority };
  const files = [];
  const add = (name, file, bytes) => {
    const path = join(folder, file);
    writeFileSync(path, bytes);
    files.push([name, path]);
  };
  for (const level of ['B-B', 'B-T', 'B-LTA']) {
    add(`PDF ${level}`, `${level}.pdf`, (await sealPdf(agreement, { ...options, level })).bytes);
  }
  const order = await sealXml(orderDocument(10_000), { ...options, level: 'B-LTA' });
  add('XML B-LTA', 'B-LTA.xml', order.bytes);
  const key = makeP12(material, 'rsa').replace(/p12$/, 'key');
  const [signer, issuers] = ['pem', 'issuers'].map((end) => key.replace(/key$/, end));
  const [, ...chain] = readFileSync(signer, 'utf8').split(/(?=-----BEGIN)/);
  writeFileSync(issuers, chain.join(''));
  const cms = execFileSync('openssl', [
    ...['cms', '-sign', '-binary', '-cades', '-nodetach', '-outform', 'DER', '-md', 'sha256'],
    ...['-signer', signer, '-certfile', issuers, '-inkey', key, '-in', agreementPath],
  ]);
  add('CMS B-B', 'B-B.p7m', cms);
  return files;
}

function judgesOf(file, root) {
  const list = join(root, '..', 'list');
  writeFileSync(list, `${file}\n`.repeat(MORE_THAN_ANY_RUN));
  const contender = (name, which) => ({
    name,
    command: [judge, which, '--trust', root, '--files-from', list],
    open: openJudge,
    isPeer: true,
  });
  const dss = contender('DSS, warm', 'dss');
  return file.endsWith('.pdf') ? [dss, contender('pyHanko, warm', 'pyhanko')] : [dss];
}

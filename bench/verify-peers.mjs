import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sealPdf, sealXml } from 'innsigli';
import { measureApart } from './apart.mjs';
import { agreement } from './material.mjs';
import { median } from './measure.mjs';
import { agreementPath, makeP12 } from './peers.mjs';
import { orderDocument } from './xml-inputs.mjs';

const child = fileURLToPath(new URL('rate-child.mjs', import.meta.url));
const judge = fileURLToPath(new URL('../../shared/tools/judge', import.meta.url));
/** Files of the shorter run of a judge: start and most of the warming up. */
const WARM_UP = { dss: 60, pyhanko: 3 };

/**
 * Verifying the same files as the foreign judges, each judge warm: what a run over many files takes
 * more than one over fewer, so that its start does not count.
 */
export async function verifyAgainstJudges(material, timing, { files, rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-bench-verify-'));
  const root = join(folder, 'root.der');
  writeFileSync(root, material.trust[0]);
  if (!existsSync(judge)) console.error('SKIPPED DSS, pyHanko: ../shared/tools/judge is absent');
  try {
    const groups = [];
    for (const [name, file] of await makeFiles(material, folder)) {
      const command = [process.execPath, child, 'verify file', 'rsa', material.directory, file];
      const own = await measureApart([{ name: 'innsigli', command }], timing);
      const judges = existsSync(judge) ? judgesOf(file, root, files, rounds) : [];
      const [{ cpuMs }] = own;
      const rows = judges.map((row) => ({ ...row, ratio: cpuMs / row.cpuMs }));
      groups.push({ title: `verify ${name}, RSA-3072`, rows: [...own, ...rows] });
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

function judgesOf(file, root, files, rounds) {
  const rows = [rowOf('DSS, warm', 'dss', file, root, files.dss, rounds)];
  if (file.endsWith('.pdf')) {
    rows.push(rowOf('pyHanko, warm', 'pyhanko', file, root, files.pyhanko, rounds));
  }
  return rows.filter((row) => row !== undefined);
}

function rowOf(name, which, file, root, count, rounds) {
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const few = runJudge(which, file, root, WARM_UP[which]);
    const many = few && runJudge(which, file, root, WARM_UP[which] + count);
    if (many === undefined) {
      console.error(`SKIPPED ${name}: the judge failed`);
      return undefined;
    }
    const [cpuMs, wallMs] = ['cpuMs', 'wallMs'].map((key) => (many[key] - few[key]) / count);
    samples.push({ cpuMs, wallMs, peakMiB: many.peakMiB });
  }
  const middle = (key) => median(samples.map((sample) => sample[key]));
  const [cpuMs, wallMs] = [middle('cpuMs'), middle('wallMs')];
  const rates = { cpuPerSecond: 1000 / cpuMs, wallPerSecond: 1000 / wallMs };
  const operations = rounds * count;
  return { name, rounds, operations, cpuMs, wallMs, ...rates, peakMiB: middle('peakMiB') };
}

// The program becomes the judge itself (`exec`): what its children took is the judge and no more.
const timed = 'TIMEFORMAT="%R %U %S"; time "$@" >"$0"';

function runJudge(which, file, root, count) {
  const list = join(root, '..', 'list');
  const answers = join(root, '..', 'answers');
  writeFileSync(list, `${file}\n`.repeat(count));
  const command = [judge, which, '--trust', root, '--files-from', list];
  const { status, stderr } = spawnSync('bash', ['-c', timed, answers, ...command], {
    env: { ...process.env, LC_ALL: 'C' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const lines = readFileSync(answers, 'utf8').trim().split('\n');
  if (status !== 0 || lines.length !== count) return undefined;
  const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wallMs: real * 1000, cpuMs: (user + system) * 1000, peakMiB: Number.NaN };
}

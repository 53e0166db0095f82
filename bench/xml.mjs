import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureApart } from './apart.mjs';
import { rawCommand } from './big-files.mjs';
import { measureProcesses, node, program } from './processes.mjs';
import { orderDocument } from './xml-inputs.mjs';
import { xmlsecTemplate } from './xml-peers.mjs';

const child = fileURLToPath(new URL('xml-child.mjs', import.meta.url));
const file = fileURLToPath(new URL('xml-file.mjs', import.meta.url));
const keyNames = { rsa: 'RSA-3072', ec: 'P-256' };
const libxml2Name = 'libxml2-wasm + node:crypto';

/** Signing and verifying XML in process: small and medium documents, and growth with size. */
export async function xmlRates(material, timing) {
  const row = (name, work, size, kind = 'rsa') => ({
    name,
    command: [process.execPath, child, ...work.split(' '), String(size), kind, material.directory],
    isPeer: work.startsWith('xmldsigjs') || work.startsWith('libxml2'),
  });
  const against = (operation, size, kind) => [
    row('raw limit', `raw ${operation}`, size, kind),
    row('innsigli', `innsigli ${operation}`, size, kind),
    ...(kind === 'rsa' ? peers(operation, size) : []),
  ];
  const peers = (operation, size) => [
    row(libxml2Name, `libxml2 ${operation}`, size),
    ...(operation === 'sign' ? [row(`${libxml2Name}, verified`, 'libxml2 both', size)] : []),
    row(`xmldsigjs ${versionOf('xmldsigjs')}`, `xmldsigjs ${operation}`, size),
  ];
  const groups = [];
  for (const [label, size, kind] of [
    ['10 KB', 10_000, 'rsa'],
    ['10 KB', 10_000, 'ec'],
    ['1 MB', 1_000_000, 'rsa'],
  ]) {
    for (const operation of ['sign', 'verify']) {
      const rows = await measureApart(against(operation, size, kind), timing);
      groups.push({ title: `XML, ${label}, ${operation}, ${keyNames[kind]}`, rows });
    }
  }
  const few = { ...timing, rounds: Math.min(timing.rounds, 5) };
  for (const operation of ['sign', 'verify']) {
    const sizes = [1, 5, 20].map((mega) =>
      row(`${mega} MB`, `innsigli ${operation}`, mega * 1_000_000),
    );
    groups.push({ title: `XML by size, ${operation}`, rows: await measureApart(sizes, few) });
  }
  return groups;
}

/** Whole processes that sign and verify a file of 20 MB. */
export async function xmlFiles(material, { rounds }) {
  const { directory: home, trust } = material;
  const path = (name) => join(home, `bench-xml-${name}`);
  const [input, output] = [path('in.xml'), path('out.xml')];
  const document = orderDocument(20_000_000);
  writeFileSync(input, document);
  const raw = rawCommand(material, 'rsa', output, input);
  const key = join(home, 'bench-rsa.key');
  const seal = ['--level', 'B-B', '--development-key', 'rsa', '--quiet'];
  const options = { rounds, home };
  try {
    const sign = [
      { name: 'raw limit, plain Node', command: raw },
      {
        name: 'innsigli seal-xml',
        command: node(program, 'seal-xml', input, '-o', output, ...seal),
      },
      ...peerFiles(key, input, output),
      ...(await xmlsecSign(path('template.xml'), key, document, output)),
    ].map((contender) => ({ ...contender, output }));
    const signing = measureProcesses(sign, options);
    const signed = await signAll(sign, path);
    const verify = [
      { name: 'raw limit, plain Node', command: node(file, 'raw', key, input) },
      {
        name: 'innsigli verify',
        command: node(program, 'verify', signed.innsigli, '--quiet', '--revocation', 'ignore'),
      },
      ...peerFiles(key, signed.libxml2),
      ...(await xmlsecVerify(path('root.pem'), trust[0], signed.innsigli)),
    ];
    const verifying = measureProcesses(verify, options);
    return [
      { title: 'XML, 20 MB, sign', kind: 'processes', rows: signing },
      { title: 'XML, 20 MB, verify', kind: 'processes', rows: verifying },
    ];
  } finally {
    const names = ['in.xml', 'out.xml', 'template.xml', 'root.pem', 'innsigli.xml', 'libxml2.xml'];
    for (const name of names) rmSync(path(name), { force: true });
  }
}

/** The peers from npm on a file; without an output argument they verify. */
function peerFiles(key, input, ...output) {
  const command = (name) => node(file, name, key, input, ...output);
  return [
    { name: libxml2Name, command: command('libxml2'), isPeer: true },
    {
      name: `xmldsigjs ${versionOf('xmldsigjs')}`,
      command: ['timeout', '60', ...command('xmldsigjs')],
      isPeer: true,
      // One run takes as long as all others together.
      rounds: 1,
    },
  ];
}

/** Signs once with the contenders whose result is verified afterwards. */
async function signAll(contenders, path) {
  const signed = {};
  for (const [key, name] of [
    ['innsigli', 'innsigli seal-xml'],
    ['libxml2', libxml2Name],
  ]) {
    const { command, output } = contenders.find((contender) => contender.name === name);
    signed[key] = path(`${key}.xml`);
    const [first, ...rest] = command.map((word) => (word === output ? signed[key] : word));
    const home = join(output, '..');
    const env = { ...process.env, INNSIGLI_HOME: home, XDG_CONFIG_HOME: home };
    execFileSync(first, rest, { env: { ...env, BENCH_PEAK: '/dev/null' }, stdio: 'ignore' });
  }
  return signed;
}

async function xmlsecSign(template, key, document, output) {
  writeFileSync(template, xmlsecTemplate(document));
  const keys = `${key},${key.replace(/key$/, 'pem')}`;
  return xmlsec('--sign', '--privkey-pem', keys, '--output', output, template);
}

async function xmlsecVerify(root, certificate, signed) {
  const base64 = Buffer.from(certificate)
    .toString('base64')
    .match(/.{1,64}/g)
    .join('\n');
  writeFileSync(root, `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
  return xmlsec('--verify', '--trusted-pem', root, '--X509-skip-strict-checks', signed);
}

/** xmlsec1, which does not report its peak memory: it is sampled externally, in a separate run. */
async function xmlsec(...options) {
  const peakMiB = await watchPeak('xmlsec1', options).catch((error) => {
    console.error(`SKIPPED xmlsec1: ${error.message}`);
  });
  if (peakMiB === undefined) return [];
  const version = execFileSync('xmlsec1', ['--version'], { encoding: 'utf8' }).split(' ')[1];
  const tell = 'echo "$0" > "$BENCH_PEAK"; exec "$@"';
  const command = ['bash', '-c', tell, String(peakMiB), 'xmlsec1', ...options];
  return [{ name: `xmlsec1 ${version}`, command, isPeer: true }];
}

function watchPeak(command, options) {
  return new Promise((done, fail) => {
    const running = spawn(command, options, { stdio: 'ignore' });
    let peakMiB = 0;
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${running.pid}/status`, 'latin1');
        peakMiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? peakMiB * 1024) / 1024;
      } catch {
        // It has ended.
      }
    }, 2);
    running.on('error', (error) => {
      clearInterval(timer);
      fail(error);
    });
    running.on('exit', (code) => {
      clearInterval(timer);
      if (code === 0) done(peakMiB);
      else fail(new Error(`ended with ${code}`));
    });
  });
}

function versionOf(name) {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

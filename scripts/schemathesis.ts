/**
 * Checks a running `innsigli serve` against its description: schemathesis sends the requests and
 * checks the responses. See CONTRIBUTING.md.
 *
 *     node scripts/run-ts.mjs scripts/schemathesis.ts [SEED]
 *
 * Needs the built program, and python3 with PyPI for the first run; without them it reports so and
 * skips. Ends with `schemathesis: N passed, N failed, N skipped`: operations without a finding,
 * findings, and operations that were not requested. SCHEMATHESIS_KEEP=1 keeps the files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExamples } from '../src/api/schemas/examples.ts';
import { innsigliCli } from '../test/interop/innsigli-cli.ts';
import { have, run } from '../test/interop/tools.ts';

const { facts, keys, routes } = readExamples();

const version = '4.32.5';
const seed = Number(process.argv[2] ?? 20260302);
/** Maximum number of generated requests per operation and phase. */
const examplesMax = 20;
/**
 * Checks of every response. Those for rejecting unusual input do not fit an interface that ignores
 * it.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/**
 * Routes where a 5xx is not a fault: 502 is published for a provider that refuses, as the simulator
 * does.
 */
const providers = '/(eid-se/start|devicelink/start|eid-se|eid-dk)$';

async function main(work: string): Promise<void> {
  const program = await findProgram();
  if (program === undefined) {
    console.log('schemathesis: 0 passed, 0 failed, 1 skipped (python3 or PyPI is not available)');
    return;
  }
  const cli = innsigliCli(join(work, 'home'));
  const init = JSON.parse((await cli.run(['--json', 'init'])).stdout) as {
    readonly company: Record<'key' | 'apiKey' | 'webhookSignatureKey', string>;
  };
  const server = await serve(cli.dataDir);
  try {
    const { key, apiKey, webhookSignatureKey } = init.company;
    const real = await seedStory(server.url, `${key}:${apiKey}`);
    real.set(keys.webhookSignature, webhookSignatureKey);
    const description = await (await fetch(`${server.url}/openapi.json`)).text();
    writeFileSync(join(work, 'openapi.json'), inReal(description, real));
    writeFileSync(join(work, 'schemathesis.toml'), configOf(real));
    await judge(program, work, server.url, `${key}:${apiKey}`);
  } finally {
    server.child.kill('SIGTERM');
  }
}

/** Returns schemathesis from its own virtual environment, which is created if absent. */
async function findProgram(): Promise<string | undefined> {
  const { INNSIGLI_JUDGES, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
  const cache = INNSIGLI_JUDGES ?? join(XDG_CACHE_HOME, 'innsigli-judges');
  const folder = join(cache, `schemathesis-${version}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(join(folder, 'done'))) return program;
  if (!have('python3')) return undefined;
  mkdirSync(cache, { recursive: true });
  const timeoutMs = 600_000;
  const made = await run('python3', ['-m', 'venv', folder], { timeoutMs });
  const pip = join(folder, 'bin', 'pip');
  const install = ['-q', 'install', `schemathesis==${version}`];
  if (made.code !== 0 || (await run(pip, install, { timeoutMs })).code !== 0) return undefined;
  writeFileSync(join(folder, 'done'), '');
  return program;
}

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

function serve(dataDir: string): Promise<Server> {
  const environment = { ...process.env, INNSIGLI_HOME: dataDir, XDG_CONFIG_HOME: dataDir };
  const options = ['bin/innsigli.cjs', 'serve', '--port', '0', '--rate-company', '0'];
  const child = spawn(process.execPath, [...options, '--log', 'error'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  return new Promise((done, failed) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /^(http:\S+)$/m.exec(said)?.[1];
      if (url !== undefined) done({ url, child });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (text.includes('internal.unexpected'))
        console.log(`  server: ${text.trim().slice(0, 2000)}`);
    });
    child.on('close', () => failed(new Error(`serve ended: ${said.trim()}`)));
    setTimeout(() => failed(new Error(`serve does not respond: ${said.trim()}`)), 60_000).unref();
  });
}

/** Creates the data of the examples; returns the example keys with the actual keys. */
async function seedStory(url: string, credentials: string): Promise<Map<string, string>> {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const real = new Map<string, string>();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const reply = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: inReal(JSON.stringify(body), real) }),
    });
    const text = await reply.text();
    if (reply.ok) return text === '' ? undefined : JSON.parse(text);
    throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  };
  const example = (route: string) => routes[route.toLowerCase()]?.body as object;
  const [flow] = await ask('GET', '/management/flow');
  real.set(keys.flow, flow.flowKey);
  const made = await ask('POST', '/management/signing', example('POST /management/signing'));
  real.set(keys.process, made.key).set(keys.attachment, made.attachmentReferences[0].id);
  const signees = [keys.qualified, keys.simple, keys.click];
  for (const [at, key] of signees.entries()) real.set(key, made.signees[at].key);
  const sequential = '/management/signing/sequential';
  const sequence = await ask('POST', sequential, example(`POST ${sequential}`));
  real.set(keys.sequence, sequence.key).set(keys.person, sequence.signees[0].key);
  for (const [at, key] of [keys.order, keys.terms].entries()) {
    real.set(key, sequence.signingProcesses[at].key);
  }
  for (const path of ['/management/webhook', '/management/emailtemplate']) {
    await ask('POST', path, example(`POST ${path}`));
  }
  const smart = 'PUT /management/smartflows/{FlowKey}/{Version}';
  await ask('PUT', `/management/smartflows/${flow.flowKey}/${facts.version}`, example(smart));
  const login = await ask('POST', '/auth/start', example('POST /auth/start'));
  real.set(keys.token, login.authRequestId);
  return real;
}

function inReal(text: string, real: ReadonlyMap<string, string>): string {
  return [...real].reduce((done, [example, key]) => done.replaceAll(example, key), text);
}

/** Most requests use the actual keys, so that they reach existing objects. */
function configOf(real: ReadonlyMap<string, string>): string {
  const of = (...names: readonly string[]) => names.map((name) => real.get(name) ?? name);
  const words = {
    ProcessKey: of(keys.process, keys.order),
    SigneeKey: of(keys.click, keys.qualified, keys.simple),
    SequenceKey: of(keys.sequence),
    SequentialSigneeKey: of(keys.person),
    SequenceSigneeKey: of(keys.person),
    FlowKey: of(keys.flow),
    Token: of(keys.token),
    Version: [facts.version],
    FileName: [facts.attachmentName],
  };
  const bodies = {
    flowKey: words.FlowKey,
    processKey: words.ProcessKey,
    signeeKey: words.SigneeKey,
  };
  const lines = ['[dictionaries]'];
  for (const [name, values] of Object.entries(words)) {
    lines.push(`${name} = { values = ${JSON.stringify(values)} }`);
  }
  lines.push('[parameters]');
  for (const name of Object.keys(words)) {
    lines.push(`"path.${name}" = { dictionary = "${name}", probability = 0.8 }`);
  }
  lines.push('"query.FlowKey" = { dictionary = "FlowKey", probability = 0.8 }');
  lines.push('"query.ProcessKey" = { dictionary = "ProcessKey", probability = 0.5 }');
  for (const name of Object.keys(bodies)) {
    const dictionary = name.charAt(0).toUpperCase() + name.slice(1);
    lines.push(`"body.${name}" = { dictionary = "${dictionary}", probability = 0.8 }`);
  }
  // The old login waits for a person: it is requested once, by the example.
  for (const path of ['/auth', '/api/auth']) {
    lines.push('[[operations]]', `include-path = "${path}"`);
    lines.push('phases.coverage.enabled = false', 'phases.fuzzing.enabled = false');
  }
  lines.push('[[operations]]', `include-path-regex = "${providers}"`);
  const expected = JSON.stringify(['2xx', '3xx', '4xx', '502']);
  lines.push(`checks.not_a_server_error.expected-statuses = ${expected}`);
  return `${lines.join('\n')}\n`;
}

async function judge(program: string, work: string, url: string, credentials: string) {
  const options = [
    ...['--config-file', 'schemathesis.toml', 'run', 'openapi.json', '--url', url],
    ...[
      '--auth',
      credentials,
      '--checks',
      checks.join(','),
      '--phases',
      'examples,coverage,fuzzing',
    ],
    ...['--seed', String(seed), '--max-examples', String(examplesMax), '--no-shrink'],
    ...['--continue-on-failure', '--suppress-health-check', 'all', '--warnings', 'off'],
    ...['--generation-database', 'none', '--request-timeout', '200'],
    ...['--report', 'ndjson', '--report-ndjson-path', 'events.ndjson', '--no-color'],
  ];
  const timeoutMs = 1_800_000;
  const answer = await run(program, options, { cwd: work, timeoutMs });
  const said = answer.stdout.slice(answer.stdout.indexOf('= FAILURES =')).slice(0, 30_000);
  const number = (pattern: RegExp) => Number(pattern.exec(answer.stdout)?.[1] ?? 0);
  const tested = number(/Tested: (\d+)/);
  const cases = number(/(\d+) generated/);
  const found = number(/(\d+) unique failures?/);
  // Without a summary, or with an exit code that the summary does not explain, nothing was checked.
  const isJudged = tested > 0 && cases > 0 && (answer.code === 0) === (found === 0);
  if (answer.code !== 0) console.log(isJudged ? said : `${answer.stdout}\n${answer.stderr}`);
  const failed = isJudged ? found : Math.max(found, 1);
  const passed = Math.max(tested - failed, 0);
  console.log(`seed ${seed}, ${cases} requests, ${tested} operations, ${checks.join(', ')}`);
  console.log(`schemathesis: ${passed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
}

const work = mkdtempSync(join(tmpdir(), 'innsigli-schemathesis-'));
try {
  await main(work);
} catch (error) {
  console.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.log('schemathesis: 0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
} finally {
  if (process.env['SCHEMATHESIS_KEEP'] === '1') console.log(`kept ${work}`);
  else rmSync(work, { recursive: true, force: true });
}

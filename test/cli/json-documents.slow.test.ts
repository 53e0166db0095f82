import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { makePng } from '../support/images.ts';
import { listXml, makeScheme, signList } from '../support/trusted-lists.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { faultsOf } from './support/json-output.ts';
import { codeOfLogin } from './support/page-login.ts';

const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const pdf = (name: string) => readFileSync(`fixtures/pdf/${name}.pdf`);

/** The real program in a folder; `run` itself validates every document against its schema. */
function openCli() {
  const cli = openFakeCli();
  const met = new Set<string>();
  const env: Record<string, string> = { INNSIGLI_HOME: join(cli.folder, 'data') };
  const run = async (line: string, ...more: readonly string[]) => {
    const result = await cli.run([...line.split(' '), ...more, '--json'], {
      env,
      io: {
        now: () => Date.now(),
        random: (count) => randomBytes(count),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        openToolkit: async (config, io) => openToolkit(config, io),
        // Servers end immediately; workers are not interrupted.
        ...(/serve|listen/.test(line) ? {} : { waitForStop: () => new Promise(() => undefined) }),
      },
    });
    if (/^webhook listen|^activity export/.test(line)) return { ...result, document: {} };
    expect(result.stdout, `${line}: ${result.stderr}`).not.toBe('');
    const document = JSON.parse(result.stdout);
    met.add(document.command);
    return { ...result, document };
  };
  return { cli, met, run, env };
}

/** The address of a server that always sends the same response. */
async function serveAlways(status: number, text: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(text));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}/`;
}

type Cli = ReturnType<typeof openCli>;
type Place = Cli & { readonly company: string; readonly flow: string };

async function tryDocuments({ cli, run }: Cli): Promise<void> {
  cli.write('a.pdf', pdf('agreement'));
  cli.write('in/b.pdf', pdf('minimal'));
  cli.write('in/c.pdf', 'no PDF');
  cli.write('a.xml', '<a><b Id="b">1</b></a>');
  await run('doctor');
  await run('config explain');
  await run('seal a.pdf --level b-b');
  await run('seal a.pdf -o qr.pdf --qr --reason Approved --certify p2 --field Here');
  await run('seal in --out-dir out --dry-run');
  expect((await run('seal in --out-dir out --report report.jsonl --jobs 1')).exitCode).toBe(3);
  const report = readFileSync(join(cli.folder, 'report.jsonl'), 'utf8').trim().split('\n');
  expect(report).toHaveLength(3);
  for (const line of report) expect(faultsOf('report-line', JSON.parse(line))).toEqual([]);
  await run('archive a.sealed.pdf');
  await run('seal-xml a.xml --id b --role Buyer --commitment approval --city Reykjavík');
  await run('seal-xml a.xml a.pdf --container asic-e -o x.asice');
  await run('seal-xml a.xml a.pdf --container asic-e --cades -o c.asice');
  await run('archive x.asice');
  await run('verify x.asice --extract from');
  for (const name of ['a.sealed.pdf', 'a.sealed.xml', 'x.asice', 'c.asice']) {
    const { document } = await run(`verify ${name} --write-report ${name}.json`);
    expect(document.reports).toEqual([`${name}.json`]);
    const written = JSON.parse(readFileSync(join(cli.folder, `${name}.json`), 'utf8'));
    expect(faultsOf('verification-report', written)).toEqual([]);
    expect(written).toEqual(document.documents[0].report);
  }
  await run('verify a.sealed.pdf --signed-version 1 -o was.pdf');
  await run('verify a.pdf qr.pdf a.sealed.xml c.asice x.archived.asice missing.pdf');
  await run('verify a.sealed.xml --detached a.pdf');
  await run('verify out in');
}

async function tryTrust({ cli, run }: Cli): Promise<void> {
  const { operator, pki } = makeScheme();
  const signer = operator('IS');
  const pem = Buffer.from(signer.der).toString('base64');
  const text = `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`;
  const services = [{ certificates: [pki.member('ca').der] }];
  const list = listXml({ services, nextUpdate: '2099-01-01T00:00:00Z' });
  cli.write('is.pem', text);
  cli.write('is.xml', await signList(list, signer));
  await run('trust sync is --list is.xml --signer is.pem --certificates is.pem');
  await run('trust list');
  await run('trust show is IS');
  await run('trust export is -o is.trust');
  await run('trust import is.trust --name copy');
  await run('verify a.sealed.pdf --trust-profile is');
}

async function tryCompanies({ cli, run }: Cli): Promise<void> {
  await run('init --name Acme --user me@acme.example');
  await run('init');
  const { document } = await run('company create --name Second');
  const { key } = document.company;
  await run('company list');
  const made = await run('company key create --label ci --scope read --company', key);
  await run('company trial --until 2030-01-01 --company', key);
  await run('company update --set signeeIdentity=number --company', key);
  await run('company update --set', 'compliance={"person":{"required":["PEP"]}}', '--company', key);
  await run('company list');
  await run('company quota --company', key);
  await run('company user eva@a.example --company', key, '--name', 'Eva Jónsdóttir');
  cli.write('logo.png', makePng({ width: 1, height: 1, rows: [[255, 0, 0]] }));
  await run('company logo logo.png --company', key);
  await run('company logo --remove --company', key);
  await run('company origin add https://a.example --company', key);
  await run('company origin list --company', key);
  await run('company show --company', key);
  await run('company origin remove https://a.example --company', key);
  await run('company key revoke', made.document.id, '--company', key);
}

async function tryFlows({ cli, run, company }: Place): Promise<void> {
  const at = ['--company', company];
  cli.write('form.pdf', pdf('form-with-text-field'));
  cli.write('schema.json', '{"type":"object"}');
  cli.write('letter.json', '{"v":1,"title":"T","blocks":[{"type":"paragraph","text":"Hi"}]}');
  cli.write('values.json', '{}');
  cli.write('mail.html', '<p>{{customer.name}}</p>');
  const form = ['--type', 'FillAndSign', '--template', 'form.pdf'];
  const { document } = await run('flow create --name Form', ...form, ...at);
  const { flowKey } = document.flow;
  const letter = ['--type', 'RenderFlow', '--template', 'letter.json'];
  const rendered = await run('flow create --name Letter', ...letter, ...at);
  const { flowKey: letterKey } = rendered.document.flow;
  const many = [
    '--set',
    'reminderRule=1:3',
    '--set',
    'openLinks=true',
    '--set',
    'notifyAddress=a@b.is',
  ];
  await run('flow update', flowKey, ...many, ...at);
  await run('flow list', ...at);
  const opened = await run('flow update', flowKey, '--set', 'initiationMethod=Customer', ...at);
  expect(opened.document.flow.formUrl).toMatch(new RegExp(`/s/${flowKey}$`));
  const shown = await run('flow show', flowKey, ...at);
  expect(shown.document.flow.formUrl).toMatch(new RegExp(`/s/${flowKey}$`));
  await run('flow update', flowKey, '--set', 'initiationMethod=null', ...at);
  const closed = await run('flow show', flowKey, ...at);
  expect(closed.document.flow).not.toHaveProperty('formUrl');
  await run('flow show', flowKey, '--css', ...at);
  await run('flow render', letterKey, '--values', 'values.json', '-o', 'look.pdf', ...at);
  await run('flow schema', letterKey, '1', '--put', 'schema.json', '--publish', ...at);
  await run('flow schema', letterKey, ...at);
  const put = ['--type', 'Signup', '--language', 'En', '--subject', 'Hi', '--to', 'a@b.is'];
  const mail = await run('template put', '--flow', flowKey, ...put, 'mail.html', ...at);
  await run('template list', '--flow', flowKey, ...at);
  await run('template delete', String(mail.document.template.id), ...at);
}

async function tryLists({ cli, run, env, company }: Place): Promise<void> {
  const at = ['--company', company];
  const { document } = await run('flow create --name Names --type PEP', ...at);
  const { flowKey } = document.flow;
  const { document: found } = await run(
    'screen person --rate 50 --country RU',
    'Viktor Drakmenov',
    '--flow',
    flowKey,
    ...at,
  );
  expect(found.matches.length).toBeGreaterThan(0);
  cli.write('list.csv', 'first_name,last_name,category\nJón,Jónsson,PEP\n');
  await run('screen import list.csv --list own', ...at);
  await run('screen lists import list.csv --list own', ...at);
  const lists = await serveAlways(200, 'first_name,last_name,category\nJón,Jónsson,PEP\n');
  env['INNSIGLI_SCREENING_SOURCES'] = `own=${lists}own.csv other=https://192.0.2.1:25/other.csv`;
  const { document: gotten } = await run('screen lists update', ...at);
  expect([gotten.updated.length, gotten.failed.length]).toEqual([1, 1]);
  await run('screen lists show', ...at);
  await run('screen lists diff own', ...at);
  await run('screen selftest', ...at);
  const monitored = ['--name', 'Jón Jónsson', '--ssn', '0101901239'];
  await run('screen customer add 1001', ...monitored, ...at);
  cli.write('customers.csv', 'reference,name\n1002,Anna Dæmisdóttir\n');
  await run('screen customer import customers.csv', ...at);
  cli.write('batch.csv', 'reference,name,country\n1,Jón Jónsson,IS\n2,,IS\n');
  await run('screen batch batch.csv', '--flow', flowKey, ...at);
  const { document: rescreened } = await run('screen customer screen', ...at);
  expect(rescreened.changed).toEqual(['1001']);
  await run('screen customer list', ...at);
  const { document: audit } = await run('screen audit list', ...at);
  const screenings = audit.screenings as { seq: number; matches: unknown[] }[];
  const hit = String(screenings.findLast(({ matches }) => matches.length > 0)?.seq);
  await run('screen audit verify', ...at);
  await run(`screen audit replay ${hit}`, ...at);
  await run(`screen decide ${hit} 1 confirmed --reason same`, ...at);
  await run('screen decisions', ...at);
  await run('screen customer remove 1001', ...at);
  await run('screen lists remove own', ...at);
  const requirement = ['--requirement', 'PEP:2020-01-31:2021-01-31'];
  const person = ['--name', 'Jón Jónsson', '--ssn', '0101901239'];
  await run('compliance record --risk-evaluated', ...person, ...requirement, ...at);
  const { document: status } = await run('compliance status --ssn 0101901239', ...at);
  expect(status.requirements).not.toEqual([]);
  cli.write('people.csv', 'name,ssn\nJón Jónsson,0101901239\n');
  await run('compliance import people.csv', ...at);
  const jon = ['--ssn', '0101901239'];
  const cleared = ['--pep-found', '--risk-level', 'low'];
  await run('compliance individual record', ...person, ...cleared, ...at);
  await run('compliance individual accept --reason known', ...jon, ...at);
  await run('compliance individual evaluate --level low', ...jon, ...at);
  await run('compliance individual status', ...jon, ...at);
  await run('compliance individual show', ...jon, ...at);
  await run('compliance individual import people.csv', ...at);
  const { document: due } = await run('compliance individual due', ...at);
  expect(due.due).not.toEqual([]);
  const business = ['--ssn', '5000101886'];
  const owner = ['--owner', '0101901239'];
  await run('compliance business record --name Acme', ...business, ...owner, ...at);
  await run('compliance business evaluate --level high', ...business, ...at);
  await run('compliance business status', ...business, ...at);
  await run('compliance business show', ...business, ...at);
  await run('compliance business import people.csv', ...at);
  await run('compliance business due', ...at);
  cli.write('register.csv', 'ssn,city\n6000101994,Reykjavík\n');
  await run('register import register.csv');
  await run('register show');
}

async function trySigning({ cli, run, company, flow }: Place): Promise<void> {
  const at = ['--company', company];
  const signees = [
    'Anna,email=a@b.is,type=ClickToSign,delivery=Email',
    'Bo,phone=+11111111111,email=b@b.is,type=Simple,delivery=Email',
  ].flatMap((each) => ['--signee', each]);
  const create = async (...more: readonly string[]) =>
    (await run('process create a.pdf', '--flow', flow, ...signees, ...more, ...at)).document
      .process;
  const made = await create('--reminders', '1:3', '--user', 'me@acme.example');
  const [anna, bo] = made.signees;
  await run('process show', made.key, ...at);
  await run('message list', ...at);
  await run('worker --once', ...at);
  await run('remind', made.key, anna.key, '--delivery', 'Email', ...at);
  await run('remind run', ...at);
  await run('remind cancel', made.key, anna.key, ...at);
  await run('sign', made.key, anna.key, '--yes', ...at);
  const { document } = await run('sign', made.key, bo.key, ...at);
  await run('worker --once', ...at);
  cli.write('code', '123456');
  await run('sign', made.key, bo.key, '--token', document.token, '--code-file', 'code', ...at);
  await run('process show', made.key, ...at);
  await run('process finalize', made.key, ...at);
  await run('worker --once', ...at);
  await run('process document', made.key, '-o', 'signed.pdf', ...at);
  await run('process show', made.key, ...at);
  await run('message retry --failed', ...at);
  const other = await create();
  await run('process block', other.key, '--reason', 'why', ...at);
  await run('process unblock', other.key, ...at);
  await run('process extend', other.key, '--until', soon, ...at);
  await run('process signee add', other.key, 'Cleo,email=c@b.is,type=ClickToSign', ...at);
  await run('process signee update', other.key, other.signees[0].key, '--email', 'n@b.is', ...at);
  await run('process signee invite', other.key, other.signees[0].key, ...at);
  await run('process cancel', other.key, '--yes', '--reason', 'over', ...at);
  await run('process purge', other.key, '--yes', ...at);
  await run('process list', ...at);
  cli.write(
    'plan.json',
    JSON.stringify(
      [1, 2].map(() => ({
        flowKey: made.flowKey,
        pdf: 'a.pdf',
        fileName: 'a.pdf',
        signees: [{ name: 'Anna', email: 'a@b.is', signatureType: 'ClickToSign' }],
      })),
    ),
  );
  const plan = await run('sequence create plan.json --user me@acme.example', ...at);
  await run('sequence show', plan.document.sequence.key, ...at);
  await run('sequence list', ...at);
  await run('sequence cancel --yes --user me@acme.example', plan.document.sequence.key, ...at);
  await run('activity list', ...at);
  await run('activity total', ...at);
  await run('activity anchor', ...at);
  await run('activity verify', ...at);
  await run('activity export -o log.jsonl', ...at);
  await run('activity verify --file log.jsonl', ...at);
  await run('process document', made.key, '--attachment', 'a-evidence.json', '-o', 'e.json', ...at);
  await run('activity verify --evidence e.json', ...at);
}

async function tryWebhooks({ cli, run, company, flow }: Place): Promise<void> {
  const at = ['--company', company];
  const url = await serveAlways(500, 'no');
  const { document } = await run('webhook create --type AllSigned', url, '--flow', flow, ...at);
  const id = String(document.webhook.id);
  await run('webhook list --print-secret', ...at);
  await run('webhook ping', id, ...at);
  await run('webhook trigger AllSigned --webhook', id, ...at);
  await run('worker --once', ...at);
  const { document: all } = await run('webhook deliveries', ...at);
  const { document: one } = await run('webhook deliveries', all.deliveries[0].id, ...at);
  expect(one.attempts.length).toBeGreaterThan(0);
  await run('webhook replay', all.deliveries[0].id, ...at);
  await run('webhook update --rotate-secret', id, ...at);
  await run('webhook delete', id, ...at);
  cli.write('body.json', '{"Id":"1"}');
  cli.write('headers.txt', 'webhook-id: 1\n');
  cli.write('secret', `whsec_${Buffer.alloc(32).toString('base64')}`);
  await run('webhook verify body.json --headers-file headers.txt --secret-file secret', ...at);
  await run('webhook listen --no-register', ...at);
}

async function tryLogins({ cli, run, env, company, flow }: Place): Promise<void> {
  const at = ['--company', company, '--config', 'sim.json'];
  cli.write('sim.json', '{"simulator":{"mode":"manual"}}');
  const start = `auth start --method app --flow ${flow} --hint`;
  const keepEvidence = async (token: string) => {
    const { stdout } = await run(`auth evidence show ${token}`, ...at);
    cli.write('login.json', stdout);
    await run('auth evidence verify login.json', ...at);
  };
  for (const verb of ['approve', 'reject', 'cancel']) {
    const { document } = await run(`${start} 6000101994`, ...at);
    if (verb === 'cancel') await run(`auth cancel ${document.token}`, ...at);
    else {
      await run('auth simulate list', ...at);
      await run(`auth simulate ${verb}`, ...at);
    }
    await run(`auth poll ${document.token}`, ...at);
    if (verb === 'approve') await keepEvidence(document.token);
  }
  await run(`${start} 1212121212`, ...at);
  const { code, flow: page } = await codeOfLogin(env['INNSIGLI_HOME'] ?? '', company);
  await run(`auth result ${code} --flow ${page}`, ...at);
  await run('auth providers', ...at);
  await run('auth doctor', ...at);
  await run('auth status', ...at);
  const auto = ['--company', company];
  const login = `auth login --method app --flow ${flow} --as operator --hint`;
  await run(`${login} 0503901209`, ...auto);
  await run(`${login} 6000101994`, ...auto);
  await run('auth status', ...auto);
  await run('auth logout', ...auto);
}

async function tryTheRest({ run, company }: Place): Promise<void> {
  const at = ['--company', company];
  await run('completion keys process', ...at);
  await run('store show');
  await run('store clock');
  await run('store collect --dry-run');
  await run('store adopt');
  await run('serve --api --port 0');
  await run('tsa serve --port 0');
}

test('every command prints JSON that conforms to docs/schemas', { timeout: 300_000 }, async () => {
  const opened = openCli();
  const { cli, run, met } = opened;
  await tryDocuments(opened);
  await tryTrust(opened);
  await tryCompanies(opened);
  const { document } = await run('company list');
  const company = document.companies.find((each: { name: string }) => each.name === 'Acme').key;
  const { document: made } = await run('flow list --company', company);
  const place = { ...opened, company, flow: made.flows[0].flowKey };
  await tryFlows(place);
  await tryLists(place);
  await trySigning(place);
  await tryWebhooks(place);
  await tryLogins(place);
  await tryTheRest(place);
  const known = readdirSync('docs/schemas').map((name) => name.replace('.json', ''));
  const texts = ['stderr', 'version', 'verification-report'];
  const lines = [...texts, 'report-line', 'webhook-listen', 'auth-event'];
  const missed = known.filter(
    (name) => ![...met].some((each) => each.replaceAll(' ', '-') === name),
  );
  expect(missed.sort()).toEqual(lines.sort());
  expect(cli.files()).toContain('signed.pdf');
});

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { openFakeCli } from './support/fake-cli.ts';

/** Command lines that fail for different reasons; `{process}` and `{flow}` are real keys. */
const failing = [
  'seal none.pdf',
  'seal text.txt -o x.pdf',
  'seal empty.pdf -o x.pdf',
  'seal truncated.pdf -o x.pdf',
  'seal encrypted.pdf -o x.pdf',
  'seal encrypted.pdf -o x.pdf --pdf-password-file wrong',
  'seal encrypted.pdf -o x.pdf --pdf-password-file none',
  'seal a.pdf -o a.pdf',
  'seal a.pdf -o folder',
  'seal a.pdf -o none/x.pdf',
  'seal a.pdf -o x.pdf --key none.pem --cert none.pem',
  'seal a.pdf -o x.pdf --key text.txt --cert text.txt',
  'seal a.pdf -o x.pdf --key text.txt',
  'seal a.pdf -o x.pdf --p12 text.txt',
  'seal a.pdf -o x.pdf --p12 text.txt --password-file none',
  'seal a.pdf -o x.pdf --chain text.txt',
  'seal a.pdf -o x.pdf --trust none',
  'seal a.pdf -o x.pdf --trust text.txt',
  'seal a.pdf -o x.pdf --tsa nonsense',
  'seal a.pdf -o x.pdf --tsa http://127.0.0.1:1/',
  'seal a.pdf -o x.pdf --tsa http://127.0.0.1:1/ --offline',
  'seal a.pdf -o x.pdf --tsa-user me',
  'seal a.pdf -o x.pdf --level b-z',
  'seal a.pdf -o x.pdf --digest md5',
  'seal a.pdf -o x.pdf --certify p9',
  'seal a.pdf -o x.pdf --field None --visible --rect 1,2',
  'seal a.pdf -o x.pdf --rect 1,2,3',
  'seal a.pdf -o x.pdf --page 99',
  'seal a.pdf -o x.pdf --image text.txt',
  'seal a.pdf -o x.pdf --image none.png',
  'seal a.pdf -o x.pdf --text {nonsense}',
  'seal a.pdf -o x.pdf --language xx',
  'seal a.pdf -o x.pdf --time-stamps',
  'seal form.pdf -o x.pdf --field None',
  'seal form.pdf -o x.pdf --field a.b.c --rect 1,2,30,40 --page 1',
  'seal a.pdf text.txt --out-dir out --suffix a/b',
  'seal folder',
  'seal a.pdf --out-dir text.txt',
  'seal a.pdf --in-place --out-dir out',
  'seal a.pdf --resume',
  'seal folder --out-dir out --jobs 0',
  'seal folder --out-dir out --tsa-rate x',
  'seal folder --out-dir out --max-inflight-bytes x',
  'seal --files-from none --out-dir out',
  'seal a.pdf -o x.pdf --tsa-timeout x',
  'seal a.pdf -o x.pdf --proxy nonsense',
  'seal a.pdf -o x.pdf --config none.json',
  'seal a.pdf -o x.pdf --config text.txt',
  'seal a.pdf -o x.pdf --config bad.json',
  'archive a.pdf',
  'archive text.txt',
  'archive a.xml',
  'archive b-b.pdf -o y.pdf --trust text.txt',
  'archive b-b.pdf -o x.pdf --pdf-password-file none',
  'verify text.txt',
  'verify none.pdf',
  'verify encrypted.pdf --pdf-password-file wrong',
  'verify a.pdf --detached none',
  'verify a.pdf --extract out',
  'verify a.pdf --trust none',
  'seal-xml text.txt',
  'seal-xml doctype.xml',
  'seal-xml a.xml --id none',
  'seal-xml a.xml --into none',
  'seal-xml a.xml --packaging none',
  'seal-xml a.xml --transform none',
  'seal-xml a.xml --commitment none',
  'seal-xml a.xml --policy nonsense',
  'seal-xml a.xml --policy 1.2.3',
  'seal-xml a.xml --policy-file a.xml',
  'seal-xml a.xml --detached x=none',
  'seal-xml a.xml --container asic-s a.pdf',
  'seal-xml a.xml --cades',
  'seal-xml a.xml --container asic-e --city Oslo --cades',
  'process create a.pdf',
  'process create a.pdf --signee Anna',
  'process create a.pdf --signee Anna,type=Simple',
  'process create a.pdf --signee Anna,ssn=1,type=Qualified',
  'process create a.pdf --signee Anna,phone=x,type=Simple',
  'process create a.pdf --signee Anna,email=x,type=ClickToSign',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign,delivery=Sms',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign,language=xx',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign,foo=1',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --reminders 1',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --reminders 99:99',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --user me',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --until x',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --values text.txt',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --attach none.pdf',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --flow nonsense',
  'process create a.pdf --signee Anna,email=a@b.is,type=ClickToSign --location Here',
  'process create text.txt --signee Anna,email=a@b.is,type=ClickToSign',
  'process create encrypted.pdf --signee Anna,email=a@b.is,type=ClickToSign',
  'process show nonsense',
  'process cancel {process}',
  'process extend {process} --until 2020-01-01',
  'process extend {process} --until 2099-01-01',
  'process finalize {process}',
  'process purge {process} --yes',
  'process unblock {process}',
  'process document {process} -o folder',
  'process document {process} --attachment none -o x.pdf',
  'process signee add {process} Anna',
  'process signee update {process} none --email x',
  'process signee update {process} {signee} --email x',
  'process signee update {process} {signee}',
  'process signee invite {process} none',
  'sign {process} {signee} --sim 1',
  'sign {process} {signee} --token x --code-file wrong',
  'sign {process} none --yes',
  'remind {process} {signee} --delivery Sms',
  'remind {process} {signee} --delivery Pigeon',
  'sequence create text.txt --user a@b.is',
  'sequence create plan.json --user a@b.is',
  'sequence create bad.json --user a@b.is',
  'sequence show none',
  'flow create --name X --type None',
  'flow create --name X --type FillAndSign',
  'flow create --name X --type FillAndSign --template a.pdf',
  'flow create --name X --type FillAndSign --template text.txt',
  'flow create --name X --type RenderFlow --template text.txt',
  'flow create --name X --type RenderFlow --template bad.json',
  'flow create --name X --type DropAndSign --set nonsense',
  'flow create --name X --type DropAndSign --set none=1',
  'flow create --name X --type DropAndSign --set expiresAfterDays=1000',
  'flow create --name X --type DropAndSign --set defaultSignees=[{}]',
  'flow create --name X --type DropAndSign --set reminderRule=x',
  'flow create --name X --type DropAndSign --settings text.txt',
  'flow create --name X --type DropAndSign --settings bad.json',
  'flow create --name X --type DropAndSign --language xx',
  'flow update {flow} --set minAdditionalSignees=21',
  'flow update none --name X',
  'flow render {flow} --values bad.json -o x.pdf',
  'flow render {flow} --values list.json -o x.pdf',
  'flow schema {flow} 1 --put text.txt',
  'flow schema {flow} 1 --put list.json',
  'flow schema {flow} 1',
  'template put text.txt --type None --subject X --flow {flow}',
  'template put hostile.html --type Signup --subject X --flow {flow}',
  'template put text.txt --type Signup --subject X --to nobody --flow {flow}',
  'template delete x',
  'template delete 99',
  'webhook create nonsense --type AllSigned --flow {flow}',
  'webhook create http://169.254.169.254/ --type AllSigned --flow {flow}',
  'webhook create https://a.example --type None --flow {flow}',
  'webhook create https://a.example --type AllSigned --schedule none',
  'webhook create https://a.example --type AllSigned --secret-file text.txt',
  'webhook update 99 --on',
  'webhook update x --on',
  'webhook ping 99',
  'webhook trigger None --flow {flow}',
  'webhook deliveries --state none',
  'webhook deliveries --take x',
  'webhook deliveries --since x',
  'webhook replay',
  'message list --take 0',
  'message retry',
  'message retry none',
  'activity list --since x',
  'activity verify --file text.txt',
  'activity verify --evidence text.txt',
  'activity export -o folder',
  'company create --name ',
  'company key create --scope none',
  'company key revoke none',
  'company trial --until x',
  'company update --set none=1',
  'company update --set signeeIdentity=x',
  'company quota --storage x',
  'company origin add nonsense',
  'company show --company none',
  'screen person X --country RU --flow {flow}',
  'screen person X --country Russia --flow {flow}',
  'screen import text.txt --list a',
  'screen import none.csv --list a',
  'compliance record --ssn x --name X',
  'compliance record --ssn 0101901239 --name X --requirement None:2020-01-01:2020-01-01',
  'compliance status',
  'compliance status --ssn 1',
  'compliance import text.txt',
  'compliance import none.csv',
  'serve --port x',
  'serve --tls-key none',
  'serve --tls-key none --tls-cert none',
  'serve --trust-proxy x',
  'serve --workers x',
  'serve --operator-token none --port 0 --api',
  'serve --production --port 0',
  'tsa serve --port 99999',
  'tsa serve --production',
  'doctor --level x',
  'config explain --config none.json',
  'store adopt --yes x',
  'completion tcsh',
  'help none',
  'worker --interval x',
  'init --name ',
] as const;

/** Prefixes of messages that concern one option. */
const beginnings: readonly (readonly [string, string])[] = [
  ['flow create --name X --type None', '--type: expected'],
  ['flow create --name X --type FillAndSign', '--template: expected'],
  ['flow create --name X --type DropAndSign --set none=1', '--set none: expected'],
  [
    'flow create --name X --type DropAndSign --set defaultSignees=[{}]',
    '--set defaultSignees[0].name: expected',
  ],
  ['flow create --name X --type DropAndSign --language xx', '--language: expected'],
  ['flow update {flow} --set minAdditionalSignees=21', '--set minAdditionalSignees: expected'],
  ['flow render {flow} --values bad.json -o x.pdf', 'bad.json: expected JSON'],
  ['flow render {flow} --values list.json -o x.pdf', '--values: expected'],
  ['flow schema {flow} 1 --put text.txt', 'text.txt: expected JSON'],
  ['flow schema {flow} 1 --put list.json', '--put: expected'],
  [
    'template put hostile.html --type Signup --subject X --flow {flow}',
    'hostile.html: expected placeholders',
  ],
  ['template put text.txt --type Signup --subject X --to nobody --flow {flow}', '--to: expected'],
  ['company update --set none=1', '--set none: expected'],
  ['screen person X --country Russia --flow {flow}', '--country: expected'],
  ['screen person X --country RU --flow {flow}', '--flow: expected'],
  ['compliance record --ssn x --name X', '--ssn: expected'],
  [
    'compliance record --ssn 0101901239 --name X --requirement None:2020-01-01:2020-01-01',
    '--requirement: expected one of PEP',
  ],
  ['seal a.pdf -o x.pdf --image text.txt', 'the image cannot be used'],
  ['serve --operator-token none --port 0 --api', 'file of the operator token'],
];

/** A real company with a process, and files that cause failures. */
async function openCli() {
  const cli = openFakeCli({
    'text.txt': 'plain text\n',
    wrong: 'wrong\n',
    'folder/x.txt': '',
    'bad.json': '{"a":',
    'list.json': '[1]',
    'plan.json': '[{"flowKey":"none","pdf":"a.pdf","fileName":"a.pdf","signees":[{"name":""}]}]',
    'a.xml': '<a><b Id="b">1</b></a>',
    'doctype.xml': '<!DOCTYPE a><a/>',
    'hostile.html': '<p title={{customer.name}}>x</p>',
  });
  const fixtures = { 'a.pdf': 'agreement', 'form.pdf': 'form-with-empty-signature-field' };
  for (const [name, from] of Object.entries(fixtures)) {
    cli.write(name, readFileSync(`fixtures/pdf/${from}.pdf`));
  }
  for (const name of ['encrypted', 'truncated', 'empty']) {
    cli.write(`${name}.pdf`, readFileSync(`fixtures/pdf/${name}.pdf`));
  }
  const run = (args: readonly string[]) =>
    cli.run(args, {
      env: { INNSIGLI_HOME: join(cli.folder, 'data') },
      io: {
        now: () => Date.now(),
        random: (count) => randomBytes(count),
        openToolkit: async (config, io) => openToolkit(config, io),
        waitForStop: () => new Promise(() => undefined),
      },
    });
  await run(['init', '--name', 'Acme']);
  const signee = ['--signee', 'Anna,email=a@b.is,phone=+11111111111,type=Simple'];
  const { stdout } = await run(['process', 'create', 'a.pdf', ...signee, '--json']);
  const { process } = JSON.parse(stdout);
  await run(['seal', 'a.pdf', '--level', 'b-b', '-o', 'b-b.pdf']);
  const keys: Readonly<Record<string, string>> = {
    '{process}': process.key,
    '{signee}': process.signees[0].key,
    '{flow}': process.flowKey,
  };
  const argsOf = (line: string) => line.split(' ').map((word) => keys[word] ?? word);
  return { cli, run, argsOf };
}

/** Commands by their words, and the longest one that a line starts with. */
async function openTree() {
  const program = await buildProgram('0', () => Promise.resolve());
  const found = new Map<string, Command>();
  const visit = (command: Command, words: readonly string[]): void => {
    for (const child of command.commands) {
      found.set([...words, child.name()].join(' '), child);
      visit(child, [...words, child.name()]);
    }
  };
  visit(program, []);
  const commandOf = (words: readonly string[]) =>
    [3, 2, 1].map((count) => found.get(words.slice(0, count).join(' '))).find((one) => one);
  const flagsOf = (words: readonly string[]) =>
    [...program.options, ...(commandOf(words)?.options ?? [])].flatMap(({ long }) => long ?? []);
  return {
    flagsOf,
    helpOf: (words: readonly string[]) => commandOf(words)?.helpInformation() ?? '',
  };
}

/**
 * What a message names although the user neither passed it nor finds it in the help of the command.
 */
function strangers(text: string, args: readonly string[], tree: Tree, folder: string) {
  const line = args.join(' ');
  const others = [...text.matchAll(/innsigli ((?:[a-z-]+ ?){1,4})/g)].map(([, words = '']) =>
    words.trim().split(' '),
  );
  const known = [args, ...others].flatMap((words) => tree.flagsOf(words));
  const flags = [...text.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g)].map(([flag]) => flag);
  const paths = [...text.matchAll(/(?<![\w:/.])\/(?:[\w.-]+\/)+[\w.-]+/g)].map(([path]) => path);
  // The word before "expected" is the subject of the message.
  const subjects = [...text.matchAll(/(?:^|[\s.])([a-z]+[A-Z]\w*)(?=[\w.[\]]*: expected)/g)];
  return [
    ...flags.filter((flag) => !known.includes(flag) && !line.includes(flag)),
    ...paths.filter(
      (path) => ![...args, 'data'].some((arg) => `${path}/`.startsWith(`${join(folder, arg)}/`)),
    ),
    ...subjects.flatMap(([, name = '']) => (line.includes(name) ? [] : [name])),
    ...(text.match(/\.tmp\b|node_modules|\.ts\b|\[object|undefined/g) ?? []),
  ];
}

type Tree = Awaited<ReturnType<typeof openTree>>;

test('messages and hints use the names from the command line or the help', {
  timeout: 300_000,
}, async () => {
  const { cli, run, argsOf } = await openCli();
  const tree = await openTree();
  const found: string[] = [];
  const messages = new Map<string, string>();
  let count = 0;
  for (const line of failing) {
    const args = argsOf(line);
    const { stderr } = await run([...args, '--json']);
    const last = stderr.trim().split('\n').at(-1) ?? '';
    const { error } = last === '' ? { error: undefined } : JSON.parse(last);
    if (error === undefined) continue;
    count += 1;
    messages.set(line, error.message);
    if (/belongs to/.test(error.hint ?? '')) continue;
    const told = [error, ...(error.findings ?? [])].flatMap((one) => [one.message, one.hint ?? '']);
    for (const text of told) {
      const names = strangers(text, args, tree, cli.folder);
      if (names.length > 0) found.push(`${line} → ${names.join(', ')}: ${text}`);
    }
  }
  expect(found).toEqual([]);
  const begun = beginnings.map(([line, start]) => [
    line,
    messages.get(line)?.startsWith(start) === true ? start : messages.get(line),
  ]);
  expect(begun).toEqual(beginnings);
  expect(count).toBeGreaterThan(failing.length * 0.9);
});

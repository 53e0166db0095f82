import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, errorKinds } from '../../src/base/errors.ts';
import {
  type FilePlace,
  type FileUse,
  filePlacesOf,
  leavesOfProgram,
} from './support/command-files.ts';
import { openEidCli } from './support/eid-cli.ts';

/**
 * The remaining arguments with which the command opens the file; words in capitals are created
 * before.
 */
const beside: Readonly<Record<string, string>> = {
  seal: 'a.pdf --level b-b -f',
  'seal-xml': 'a.xml --level b-b -f',
  archive: 's.pdf -f',
  verify: 's.pdf -f',
  'process create': 'a.pdf --flow FLOW --signee Anna,email=a@b.is,type=ClickToSign',
  'process document': 'PROCESS -o out.pdf',
  sign: 'PROCESS SIGNEE',
  'webhook create': 'https://hooks.example/ --type AllSigned',
  'webhook verify': 'a.xml --secret-file secret',
  'webhook listen': '--no-register --port 0',
  'flow create': '--name x --type DropAndSign',
  'flow update': 'FLOW',
  'flow schema': 'FORM',
  'flow render': 'FORM',
  'template put': 'a.xml --flow FLOW --type Signup --subject x',
  'screen lists import': 'a.xml --list x',
  'screen import': 'a.xml --list x',
  'screen batch': 'a.csv --flow FLOW',
  'trust sync': 'p',
  'trust export': 'house -o out.trust',
  'trust import': 'house.trust',
  'sequence create': 'plan.json --user a@b.is',
  'compliance import': 'a.csv',
  'auth login': '--method device-link',
};

/** The same for single arguments, where the other arguments of the command would interfere. */
const besidePlace: Readonly<Record<string, string>> = {
  'seal --files-from': '--out-dir out',
  'seal-xml --files-from': '--out-dir out',
  'archive --files-from': '--out-dir out',
  'sign --code-file': 'PROCESS SIGNEE --token x',
  'flow schema --put': 'FORM 1',
  'seal --tsa-password-file': 'a.pdf -f',
  'seal-xml --tsa-password-file': 'a.xml -f',
  'trust sync --folder': 'p --list https://lists.example/a.xml --signer CERT',
  'verify --extract': 's.asice -f',
  'seal --report': 'a.pdf --out-dir out --level b-b',
  'seal-xml --report': 'a.xml --out-dir out --level b-b',
  'archive --report': 's.pdf --out-dir out',
  'verify --output': 's.pdf --signed-version 1',
  'seal-xml --policy-file': 'a.xml --level b-b -f --policy 1.2.3',
  'activity verify --trust': '--file log.jsonl',
  'archive --detached': 's.xml -f',
  'serve --tls-key': '--tls-cert CERT --port 0',
  'serve --tls-cert': '--tls-key KEY --port 0',
  'serve --tls-password-file': '--tls-cert CERT --tls-key KEY --port 0',
};

/** Options that require other options. */
const companions: Readonly<Record<string, string>> = {
  '--cert': '--key KEY',
  '--chain': '--key KEY --cert CERT',
  '--password-file': '--key KEY --cert CERT',
  '--tsa-password-file': '--tsa http://127.0.0.1:1/ --tsa-user me',
};

const odd: Readonly<Record<FileUse, Readonly<Record<string, string>>>> = {
  input: { missing: 'none.bin', below: 'a.pdf/none.bin', folder: 'folder' },
  setting: { missing: 'none.bin', below: 'a.pdf/none.bin', folder: 'folder' },
  output: { missing: 'none/x.pdf', below: 'a.pdf/x.pdf', folder: 'folder.pdf' },
};

const codes: Readonly<Record<FileUse, (kind: string) => readonly ErrorCode[]>> = {
  input: (kind) => [kind === 'folder' ? 'io.input.unreadable' : 'io.input.notfound'],
  setting: () => ['key.unreadable', 'config.invalid'],
  output: () => ['io.output.unwritable'],
};

test('every command exits the same way for a missing file, a path below a file and a folder', {
  timeout: 120_000,
}, async () => {
  const { run, places } = await openCommands();
  const faults: string[] = [];
  for (const use of Object.keys(odd)) {
    expect(places.filter((each) => each.use === use).length).toBeGreaterThan(10);
  }
  for (const place of places) {
    const { use } = place;
    for (const [kind, name] of Object.entries(odd[use])) {
      // Where a folder means all files in it.
      if (kind === 'folder' && ['<inputs>', '--folder'].includes(place.place)) continue;
      const { exitCode, stderr } = await run(place, name);
      const found = [...stderr.matchAll(/error\[([^\]]+)\]/g)].map(([, code]) => code);
      const expected = codes[use](kind);
      const [code] = found;
      const isCode = expected.some((each) => each === code);
      const isExit = isCode && errorKinds[code as ErrorCode].exitCode === exitCode;
      if (found.length === 1 && isExit) continue;
      faults.push(`${place.command} ${place.place} ${kind}: ${exitCode} ${stderr}`);
    }
  }
  expect(faults).toEqual([]);
});

/** A real company with a process, flows and documents, and the file arguments of all commands. */
async function openCommands() {
  const cli = await openEidCli();
  for (const name of ['folder', 'folder.pdf']) mkdirSync(join(cli.folder, name));
  cli.write('a.xml', '<a/>');
  cli.write('a.csv', 'name\nAnna\n');
  cli.write('secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n');
  cli.write('plan.json', '[]');
  const must = async (line: string) => {
    const { exitCode, stdout, stderr } = await cli.run(line.split(' '));
    if (![0, 9].includes(exitCode)) throw new Error(`${line}: ${stderr}`);
    return stdout;
  };
  await must('seal a.pdf -o s.pdf --level b-b');
  await must('seal-xml a.xml -o s.xml --level b-b');
  await must('seal-xml a.csv --container asic-e -o s.asice --level b-b');
  await must('activity export -o log.jsonl');
  const root = join(cli.dataDir, 'trust', 'root.pem');
  await must(`trust sync house --certificates ${root}`);
  await must('trust export house -o house.trust');
  const signee = 'Anna,email=a@b.is,phone=+11111111111,type=Simple';
  const { process } = JSON.parse(await must(`process create a.pdf --signee ${signee} --json`));
  const paragraph = { type: 'paragraph', text: 'Dear all' };
  cli.write('letter.json', JSON.stringify({ v: 1, title: 'Letter', blocks: [paragraph] }));
  const form = await must('flow create --name x --type RenderFlow --template letter.json');
  const words: Readonly<Record<string, string>> = {
    PROCESS: process.key,
    SIGNEE: process.signees[0].key,
    FLOW: process.flowKey,
    FORM: form.trim(),
    KEY: join(cli.dataDir, 'trust', 'seal-rsa.key'),
    CERT: join(cli.dataDir, 'trust', 'seal-rsa.pem'),
  };
  const places = (await leavesOfProgram()).flatMap(filePlacesOf);
  const run = (place: FilePlace, name: string) => {
    const line = [besideOf(place), companions[place.place] ?? ''].join(' ');
    const given = line.split(' ').flatMap((word) => (word === '' ? [] : [words[word] ?? word]));
    const own = place.place.startsWith('<') ? [name] : [place.place, name];
    return cli.run([...place.command.split(' '), ...given, ...own]);
  };
  return { run, places };
}

/** The rest of the command line, without a second value for the argument itself. */
function besideOf({ command, place }: FilePlace): string {
  const line = besidePlace[`${command} ${place}`] ?? beside[command] ?? '';
  if (place.startsWith('<')) return line.replace(/^(?:a|s|plan|house)\.\w+ ?/, '');
  const short = place === '--output' ? '-o' : place;
  return line.replace(new RegExp(`(?:^| )${short} \\S+`), '');
}

import type { CompanyService } from '../../../app/company-service.ts';
import { refusalError } from '../../../app/service/index.ts';
import type { SigneeRef } from '../../../app/signing/index.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import {
  type SignatureType,
  type Signee,
  type SigningProcess,
  signedRule,
} from '../../../domain/process/index.ts';
import { commandLine, nextLine } from '../../advice.ts';
import { command, confirm, type Given, readOptionFile } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { eidWords, failureExit, failureText } from '../../eid/index.ts';
import { printable, shownName } from '../../output/index.ts';
import { processDocument, processLines } from '../../process-report/index.ts';
import { eidOptions, logInSignee, signQualified } from './sign-eid.ts';

const options = {
  '--view <file>': 'first write the document exactly as it will be signed',
  '-y, --yes': 'ClickToSign: sign without a prompt',
  '--code-file <file>': 'Simple: file with the one-time code, or - for stdin; with --token',
  '--token <token>': 'Simple: token of the code, printed when the code was sent',
  ...eidOptions,
  '--decline': 'decline to sign, which ends the process; with --reason',
  '--reason <text>': 'reason, for the owner and the log; with --decline',
} as const;

type SignOptions = Given<object, typeof options>;

/** Signs, or sends a code and explains how to continue. */
export const sign = command('sign', {
  description: 'Sign a document as one of its signees, by the method the process requires.',
  args: { '<process>': 'key of the process', '<signee>': 'key of the signee' },
  options,
  help: [
    'ClickToSign asks for confirmation. Simple sends a one-time code by text message and ' +
      'prompts for it; without a terminal it prints a token for a later run with --code-file. ' +
      'Qualified signs with the certificate of the signee, held by an e-ID provider. Without ' +
      'a provider a simulator answers with test certificates. If the process requires ' +
      'a login, --sim or --app is used for that, too. Ctrl-C cancels the signature at the ' +
      'provider and releases the document.',
    'The person who logs in or signs must match the signee: by national number or phone, if ' +
      'known, otherwise by name or by signeeIdentity of the flow. No person can be two signees.',
    'Test persons of the simulator: --sim 6666666 or --app 6000101994; SIM only: 3333333 ' +
      '(6000101991), 5555555 (6000101993), 7777777 (6000101995), 9999999 (6000101997); with ' +
      'app only: 5000101886 (1111111), 6000101990 (2222222), 6000101992 (4444444), ' +
      '6000101996 (8888888). Both: 0103901099 (0100010) and 0303901459 (0100019, no ' +
      'meter) answer, 0103901179 (0100011) cancels, 0103901419 (0100014) never answers, ' +
      '0203901669 (0100016) is too late, 0203901749 (0100017) fails, 0103901849 (0100018) ' +
      'does not start, 0203901589 (0100015) is a different person. Other numbers are rejected ' +
      'unless simulatedPersons is any. +11111111111 to +16666666666 accept any code; ' +
      '+17777777777, +18888888888 and +19999999999 reject it. Signatures and logins of test ' +
      'persons are marked TEST. In production there are none.',
    '--decline works if the flow permits it: innsigli flow update FLOW --set mayDecline=true.',
  ],
  examples: {
    'innsigli sign sp12… si34… --yes': 'sign with a click',
    'innsigli sign sp12… si34… --sim 6666666': 'sign with an e-ID on a SIM',
    'innsigli sign sp12… si34… --qualified --eid-se': 'sign with a Swedish e-ID, by QR code',
    'innsigli sign sp12… si34… --decline --reason "wrong sum"': 'decline to sign',
    'echo 123456 | innsigli sign sp12… si34… --token T --code-file -': 'with a code',
  },
  exits: {
    0: 'signed, or declined',
    2: 'an option is missing or invalid',
    4: 'the code is incorrect, or a different person answered',
    5: 'no such process or signee',
    6: 'already signed, not yet due, locked, expired, cancelled, blocked, or no response in time',
    7: 'the person or the e-ID provider refused or cancelled it',
    8: 'the e-ID provider cannot be reached',
    9: 'a code was sent; run again with the code',
    130: 'interrupted: the signature was cancelled and the document released',
  },
  call: async (service, { process: processKey, signee: signeeKey, ...given }, context) => {
    const place = { processKey, signeeKey };
    const process = await service.processes.show({ key: processKey });
    const signee = process.signees.find(({ key }) => key === signeeKey);
    if (signee === undefined) {
      throw new InnsigliError('error.signee.not_found', `${processKey} has no signee ${signeeKey}`);
    }
    requireFitting(signee.signatureType, process.requiresAuth, given);
    const refusal = given.view === undefined ? undefined : signedRule(process, signee);
    if (refusal !== undefined) throw refusalError(refusal, context.io.now());
    if (needsLogin(process, signee, given)) {
      const refused = await logInSignee(service, place, given, context);
      if (refused !== undefined) return refused;
    }
    if (given.decline) return service.signing.decline(place, given.reason ?? '');
    if (given.view !== undefined) await writeView(service, place, given.view, context);
    const subject = `${process.fileName} as ${signee.name}`;
    if (signee.signatureType === 'ClickToSign') {
      await confirm(given.yes, `Sign ${subject}?`, context, 'not signed');
      return context.console.busy('Signing', () => service.signing.signByClick(place));
    }
    return signee.signatureType === 'Simple'
      ? signWithCode(service, place, subject, given, context)
      : signQualified(service, place, signingBy(process, given), context);
  },
  document: (outcome) => ('key' in outcome ? { process: processDocument(outcome) } : outcome),
  text: async (outcome, { console, io }, { decline }) => {
    if ('token' in outcome) return console.result(outcome.token);
    if ('hint' in outcome) {
      const { red } = await console.style('stderr');
      const why = failureText(eidWords(io.env), outcome.hint);
      return console.note(`${red('✗')} not signed: ${why} (${printable(outcome.hint)})`);
    }
    const { green } = await console.style('stderr');
    console.note(`${green('✓')} ${decline ? 'declined' : 'signed'}`);
    console.result(processLines(outcome, await console.style('stdout')));
  },
  exit: (outcome) => {
    if ('hint' in outcome) return failureExit(outcome.hint);
    return 'token' in outcome ? 9 : 0;
  },
});

/** With a foreign e-ID option, a number is for the login before the signature. */
function signingBy({ requiresAuth }: SigningProcess, given: SignOptions): SignOptions {
  const isForeign = given.eidSe === true || given.eidDk === true;
  return requiresAuth && isForeign ? { ...given, sim: undefined, app: undefined } : given;
}

/** True if a login is required. A named number requires a new one; Qualified is a login itself. */
function needsLogin(
  { requiresAuth }: SigningProcess,
  { authenticatedAtMs, signatureType }: Signee,
  { sim, app, decline }: SignOptions,
): boolean {
  if (!requiresAuth) return false;
  const isNamed = sim !== undefined || app !== undefined;
  const signsByIt = signatureType === 'Qualified' && decline !== true;
  return authenticatedAtMs === undefined || (isNamed && !signsByIt);
}

/** Rejects options that do not apply to this signee, instead of ignoring them. */
function requireFitting(type: SignatureType, requiresAuth: boolean, options: SignOptions): void {
  const { yes, codeFile, token, sim, app, decline, reason, view } = options;
  const { qualified, eidSe, eidDk, qr, qrFile } = options;
  const given = {
    '--yes': yes,
    '--code-file': codeFile,
    '--token': token,
    '--qualified': qualified,
    '--sim': sim,
    '--app': app,
    '--eid-se': eidSe,
    '--eid-dk': eidDk,
    '--qr': qr,
    '--qr-file': qrFile,
    '--reason': reason,
    '--view': view,
  };
  const login = requiresAuth ? (['--sim', '--app', '--qr', '--qr-file'] as const) : [];
  const fitting: readonly string[] =
    decline === true
      ? ['--reason', ...login]
      : [...(type === 'Qualified' ? [] : login), '--view', ...proofs[type]];
  const odd = Object.entries(given).find(
    ([name, value]) => value !== undefined && !fitting.includes(name),
  )?.[0];
  if (odd === undefined) return;
  const what = decline === true ? '--decline' : `a signee of type ${type}`;
  refuseUsage(`${odd} cannot be used for ${what}: expected ${fitting.join(', ')}`);
}

const proofs: { readonly [Type in SignatureType]: readonly string[] } = {
  Qualified: ['--qualified', '--sim', '--app', '--eid-se', '--eid-dk', '--qr', '--qr-file'],
  Simple: ['--code-file', '--token'],
  ClickToSign: ['--yes'],
};

async function writeView(
  { signing }: CompanyService,
  place: SigneeRef,
  file: string,
  { io, console }: CommandContext,
): Promise<void> {
  const { writeNewFile } = await import('../../files/index.ts');
  const { content } = await signing.view(place);
  const existsHint = 'name a new file with --view';
  writeNewFile(file, content, { force: false, existsHint }, io);
  console.note(`document as it will be signed: ${shownName(file)}`);
}

async function signWithCode(
  { signing }: CompanyService,
  place: SigneeRef,
  subject: string,
  { codeFile, token }: SignOptions,
  context: CommandContext,
): Promise<SigningProcess | { readonly token: string }> {
  const { io, globals, console } = context;
  if (codeFile !== undefined && token === undefined) {
    refuseUsage(
      '--code-file: expected --token with it, found none',
      `send a code and print its token: innsigli sign ${place.processKey} ${place.signeeKey}`,
    );
  }
  const started = token === undefined ? await signing.sendCode(place) : { token };
  const again = `sign ${place.processKey} ${place.signeeKey} --token ${started.token}`;
  const mayAsk = globals.input && !globals.json && io.stdin.isTerminal && io.stderr.isTerminal;
  if (codeFile === undefined && !mayAsk) {
    console.note([
      'a code is queued',
      nextLine('send it', 'worker --once', globals),
      `Then: ${commandLine(`${again} --code-file -`, globals)}`,
    ]);
    return { token: started.token };
  }
  if (codeFile === undefined && token === undefined) {
    console.note('the code is queued: a worker sends it (innsigli worker --once, or serve)');
    console.note(`to enter it later: ${commandLine(again, globals)}`);
  }
  const text =
    codeFile === undefined
      ? await askCode(subject, context)
      : codeFile === '-'
        ? await readStdin(io)
        : Buffer.from(readOptionFile(codeFile, io.cwd)).toString('utf8');
  if (text === undefined || text.trim() === '') refuseUsage('not signed: no code was entered');
  return console.busy('Signing', () => signing.signByCode(place, started.token, text.trim()));
}

async function askCode(subject: string, { io, console }: CommandContext): Promise<string> {
  try {
    for (;;) {
      const text = await io.askPassword(`Code from the text message, to sign ${subject}`);
      // An accidental Enter would count as a failed attempt, and would sign for a test number.
      if (text.trim() !== '') return text;
      console.note('no code entered: type the code, or press Ctrl-C to stop');
    }
  } catch (cause) {
    if (!isInnsigliError(cause) || cause.code !== 'interrupted') throw cause;
    throw new InnsigliError('interrupted', 'not signed: no code was entered', { cause });
  }
}

async function readStdin(io: CommandContext['io']): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of io.stdin.chunks()) {
    parts.push(chunk);
    if (parts.length > 16) break;
  }
  return Buffer.concat(parts).toString('utf8').slice(0, 64);
}

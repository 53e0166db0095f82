import type { CompanyLogin, ReturnWords } from '../../../app/auth/index.ts';
import type { CompanyService } from '../../../app/company-service.ts';
import { defined } from '../../../base/defined.ts';
import {
  type Customer,
  defaultLookup,
  type EidMethod,
  eidMethods,
  type LookupType,
  lookupTypes,
} from '../../../domain/auth/index.ts';
import { command, key, oneOf } from '../../command/index.ts';
import type { CommandContext, ExitCode, ServiceContext } from '../../context.ts';
import {
  type EidFailure,
  type EidSession,
  eidWords,
  failureExit,
  failureText,
  followEid,
  isRefused,
  qrForms,
  startedOrRefused,
} from '../../eid/index.ts';
import { printable } from '../../output/index.ts';
import { chooseLogin, type LoginChoice, methodName } from './choices.ts';

/** Hours for which an operator stays logged in. */
const operatorHours = 8;

/** Options for who logs in, how, and for what purpose. */
export const loginOptions = {
  '--method <method>': { text: `how: ${eidMethods.join(', ')}`, ...oneOf(eidMethods) },
  '--hint <number>': 'phone number for sim, national number for app; optional for other methods',
  '--flow <key>': {
    text: 'flow of the login (default: the only flow, or the only one of type Auth)',
    ...key('flow'),
  },
  '--text <text>': 'shown to the person (default: the name of the flow)',
} as const;

/** The option for the amount of personal data returned. */
export function lookupOption(initial: LookupType = defaultLookup) {
  return {
    '--lookup <amount>': {
      text: `data returned about the person: ${lookupTypes.join(', ')} (default: ${initial})`,
      ...oneOf(lookupTypes),
    },
  } as const;
}

/** Result of a login. */
export type LoginResult = { readonly state: 'done'; readonly customer: Customer } | EidFailure;

/** Logs a person in and waits for the outcome. */
export const authLogin = command('auth login', {
  summary: 'log a person in and wait for the result',
  description: 'Log a person in by electronic identity, and print who logged in.',
  options: {
    ...loginOptions,
    ...lookupOption(),
    '--as <role>': {
      text: `operator: remember the person for ${operatorHours} hours`,
      ...oneOf(['operator']),
    },
    '--qr <form>': { text: `QR code: ${qrForms.join(', ')}`, ...oneOf(qrForms) },
    '--qr-file <file>': 'write the QR code to this SVG file, and rewrite it whenever it changes',
    '--watch': 'with --json: one line for each event',
  },
  help: [
    'In a terminal it prompts for a missing method, number or flow. A QR code is drawn if ' +
      'it fits the window, otherwise its link is shown. Ctrl-C also cancels the login at the ' +
      'provider. Without a terminal, in CI or with --no-input there are no prompts.',
    'The person must have the number of --hint, if given. Texts for the person are in ' +
      'the language of LC_ALL, LC_MESSAGES or LANG, or English.',
    '--as operator stores name and time in a file of the data directory: commands with --user ' +
      'then record that person in the log. It grants no additional permissions.',
  ],
  examples: {
    'innsigli auth login': 'prompts for everything',
    'innsigli auth login --method app --hint 6000101994': 'a test person of the simulator',
    'innsigli auth login --method device-link --qr-file code.svg':
      'a QR code to show on another screen',
    'innsigli auth login --method sim --hint 6666666 --json --watch': 'for programs',
  },
  exits: {
    0: 'logged in',
    2: 'an option is missing or invalid',
    4: 'a different person logged in, or there is no provider',
    5: 'no such flow',
    6: 'no response in time, or too many logins were started',
    7: 'the person or the provider refused or cancelled it',
    8: 'the provider cannot be reached',
    130: 'interrupted: the login was cancelled',
  },
  call: async (service, given, context): Promise<LoginResult | ExitCode> => {
    const choice = await chooseLogin(service, given, context);
    const tell = lineTeller(context, given.watch === true);
    const result = await logIn(service, choice, given, context, tell);
    if (given.as === 'operator' && result.state === 'done') {
      await saveOperator(service, choice.method, result.customer, context);
    }
    if (tell === undefined) return result;
    tell({ event: result.state === 'done' ? 'complete' : 'failed', ...bodyOf(result) });
    return exitOf(result);
  },
  document: (result) => bodyOf(result),
  text: (result, context) => printLogin(result, context),
  exit: (result) => exitOf(result),
});

async function logIn(
  service: CompanyService,
  choice: LoginChoice,
  given: {
    readonly text: string | undefined;
    readonly lookup: (typeof lookupTypes)[number] | undefined;
    readonly qr: (typeof qrForms)[number] | undefined;
    readonly qrFile: string | undefined;
  },
  context: CommandContext,
  onEvent: ReturnType<typeof lineTeller>,
): Promise<LoginResult> {
  const { text, lookup, qr, qrFile } = given;
  const login = await startedOrRefused(() =>
    service.auth.start({ ...choice, ...defined({ text }) }),
  );
  if (isRefused(login)) return login;
  const poll = { token: login.token, ...defined({ lookup, loginHint: choice.loginHint }) };
  const session = loginSession(service, login, poll, eidWords(context.io.env));
  const outcome = await followEid(session, context, { qr, qrFile, onEvent });
  return outcome.state === 'done' ? { state: 'done', customer: outcome.value } : outcome;
}

function loginSession(
  { auth }: CompanyService,
  login: CompanyLogin,
  poll: Parameters<CompanyService['auth']['poll']>[0],
  words: ReturnWords,
): EidSession<Customer> {
  const { token, method, isSimulated, expiresAtMs } = login;
  return {
    ...{ title: `Log in: ${methodName(method)}`, isSimulated, started: login, expiresAtMs },
    poll: async () => {
      const answer = await auth.poll(poll);
      if (answer.state === 'done') return { state: 'done', value: answer.customer };
      return answer;
    },
    refresh: () => auth.refresh(token),
    receiveReturns: () => auth.receiveReturns(token, words),
    cancel: () => auth.cancel(token),
  };
}

/** Returns a function that prints events, one per line. Undefined if they are not requested. */
function lineTeller({ io, console }: CommandContext, isWatched: boolean) {
  if (!isWatched || !console.mode.json) return undefined;
  return (event: object) => io.stdout.write(`${JSON.stringify({ v: 1, ...event })}\n`);
}

/** Members of a result under --json. */
export function bodyOf(result: LoginResult): object {
  if (result.state === 'done') return result;
  const { state, hint, providerCode } = result;
  return { state, hint, ...defined({ providerCode }) };
}

/** Prints who has logged in, or why the login failed. */
export async function printLogin(result: LoginResult, { console, io }: CommandContext) {
  const words = eidWords(io.env);
  const { green, red } = await console.style('stderr');
  const { bold } = await console.style('stdout');
  if (result.state === 'failed') {
    const { hint, providerCode } = result;
    const told = providerCode === undefined || providerCode === hint ? '' : `: ${providerCode}`;
    return console.note(`${red('✗')} ${failureText(words, hint)} (${printable(hint + told)})`);
  }
  console.note(`${green('✓')} ${words.loggedIn}`);
  const { name, ssn, phoneNumber, address, postalCode, city } = result.customer;
  const home = [address, [postalCode, city].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const facts = [ssn, phoneNumber, home].flatMap((each) => (each ? [printable(each)] : []));
  console.result([bold(printable(name)), ...facts].join('  '));
}

function exitOf(result: LoginResult): ExitCode {
  return result.state === 'failed' ? failureExit(result.hint) : 0;
}

/** Stores the person who has logged in as operator of this data directory. */
async function saveOperator(
  { auth, company }: CompanyService,
  method: EidMethod,
  { name }: Customer,
  { io, dataDir }: ServiceContext,
): Promise<void> {
  const { writeOperator } = await import('../../../wire/files/operator-session.ts');
  const facts = (await auth.methods()).find((each) => each.method === method);
  const loggedInAtMs = io.now();
  await writeOperator(dataDir, {
    ...{ name, companyKey: company.key, loggedInAtMs },
    method: `${method} ${facts?.provider ?? ''}`.trim(),
    isSimulated: facts?.isSimulated ?? true,
    expiresAtMs: loggedInAtMs + operatorHours * 3_600_000,
  });
}

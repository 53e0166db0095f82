import type { EidMethodFacts } from '../../../app/auth/index.ts';
import type { CompanyService } from '../../../app/company-service.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { EidMethod } from '../../../domain/auth/index.ts';
import { dialledPhone, icelandicMobile, readKennitala } from '../../../domain/person/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';

const methodNames: Readonly<Record<EidMethod, string>> = {
  sim: 'SIM of a phone',
  app: 'app',
  'device-link': 'device link or QR code',
  'eid-se': 'Swedish e-ID',
  'eid-dk': 'Danish e-ID',
};

interface Asked {
  readonly method?: EidMethod | undefined;
  readonly hint?: string | undefined;
  readonly flow?: string | undefined;
}

/** Everything a login requires. */
export interface LoginChoice {
  readonly method: EidMethod;
  readonly loginHint?: string;
  readonly flowKey: string;
}

/**
 * Determines method, number and flow of a login: as given, the only one available, or as answered
 * at the terminal. If there are several flows, those for logins (`Auth`) take precedence. A program
 * is never asked.
 *
 * @throws usage.input.required with the name of the missing option
 */
export async function chooseLogin(
  service: CompanyService,
  given: Asked,
  context: CommandContext,
): Promise<LoginChoice> {
  const methods = await service.auth.methods();
  const { method, isSimulated } = await chooseMethod(methods, given.method, context);
  const loginHint = await chooseHint({ method, isSimulated }, given.hint, context);
  const flowKey = await chooseFlow(service, given.flow, context);
  return { method, flowKey, ...defined({ loginHint }) };
}

/** Display name of a method. */
export function methodName(method: EidMethod): string {
  return methodNames[method];
}

async function chooseMethod(
  methods: readonly EidMethodFacts[],
  wanted: EidMethod | undefined,
  context: CommandContext,
): Promise<EidMethodFacts> {
  const words = methods.map(({ method }) => method).join(', ');
  if (wanted !== undefined) {
    const found = methods.find(({ method }) => method === wanted);
    return found ?? refuseUsage(`--method: expected ${words || 'a provider'}, found ${wanted}`);
  }
  const [first, ...others] = methods;
  if (first === undefined) {
    throw new InnsigliError('authentication.error.idp.start', 'no provider is configured', {
      hint: 'innsigli auth doctor lists the providers',
    });
  }
  if (others.length === 0) return first;
  requireTerminal(context, '--method', words);
  const choices = methods.map(({ method }) => ({ value: method, name: methodNames[method] }));
  const chosen = await context.io.choose('How do you log in?', choices);
  return methods.find(({ method }) => method === chosen) ?? first;
}

type Numbered = Pick<EidMethodFacts, 'method' | 'isSimulated'>;

async function chooseHint(
  facts: Numbered,
  given: string | undefined,
  context: CommandContext,
): Promise<string | undefined> {
  const { method } = facts;
  const isNeeded = method === 'sim' || method === 'app';
  if (given === undefined && !isNeeded) return undefined;
  const what = method === 'sim' ? 'phone number' : 'national number';
  if (given !== undefined) {
    const fault = hintFault(method, given);
    // The number is personal data and is not repeated.
    if (fault !== undefined) refuseUsage(`--hint: expected ${fault}`);
    return warned(facts, given.trim(), context);
  }
  requireTerminal(context, '--hint', `a ${what}`);
  for (;;) {
    const text = (await context.io.ask(`Your ${what}`)).trim();
    const fault = hintFault(method, text);
    if (fault === undefined) return warned(facts, text, context);
    context.console.note(`expected ${fault}`);
  }
}

/** What was expected, if a text cannot be a number of the method. Undefined if it can. */
function hintFault(method: EidMethod, text: string): string | undefined {
  if (method === 'sim') {
    return dialledPhone(text) === undefined ? 'a phone number, such as 611 1234' : undefined;
  }
  if (method !== 'app') return text.length > 40 ? 'at most 40 characters' : undefined;
  const isNumber = /^\d{6}[- ]?\d{4}$/.test(text.trim());
  return isNumber ? undefined : 'a national number of ten digits';
}

const oddNumbers = {
  date: 'contains a date that does not exist',
  century: 'has an invalid century digit',
  future: 'contains a date in the future',
  format: 'has an invalid format',
  checksum: 'has an incorrect check digit',
} as const;

/** Warns about an unusual number of a real person; the provider decides. */
async function warned(
  { method, isSimulated }: Numbered,
  text: string,
  { console, io }: CommandContext,
): Promise<string> {
  if (isSimulated) return text;
  if (method === 'sim' && icelandicMobile(text) === undefined && !text.trim().startsWith('+')) {
    console.note('the phone number is not an Icelandic mobile number');
  }
  if (method !== 'app') return text;
  const found = readKennitala(text, io.now());
  if (typeof found === 'string') console.note(`the national number ${oddNumbers[found]}`);
  else if (found.kind !== 'person') console.note('the national number does not belong to a person');
  else if (found.checkDigit === 'mismatch')
    console.note(`the national number ${oddNumbers.checksum}`);
  return text;
}

async function chooseFlow(
  { flows }: CompanyService,
  given: string | undefined,
  context: CommandContext,
): Promise<string> {
  if (given !== undefined) return given;
  const active = (await flows.list()).filter((flow) => flow.active);
  const forLogins = active.filter(({ flowType }) => flowType === 'Auth');
  // A login can use any flow; if there are flows for logins, the rest are for documents.
  const offered = forLogins.length > 0 ? forLogins : active;
  const [first, ...others] = offered;
  if (first === undefined) {
    throw new InnsigliError('flow.not_found', 'the company has no active flow', {
      hint: 'create one with innsigli flow create',
    });
  }
  if (others.length === 0) {
    if (active.length > 1) {
      context.console.note(
        `flow: ${printable(first.name)} (${first.flowKey}), the only one for logins`,
      );
    }
    return first.flowKey;
  }
  const expected = `the key of one of ${offered.length} flows`;
  requireTerminal(context, '--flow', expected, ' (innsigli flow list prints the keys)');
  const choices = offered.map(({ flowKey, name }) => ({ value: flowKey, name }));
  return context.io.choose('For which flow?', choices);
}

/** Rejects a question that no one can answer. @throws usage.input.required */
function requireTerminal(
  { io, globals }: CommandContext,
  option: string,
  expected: string,
  where = '',
): void {
  const mayAsk = globals.input && !globals.json && io.stdin.isTerminal && io.stderr.isTerminal;
  if (mayAsk && !io.env['CI']) return;
  throw new InnsigliError('usage.input.required', `${option}: expected ${expected}, found none`, {
    hint: `pass ${option}${where}, or run it in a terminal and answer the prompt`,
  });
}

import { clientShareName } from '../../../base/network/ip-address.ts';
import type { CompanyKey, FlowKey } from '../../../domain/keys.ts';
import {
  type Count,
  clientSpans,
  flowLinkSpans,
  flowSpans,
  type LoginBounds,
  namedByOneSpans,
  namedSpans,
  numberSpans,
  type Opener,
  strangerClientSpans,
  strangerSpans,
} from '../../../domain/login-bounds.ts';
import { type NumberStanding, normalPhone } from '../../../domain/person/index.ts';
import type { Circumstances } from '../../../domain/process/index.ts';
import type { IdentityProvider, StoreUnit } from '../../ports/index.ts';

/** Initiator of a login. Each has separate limits, so that none uses up those of the others. */
export type Starter =
  | { readonly by: 'anybody' }
  | {
      readonly by: 'link';
      /** Identifies the process or sequence, and the person in it, that the link belongs to. */
      readonly link: string;
      /** Relation of the number to the person whose link it is. */
      readonly number: NumberStanding;
    }
  /** With the credentials of the company. */
  | { readonly by: 'company'; readonly companyKey: CompanyKey };

/** A login or signature by e-ID to be started, which prompts the person. */
export interface LoginPrompt {
  readonly provider: IdentityProvider;
  /** Number of the person. Empty if the provider prompts for it. */
  readonly loginHint: string;
  readonly flowKey?: FlowKey;
  readonly starter: Starter;
  readonly circumstances: Circumstances | undefined;
}

/** Name of the counter for logins of a number. Undefined without a number. */
export function numberSubject(loginHint: string): string | undefined {
  const number = normalPhone(loginHint);
  return number === '' ? undefined : `login of number ${number}`;
}

/** Describes who opened a prompt, to compare with later requests for the same number. */
export function openerOf({ starter, circumstances }: LoginPrompt): Opener {
  if (starter.by === 'company')
    return { standing: 'company', who: `company ${starter.companyKey}` };
  const client = clientShareName(circumstances?.ip);
  const at = client === undefined ? {} : { client };
  if (starter.by === 'anybody') {
    return { standing: 'stranger', who: `client ${client ?? 'of this machine'}`, ...at };
  }
  const standings = { own: 'link', known: 'stranger', named: 'named', any: 'stranger' } as const;
  return { standing: standings[starter.number], who: `link ${starter.link}`, ...at };
}

/** The relation of a number to clients without the person's link, given that to the person. */
export function strangersStanding(standing: NumberStanding): NumberStanding {
  return standing === 'own' || standing === 'known' ? 'known' : 'any';
}

/** All counters of a start, in a fixed order in which their rows are locked. */
export async function countsOf(
  unit: StoreUnit,
  bounds: LoginBounds,
  prompt: LoginPrompt,
): Promise<readonly Count[]> {
  const { loginHint, flowKey, starter, circumstances } = prompt;
  // Programs of companies start logins for many persons from one address.
  const isCompany = starter.by === 'company';
  const client = isCompany ? undefined : clientShareName(circumstances?.ip);
  const flow = flowKey === undefined ? undefined : await unit.flows.find(flowKey);
  const aMinute = flow?.settings.loginsPerMinute ?? bounds.aMinuteOfFlow;
  const number = numberSubject(loginHint);
  const counts = [
    ...(number === undefined ? [] : countsOfNumber(number, bounds, starter, client)),
    ...(flow === undefined ? [] : countsOfFlow(flow.key, aMinute, starter, client)),
  ];
  const anywhere = clientShareName(circumstances?.ip);
  if (flow === undefined && anywhere !== undefined) {
    counts.push({ subject: `login by client ${anywhere}`, spans: flowSpans(aMinute) });
  }
  return counts.sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

function countsOfNumber(
  number: string,
  bounds: LoginBounds,
  starter: Starter,
  client: string | undefined,
): readonly Count[] {
  const counts: Count[] = [{ subject: number, spans: numberSpans(bounds) }];
  if (client !== undefined) {
    counts.push({ subject: `${number} by client ${client}`, spans: clientSpans(bounds) });
  }
  if (starter.by === 'company') return counts;
  if (starter.by === 'link' && starter.number === 'own') {
    counts.push({ subject: `${number} by link ${starter.link}`, spans: clientSpans(bounds) });
    return counts;
  }
  const isNamed = starter.by === 'link' && starter.number === 'named';
  const others = `${number} by ${isNamed ? 'links that name it' : 'strangers'}`;
  counts.push({ subject: others, spans: isNamed ? namedSpans(bounds) : strangerSpans(bounds) });
  if (client !== undefined) {
    const spans = isNamed ? namedByOneSpans(bounds) : strangerClientSpans(bounds);
    counts.push({ subject: `${others}, client ${client}`, spans });
  }
  if (isNamed) {
    counts.push({ subject: `${others}, link ${starter.link}`, spans: namedByOneSpans(bounds) });
  }
  // A link that can name any number gets no more logins in total than a single number.
  if (starter.by === 'link' && starter.number !== 'known') {
    counts.push({ subject: `login by link ${starter.link}`, spans: numberSpans(bounds) });
  }
  return counts;
}

function countsOfFlow(
  key: FlowKey,
  aMinute: number,
  starter: Starter,
  client: string | undefined,
): readonly Count[] {
  const place = `login of flow ${key} by ${starter.by}`;
  const counts: Count[] = [{ subject: place, spans: flowSpans(aMinute) }];
  if (client !== undefined) {
    counts.push({ subject: `${place}, client ${client}`, spans: flowSpans(aMinute, 0.5) });
  }
  if (starter.by === 'link') {
    counts.push({ subject: `${place} ${starter.link}`, spans: flowLinkSpans(aMinute) });
  }
  return counts;
}

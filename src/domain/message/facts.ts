import type { Contact } from '../person/index.ts';
import type { MessageTemplate } from '../process/index.ts';
import { formatDay, type Language } from './language.ts';
import { withoutWebAddresses } from './web-address.ts';

/** Facts for a message. */
export interface MessageFacts {
  readonly template: MessageTemplate;
  readonly language: Language;
  readonly companyName: string;
  readonly companySsn?: string;
  readonly flowName: string;
  /** The reader, or for mails to the company the first signee. */
  readonly customer?: Contact;
  /** E-mail of the user who sent the request. */
  readonly salesPerson?: string;
  /** File names: of the process, or of all documents of the reader in a sequence. */
  readonly documents: readonly string[];
  readonly meta: Readonly<Record<string, string>>;
  readonly requiresAuth: boolean;
  /** Signing page of the reader; mails to the company have none. */
  readonly link?: string;
  readonly unsubscribeUrl?: string;
  readonly expiresAtMs: number;
  /** Time zone of dates; absent: UTC. */
  readonly timeZone?: string;
  /** Key of the process or sequence. */
  readonly reference: string;
  /** One-time code and other values of the message itself. */
  readonly values: Readonly<Record<string, string>>;
  readonly hasAttachments: boolean;
  /** The page that checks signed files; absent: there is none. */
  readonly checkUrl?: string;
  /** Words of the owner in place of the built-in text message. */
  readonly customSmsText?: string;
  /** Name of the user who sent the request. */
  readonly senderName?: string;
  /** Name of the customer who brought the document; absent: the company sent it. */
  readonly broughtBy?: string;
  /** Size of the logo of the company, in pixels. */
  readonly logo?: { readonly width: number; readonly height: number };
}

/** True for a message to a signee, and not to the company. */
export function isForSignee(template: MessageTemplate): boolean {
  return template !== 'Notification' && template !== 'SalesPerson';
}

/**
 * The document names that this message may contain. If a login is required, a casual reader of the
 * mail learns nothing about the document.
 */
export function namedDocuments(facts: MessageFacts): readonly string[] {
  const isSecret = facts.requiresAuth && isForSignee(facts.template);
  return isSecret || facts.template === 'OneTimeCode' ? [] : facts.documents;
}

/**
 * Every handle with its value. The published ones, then ours: link, code, expiresAt, … What signees
 * can write themselves makes no link in mails of the company.
 */
export function handleValues(facts: MessageFacts): ReadonlyMap<string, string> {
  const { customer } = facts;
  const documents = namedDocuments(facts).join(', ');
  return new Map([
    // Own values come last, so that no field of a form can take the place of a handle of ours.
    ...Object.entries(facts.meta).map(([name, value]) => [`customer.Meta.${name}`, value] as const),
    ['customer.name', withoutWebAddresses(customer?.name ?? '')],
    ['customer.ssn', customer?.ssn ?? ''],
    ['customer.phoneNumber', customer?.phoneNumber ?? ''],
    ['customer.email', customer?.email ?? ''],
    ['customer.address', withoutWebAddresses(customer?.address ?? '')],
    ['customer.postalCode', withoutWebAddresses(customer?.postalCode ?? '')],
    ['customer.city', withoutWebAddresses(customer?.city ?? '')],
    ['customer.Meta.pdfFileName', documents],
    ['salesPerson', facts.salesPerson ?? ''],
    ['sender', senderOf(facts)],
    ['companyName', facts.companyName],
    ['companySsn', facts.companySsn ?? ''],
    ['flowName', facts.flowName],
    ['documents', documents],
    ['link', facts.link ?? ''],
    ['unsubscribeLink', facts.unsubscribeUrl ?? ''],
    ['code', facts.values['code'] ?? ''],
    ['expiresAt', formatDay(facts.expiresAtMs, facts.language, facts.timeZone)],
    ['processKey', facts.reference],
    ...broughtValues(facts),
  ]);
}

// In words of ours alone: it is no handle for others, and a name of somebody unknown.
function broughtValues({ broughtBy }: MessageFacts): readonly (readonly [string, string])[] {
  if (broughtBy === undefined) return [];
  const name = [...withoutWebAddresses(broughtBy)].slice(0, nameCharactersMax).join('');
  return [['broughtBy', name.trim()]];
}

const nameCharactersMax = 60;

/** The sender: a person, if known, and the company. */
function senderOf({ senderName, salesPerson, companyName }: MessageFacts): string {
  return [senderName ?? salesPerson ?? '', companyName].filter((each) => each !== '').join(', ');
}

let known: readonly string[] | undefined;

/** Names of the handles that every message knows; `customer.Meta.NAME` is there besides. */
export function knownHandles(): readonly string[] {
  known ??= [
    ...handleValues({
      ...{ template: 'Signup', language: 'En', companyName: '', flowName: '', documents: [] },
      ...{ meta: {}, requiresAuth: false, expiresAtMs: 0, reference: '', values: {} },
      hasAttachments: false,
    }).keys(),
  ];
  return known;
}

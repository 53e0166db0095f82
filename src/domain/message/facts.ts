import type { Contact } from '../person/index.ts';
import type { MessageTemplate } from '../process/index.ts';
import { formatDay, type Language } from './language.ts';
import { withoutWebAddresses } from './web-address.ts';

/** Data from which a message is rendered. */
export interface MessageFacts {
  readonly template: MessageTemplate;
  readonly language: Language;
  readonly companyName: string;
  readonly companySsn?: string;
  readonly flowName: string;
  /** The recipient; for mails to the company, the first signee. */
  readonly customer?: Contact;
  /** E-mail address of the user who sent the request. */
  readonly salesPerson?: string;
  /** File names: those of the process, or of all documents of the recipient in a sequence. */
  readonly documents: readonly string[];
  readonly meta: Readonly<Record<string, string>>;
  readonly requiresAuth: boolean;
  /** Signing page of the recipient. Absent in mails to the company. */
  readonly link?: string;
  readonly unsubscribeUrl?: string;
  readonly expiresAtMs: number;
  /** Time zone of dates; absent: UTC. */
  readonly timeZone?: string;
  /** Key of the process or sequence. */
  readonly reference: string;
  /** One-time code and other values specific to the message. */
  readonly values: Readonly<Record<string, string>>;
  readonly hasAttachments: boolean;
  /** The page that verifies signed files. Absent if there is none. */
  readonly checkUrl?: string;
  /** Text of the owner that replaces the built-in text message. */
  readonly customSmsText?: string;
  /** Name of the user who sent the request. */
  readonly senderName?: string;
  /** Name of the customer who uploaded the document. Absent if the company sent it. */
  readonly broughtBy?: string;
  /** Size of the logo of the company, in pixels. */
  readonly logo?: { readonly width: number; readonly height: number };
}

/** True for a message to a signee, false for one to the company. */
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
 * The values of all handles: the published ones, and ours such as link, code and expiresAt. Text
 * that signees can enter never becomes a link in mails of the company.
 */
export function handleValues(facts: MessageFacts): ReadonlyMap<string, string> {
  const { customer } = facts;
  const documents = namedDocuments(facts).join(', ');
  return new Map([
    // The built-in handles follow, so that no form field can override them.
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

// For built-in texts only: not a published handle, because the name is an unverified claim.
function broughtValues({ broughtBy }: MessageFacts): readonly (readonly [string, string])[] {
  if (broughtBy === undefined) return [];
  const name = [...withoutWebAddresses(broughtBy)].slice(0, nameCharactersMax).join('');
  return [['broughtBy', name.trim()]];
}

const nameCharactersMax = 60;

/** The sender: a person, if one is set, and the company. */
function senderOf({ senderName, salesPerson, companyName }: MessageFacts): string {
  return [senderName ?? salesPerson ?? '', companyName].filter((each) => each !== '').join(', ');
}

let known: readonly string[] | undefined;

/** Names of the handles available in every message. `customer.Meta.NAME` is available as well. */
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

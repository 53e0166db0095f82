import type { ComplianceType } from '../compliance/index.ts';
import type { CompanyKey, FlowKey } from '../keys.ts';
import type { SigneeIdentity } from '../person/index.ts';
import type { DeliveryType, SignatureType, SigningProcess } from '../process/index.ts';

/** Purpose of a flow. */
export const flowTypes = [
  'RenderFlow',
  'DropAndSign',
  'FillAndSign',
  'PEP',
  'Compliance',
  'CompanyLookup',
  'Auth',
  'ExternalLookup',
] as const;

/** One of {@link flowTypes}. */
export type FlowType = (typeof flowTypes)[number];

/** Who begins processes of a flow: the company, or also anybody who has the address of its form. */
export const initiationMethods = ['Api', 'Customer'] as const;

/** One of {@link initiationMethods}. */
export type InitiationMethod = (typeof initiationMethods)[number];

/** How the page of a form asks: for everything at once, or one question after the other. */
export const questionModes = ['All', 'One'] as const;

/** One of {@link questionModes}. */
export type QuestionMode = (typeof questionModes)[number];

/** Signees of a flow, in addition to those named by the creator of a process. */
export interface DefaultSignee {
  readonly name: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly signatureType: SignatureType;
  readonly delivery: DeliveryType;
}

/** Settings of the processes of a flow. */
export interface FlowSettings {
  /** Type for signees that name none. */
  readonly signatureType: SignatureType;
  /** Signees log in before they see a document. Default: false. */
  readonly requiresAuth: boolean;
  /** Rule for logins as a signee without a known number; absent: the company's. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Time zone of evidence and mails: an IANA name; absent: the company's. */
  readonly timeZone?: string;
  /** Signees sign one after the other. Default: false. */
  readonly signInOrder: boolean;
  /** Start of visible signatures. Default: `TopFirstPage`. */
  readonly signatureLocation: SigningProcess['signatureLocation'];
  /** `{first}:{interval}`. */
  readonly reminderRule?: string;
  /** Name of the process in log and evidence. Default: none. */
  readonly activityDisplayName?: string;
  /** Placeholders of the values in double braces. */
  readonly fileNameTemplate?: string;
  /** Signees that must be named besides the first, 0 to 20. Default: none. */
  readonly minAdditionalSignees?: number;
  /** Signees that may be named besides the first, or added by link. Default: none; 5 by link. */
  readonly maxAdditionalSignees?: number;
  /** Signees of every process. Default: none. */
  readonly defaultSignees: readonly DefaultSignee[];
  /** Level of the seal of the company after the last signature. */
  readonly sealLevel: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  /** Attach the evidence page; always done for Simple and ClickToSign signatures. */
  readonly evidencePage: boolean;
  /** Signees may refuse. */
  readonly mayDecline: boolean;
  /** True if the holder of one signee's link may see and do everything that any signee may. */
  readonly openLinks?: boolean;
  /** Days until a process expires, 1 to 365. Default: 30. */
  readonly expiresAfterDays: number;
  /** Days that documents are kept after the end. */
  readonly retentionDays: number;
  /** Mail to the company when a process is completed. */
  readonly notifyAddress?: string;
  /** Mail the result to signees. Default: true. */
  readonly confirmSignees: boolean;
  /** Mail the result to the user who sent. Default: true. */
  readonly confirmUser: boolean;
  /** Default: `Api`. `Customer`: the page of its form, or of its login, is open to anybody. */
  readonly initiationMethod?: InitiationMethod;
  /** Default: `All`. `One`: the form of the flow asks one question at a time. */
  readonly questionMode?: QuestionMode;
  /** Logins of the flow may look up family data: a special permission. */
  readonly familyLookup?: boolean;
  /**
   * Assessments that a completed process answers. Default: PEP for flows of type `PEP`, AML for
   * those of type `Compliance`, none for others.
   */
  readonly complianceTypes?: readonly ComplianceType[];
  /** Logins of the flow that may be started in a minute; left out: as the service says. */
  readonly loginsPerMinute?: number;
}

/** A kind of process of a company. */
export interface Flow {
  readonly key: FlowKey;
  readonly companyKey: CompanyKey;
  readonly name: string;
  readonly type: FlowType;
  /** An inactive flow takes no new processes. */
  readonly isActive: boolean;
  /** Short code of the interface language, such as `Is`. */
  readonly language: string;
  readonly settings: FlowSettings;
  /** Style sheet of the signing page; empty when none is set. */
  readonly css: string;
  readonly meta: Readonly<Record<string, string>>;
  /** Digest of the stored form (FillAndSign) or empty. */
  readonly templateSha256?: string;
  /** Version of the schema in use. */
  readonly publishedVersion?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A version of what a smart flow asks for. */
export interface FlowSchema {
  readonly flowKey: FlowKey;
  /** Opaque. */
  readonly version: string;
  /** JSON text. */
  readonly schema: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The assessments that a finished process of a flow answers. */
export function answeredTypes({ type, settings }: Flow): readonly ComplianceType[] {
  if (settings.complianceTypes !== undefined) return settings.complianceTypes;
  if (type === 'PEP') return ['PEP'];
  return type === 'Compliance' ? ['AML'] : [];
}

/** What flows make their documents of, by types that may have one: a PDF form, or a template. */
export const templateKinds: { readonly [Type in FlowType]?: 'form' | 'template' } = {
  FillAndSign: 'form',
  RenderFlow: 'template',
  PEP: 'template',
  Compliance: 'template',
};

/** True for a flow whose documents are made from values, and do not come with the process. */
export function makesDocuments({ type, templateSha256 = '' }: Flow): boolean {
  return templateKinds[type] !== undefined && templateSha256 !== '';
}

/** True for a flow whose customers bring the document that they sign. */
export function takesUploads({ type }: Pick<Flow, 'type'>): boolean {
  return type === 'DropAndSign';
}

/** True for a flow whose form anybody may fill in and sign. */
export function isOpenForm(flow: Flow): boolean {
  const isReady = makesDocuments(flow) || takesUploads(flow);
  return flow.isActive && flow.settings.initiationMethod === 'Customer' && isReady;
}

/** True for a flow at whose page anybody may log in. */
export function isOpenLogin({ type, isActive, settings }: Flow): boolean {
  return type === 'Auth' && isActive && settings.initiationMethod === 'Customer';
}

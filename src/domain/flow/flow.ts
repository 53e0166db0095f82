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

/** Who creates processes of a flow: the company, or also anyone who has the URL of its form. */
export const initiationMethods = ['Api', 'Customer'] as const;

/** One of {@link initiationMethods}. */
export type InitiationMethod = (typeof initiationMethods)[number];

/** How the page of a form presents its questions: all together, or one at a time. */
export const questionModes = ['All', 'One'] as const;

/** One of {@link questionModes}. */
export type QuestionMode = (typeof questionModes)[number];

/** A default signee of a flow, in addition to those named by the creator of a process. */
export interface DefaultSignee {
  readonly name: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly signatureType: SignatureType;
  readonly delivery: DeliveryType;
}

/** Settings of the processes of a flow. */
export interface FlowSettings {
  /** Type for signees that specify none. */
  readonly signatureType: SignatureType;
  /** Signees log in before they see a document. Default: false. */
  readonly requiresAuth: boolean;
  /** Rule for logins as a signee without a known national number. Absent: the company's. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Time zone of evidence and mails: an IANA name. Absent: the company's. */
  readonly timeZone?: string;
  /** Signees sign one after the other. Default: false. */
  readonly signInOrder: boolean;
  /** Position of the first visible signature. Default: `TopFirstPage`. */
  readonly signatureLocation: SigningProcess['signatureLocation'];
  /** Reminder rule, `{first}:{interval}` in days. */
  readonly reminderRule?: string;
  /** Name of the process in log and evidence. Default: none. */
  readonly activityDisplayName?: string;
  /** Template of file names, with placeholders for values in double braces. */
  readonly fileNameTemplate?: string;
  /** Minimum number of signees besides the first, 0 to 20. Default: none. */
  readonly minAdditionalSignees?: number;
  /** Maximum number of signees besides the first, named or by link. Default: none; 5 by link. */
  readonly maxAdditionalSignees?: number;
  /** Signees of every process. Default: none. */
  readonly defaultSignees: readonly DefaultSignee[];
  /** Level of the company's seal, applied after the last signature. */
  readonly sealLevel: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  /** Attach the evidence page. Always done for Simple and ClickToSign signatures. */
  readonly evidencePage: boolean;
  /** Signees may decline. */
  readonly mayDecline: boolean;
  /** True if the holder of one signee's link may see and do everything that any signee may. */
  readonly openLinks?: boolean;
  /** Days until a process expires, 1 to 365. Default: 30. */
  readonly expiresAfterDays: number;
  /** Days for which documents are retained after the end. */
  readonly retentionDays: number;
  /** Address of the company to which a mail is sent when a process is completed. */
  readonly notifyAddress?: string;
  /** Mail the result to signees. Default: true. */
  readonly confirmSignees: boolean;
  /** Mail the result to the user who sent the request. Default: true. */
  readonly confirmUser: boolean;
  /** Default: `Api`. `Customer`: the page of its form, or of its login, is open to anyone. */
  readonly initiationMethod?: InitiationMethod;
  /** Default: `All`. `One`: the form of the flow asks one question at a time. */
  readonly questionMode?: QuestionMode;
  /** Logins of the flow may look up family data, which requires a special permission. */
  readonly familyLookup?: boolean;
  /**
   * Assessments that a completed process answers. Default: PEP for flows of type `PEP`, AML for
   * those of type `Compliance`, none for other types.
   */
  readonly complianceTypes?: readonly ComplianceType[];
  /** Logins of the flow that may be started per minute. Default: the limit of the service. */
  readonly loginsPerMinute?: number;
}

/** A kind of process of a company. */
export interface Flow {
  readonly key: FlowKey;
  readonly companyKey: CompanyKey;
  readonly name: string;
  readonly type: FlowType;
  /** An inactive flow accepts no new processes. */
  readonly isActive: boolean;
  /** Short code of the interface language, such as `Is`. */
  readonly language: string;
  readonly settings: FlowSettings;
  /** Style sheet of the signing page; empty if none is set. */
  readonly css: string;
  readonly meta: Readonly<Record<string, string>>;
  /** SHA-256 of the stored form (FillAndSign); empty if there is none. */
  readonly templateSha256?: string;
  /** Version of the schema in use. */
  readonly publishedVersion?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A version of the schema of the values that a smart flow requests. */
export interface FlowSchema {
  readonly flowKey: FlowKey;
  /** Opaque. */
  readonly version: string;
  /** JSON text. */
  readonly schema: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The assessments that a completed process of a flow answers. */
export function answeredTypes({ type, settings }: Flow): readonly ComplianceType[] {
  if (settings.complianceTypes !== undefined) return settings.complianceTypes;
  if (type === 'PEP') return ['PEP'];
  return type === 'Compliance' ? ['AML'] : [];
}

/** Source of the documents of a flow, for types that can have one: a PDF form or a template. */
export const templateKinds: { readonly [Type in FlowType]?: 'form' | 'template' } = {
  FillAndSign: 'form',
  RenderFlow: 'template',
  PEP: 'template',
  Compliance: 'template',
};

/** True for a flow whose documents are generated from values, not uploaded with the process. */
export function makesDocuments({ type, templateSha256 = '' }: Flow): boolean {
  return templateKinds[type] !== undefined && templateSha256 !== '';
}

/** True for a flow whose customers upload the document that they sign. */
export function takesUploads({ type }: Pick<Flow, 'type'>): boolean {
  return type === 'DropAndSign';
}

/** True for a flow whose form anyone may fill in and sign. */
export function isOpenForm(flow: Flow): boolean {
  const isReady = makesDocuments(flow) || takesUploads(flow);
  return flow.isActive && flow.settings.initiationMethod === 'Customer' && isReady;
}

/** True for a flow on whose page anyone may log in. */
export function isOpenLogin({ type, isActive, settings }: Flow): boolean {
  return type === 'Auth' && isActive && settings.initiationMethod === 'Customer';
}

import { createHash, sign } from 'node:crypto';
import { sealPdf } from '../../../src/app/documents/pdf/seal-pdf.ts';
import type { SealPorts } from '../../../src/app/documents/seal-ports.ts';
import {
  type EidDelivery,
  type EidDriver,
  EidError,
  type EidEvidence,
  type EidFailCode,
  type EidRequest,
  type EidSignature,
  type EidSigning,
} from '../../../src/app/ports/index.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { oids } from '../../../src/formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData } from '../../../src/formats/cms/index.ts';
import { signWith, type TestMember } from '../pki.ts';

/** A provider controlled by a test. */
export interface ScriptedDriver {
  readonly driver: EidDriver;
  /** Purposes of the sessions that were started. */
  readonly purposes: string[];
  /** Page of the provider, if it has one. */
  page?: string;
  /** Callback URLs in the order of the sessions. */
  readonly returnUrls: (string | undefined)[];
  /** Proof that the person has approved. */
  evidence: EidEvidence;
  /** National number of the person who responds. */
  ssn: string;
  /** Sessions that were cancelled. */
  readonly cancelled: string[];
  /** Called before a session is started. */
  onStart?: () => Promise<void>;
  /** Polls that returned a result. */
  completed: number;
  /** From now on the person approves everything. */
  approve(): void;
  /** From now on the person does not respond. */
  withhold(): void;
  /** From now on the provider rejects everything. */
  refuse(code: EidFailCode): void;
  /** Changes the document before it is signed. */
  alter?: (document: Uint8Array) => Uint8Array;
  /** Changes the signature before it is delivered. */
  spoil?: (signature: EidSignature) => EidSignature;
}

/** Evidence of the scripted provider. */
export const scriptedEvidence: EidEvidence = {
  scheme: 'scripted',
  format: 'jwt',
  data: `header.${'x'.repeat(24_000)}.signature`,
};

/** A driver whose person has the key of `member`. */
export function scriptedDriver(
  member: TestMember,
  signing: Omit<EidSigning, 'level'>,
  { ssn = '6000101994', sealing }: { readonly ssn?: string; readonly sealing?: SealPorts } = {},
): ScriptedDriver {
  let isApproved = false;
  let refusal: EidFailCode | undefined;
  const purposes: string[] = [];
  const orders = new Map<string, EidRequest>();
  const identity = {
    ...{ name: 'Ödön Kőrösi', country: 'IS', subject: 'scripted' },
    assurance: 'high',
  } as const;
  const certificates = [member.der, ...member.chain];
  const script: ScriptedDriver = {
    returnUrls: [],
    ...{ purposes, ssn, evidence: scriptedEvidence },
    cancelled: [],
    completed: 0,
    approve: () => {
      isApproved = true;
    },
    withhold: () => {
      isApproved = false;
    },
    refuse: (code) => {
      refusal = code;
    },
    driver: {
      ...{ name: 'scripted', channels: ['Sim', 'App'], tellsPhone: false, answersOnce: true },
      signing: { ...signing, level: 'advanced' },
      async start(request) {
        if (refusal !== undefined) throw new EidError(refusal, 'scripted');
        await script.onStart?.();
        purposes.push(request.purpose);
        const id = String(purposes.length);
        orders.set(id, request);
        script.returnUrls.push(request.returnUrl);
        const page = script.page === undefined ? {} : { redirectUrl: `${script.page}${id}` };
        const challenge = { verificationCode: `000${id}`, ...page };
        return { state: { id }, challenge, pollingMs: 2_000, expiresAtMs: 9e15 };
      },
      async poll(state) {
        if (refusal !== undefined) return { status: 'failed', code: refusal };
        if (!isApproved) return { status: 'pending', hint: 'userSign' };
        script.completed++;
        const { purpose, order } = orders.get(String(state['id'])) as EidRequest;
        const complete = {
          status: 'complete',
          evidence: script.evidence,
          identity: { ...identity, ssn: script.ssn },
        } as const;
        if (purpose === 'certificate') return { ...complete, certificates, linked: { from: 1 } };
        if (order === undefined) return complete;
        const { document = new Uint8Array() } = order;
        const altered = { ...order, document: script.alter?.(document) ?? document };
        const made = await signatureFor(signing.delivery, member, altered, sealing);
        return { ...complete, signature: script.spoil?.(made) ?? made };
      },
      callback: async (state) => ({ ...state, isBack: true }),
      cancel: async ({ id }) => void script.cancelled.push(String(id)),
      findCertificates: async () => ({ certificates, linked: { from: 2 } }),
      check: async () => [],
    },
  };
  return script;
}

async function signatureFor(
  delivery: EidDelivery,
  member: TestMember,
  order: NonNullable<EidRequest['order']>,
  sealing: SealPorts | undefined,
): Promise<EidSignature> {
  const { digest, signedBytes = new Uint8Array(), document = new Uint8Array() } = order;
  switch (delivery) {
    case 'raw':
      return {
        ...{ delivery, certificates: [member.der, ...member.chain] },
        value: sign('sha256', signedBytes, member.privateKey),
        algorithm: { name: 'ecdsa', digest: 'sha256' },
      };
    case 'cms':
      return { delivery, cms: cmsOver(member, digest) };
    case 'document': {
      if (sealing === undefined) throw new Error('a document needs the ports of a seal');
      const request = { source: memorySource(document), level: 'B-B', visible: false } as const;
      const { der: certificate, chain, algorithm } = member;
      const own = async (data: Uint8Array) => signWith(member, data);
      const signer = { certificate, chain, algorithm, sign: own };
      return { delivery, document: (await sealPdf(request, { ...sealing, signer })).bytes };
    }
    default:
      return { delivery };
  }
}

/** A CAdES baseline CMS over a given digest. */
function cmsOver(member: TestMember, messageDigest: Uint8Array): Uint8Array {
  const { certificate, algorithm } = member;
  const certificateDigest = 'sha256';
  const contentType = oids.data;
  const request = { contentType, messageDigest, certificate, certificateDigest } as const;
  const signedAttributes = buildSignedAttributes(request);
  return buildSignedData({
    ...{ digest: 'sha256', signedAttributes, signatureAlgorithm: algorithm, certificate },
    signature: signWith(member, signedAttributes),
    certificates: [member.der, ...member.chain],
  });
}

/** SHA-256, for comparisons. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

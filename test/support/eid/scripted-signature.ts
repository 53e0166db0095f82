import { drivenIdentity, eidTrust } from '../../../src/app/eid/index.ts';
import type { EidFailCode, EidSigning } from '../../../src/app/ports/index.ts';
import { pollQualified, startQualified } from '../../../src/app/signing/index.ts';
import type { TestMember } from '../pki.ts';
import { by, person, type SigningWorld } from '../signing.ts';
import { scriptedDriver } from './scripted-driver.ts';

/** Delivery of the signature by a test provider. */
export type Kind = Omit<EidSigning, 'level'>;

/** A {@link Kind} with SHA-256. */
export const kindOf = (
  delivery: Kind['delivery'],
  certificate: Kind['certificate'] = 'none',
): Kind => ({ delivery, certificate, digest: 'sha256' });

let persons = 0;

/** The national number of the next signee: one person can be prompted only a few times. */
export function nextNumber(): string {
  return `010190${String(1000 + persons++)}`;
}

/** The person who responds, if not the signee of `ssn`. */
export interface ScriptedPerson {
  readonly signeeSsn?: string;
  /** National number stated by the provider. */
  readonly ssn?: string;
  /** The provider rejects everything with this code. */
  readonly refusal?: EidFailCode;
  /** Default: that of the world. */
  readonly content?: Uint8Array;
}

/** A signature started at a scripted provider; its person signs with the key of `own`. */
export async function beginScripted(
  world: SigningWorld,
  signing: Kind,
  own: TestMember,
  { signeeSsn = nextNumber(), ssn = signeeSsn, content, refusal }: ScriptedPerson = {},
) {
  const sealing = await world.ports.openSealing('B-B');
  const script = scriptedDriver(own, signing, { ssn, sealing });
  if (refusal !== undefined) script.refuse(refusal);
  const { now, random, vault } = world.ports;
  const http = () => Promise.reject(new Error('no network'));
  const identity = drivenIdentity(script.driver, {
    environment: { now, random, http, trust: eidTrust() },
    ...{ vault, startError: 'authentication.error.idp.start' },
  });
  const ports = { ...world.ports, identity };
  const signee = person(1, { signatureType: 'Qualified', ssn: signeeSsn });
  const process = await world.open([signee, person(2)], {}, {}, content);
  const started = await startQualified(ports, { ...by(process), channel: 'App' });
  const place = { ...by(process), token: started.token };
  const poll = () => pollQualified(ports, place);
  return { script, process, started, poll, ports, place };
}

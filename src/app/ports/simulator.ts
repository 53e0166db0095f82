import type { EidFailCode } from './eid.ts';

/** A decision made for a person of the e-ID simulator. */
export type SimulatorVerdict = 'approve' | EidFailCode;

/** A session of the simulator that awaits a decision. */
export interface WaitingSession {
  /** Identifier of the session, 32 hexadecimal digits. */
  readonly session: string;
  /** Channel and person, such as `App Łucja Żółkiewska`. */
  readonly label: string;
  /** In milliseconds since the epoch. */
  readonly openedAtMs: number;
}

/** Decides for the persons of a waiting simulator, from a different terminal or program. */
export interface SimulatorDesk {
  /** Pending sessions, oldest first. */
  list(): Promise<readonly WaitingSession[]>;
  /** Decides a session. False if it is no longer pending. */
  decide(session: string, verdict: SimulatorVerdict): Promise<boolean>;
}

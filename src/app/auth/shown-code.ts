import { defined } from '../../base/defined.ts';
import { loginDeadlineMs } from '../../domain/auth/index.ts';
import { providerNamed } from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerOf } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** The information shown to a person during an e-ID session. */
export interface ShownCode {
  /** Seconds until the session ends. */
  readonly secondsLeft: number;
  /** Current text for the QR code, from providers that have one. */
  readonly qrData?: string;
}

/**
 * The current code of a pending session, and its remaining time; undefined if none is pending. The
 * provider is not contacted: codes are derived from the session, so callers may refresh every
 * second.
 */
export async function shownCode(ports: AuthPorts, token: string): Promise<ShownCode | undefined> {
  const { challenge, login } = await ports.store.read(async (unit) => ({
    challenge: await unit.challenges.find(token),
    login: await unit.logins.find(tokenDigest(token)),
  }));
  const found =
    challenge === undefined
      ? login && {
          ...{ state: login.state, provider: providerOf(ports, login), ref: login.providerRef },
          endsAtMs: login.createdAtMs + loginDeadlineMs,
        }
      : {
          ...{ state: challenge.state, provider: providerNamed(ports, challenge.provider) },
          ...{ ref: challenge.providerRef, endsAtMs: challenge.expiresAtMs },
        };
  const leftMs = (found?.endsAtMs ?? 0) - ports.now();
  if (found?.state !== 'waiting' || leftMs <= 0) return undefined;
  const { provider, ref } = found;
  const code = ref === undefined ? undefined : await provider?.refresh?.(ref);
  return { secondsLeft: Math.ceil(leftMs / 1000), ...defined({ qrData: code || undefined }) };
}

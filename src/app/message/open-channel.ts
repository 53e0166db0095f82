import { InnsigliError } from '../../base/errors.ts';
import type { Channel, ChannelPorts } from '../ports/index.ts';

/** True when messages leave that way, be it as files. */
export function isOpenChannel({ closedChannels = [] }: ChannelPorts, channel: Channel): boolean {
  return !closedChannels.includes(channel);
}

/**
 * Requires that messages leave that way.
 *
 * @param why what needs it, such as `signees[0].delivery`
 * @throws message.channel.none
 */
export function requireChannel(ports: ChannelPorts, channel: Channel, why: string): void {
  if (isOpenChannel(ports, channel)) return;
  const [what, setting] =
    channel === 'Email' ? ['mail', 'mail.server'] : ['text messages', 'sms.gateway'];
  const message = `${why}: ${what} would be needed, and ${setting} is none`;
  throw new InnsigliError('message.channel.none', message, {
    details: { channel },
    hint: 'choose delivery None, another signatureType, or let the operator set it up',
  });
}

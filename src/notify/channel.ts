import type { Channel } from '../config/notify.ts';
import { openEmail } from './email.ts';
import type { OpenChannel } from './sending.ts';
import { openWebhook } from './webhook.ts';

export function openChannel(channel: Channel): OpenChannel {
  return channel.type === 'webhook' ? openWebhook(channel) : openEmail(channel);
}

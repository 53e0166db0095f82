/** Text messages through a gateway, or as files in a folder. */
export { gatewaySms, type SmsGatewayOptions } from './gateway.ts';
export { outboxSms } from './outbox.ts';

import type { Command } from 'commander';
import type { Start } from './context.ts';
import { useService } from './use-service.ts';

/** Adds a command, or a group of them, to the command tree. */
export type Define = (program: Command, start: Start) => void;

/** A command of the first level, as the list of commands shows it, and how it is loaded. */
export interface CommandEntry {
  readonly name: string;
  /** Heading that it stands under. */
  readonly group: string;
  /** Arguments as they stand in the list. */
  readonly args: string;
  readonly summary: string;
  /** The definition with its options: loaded when the command is used, or asked for. */
  readonly load: () => Promise<Define>;
}

/** Every command, in the order of the list. */
export const commandList: readonly CommandEntry[] = [
  {
    name: 'seal',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'seal a PDF (PAdES B-B … B-LTA)',
    load: async () => (await import('./commands/documents/seal.ts')).defineSeal,
  },
  {
    name: 'seal-xml',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'sign XML (XAdES B-B … B-LTA), or any files in a container',
    load: async () => (await import('./commands/documents/seal-xml.ts')).defineSealXml,
  },
  {
    name: 'archive',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'bring a signed document to B-LTA, or renew it',
    load: async () => (await import('./commands/documents/archive.ts')).defineArchive,
  },
  {
    name: 'verify',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'check every signature of signed documents',
    load: async () => (await import('./commands/documents/verify.ts')).defineVerify,
  },
  {
    name: 'process',
    group: 'Signing:',
    args: '',
    summary: 'documents under signature',
    load: async () => (await import('./commands/process/group.ts')).defineProcess,
  },
  {
    name: 'sequence',
    group: 'Signing:',
    args: '',
    summary: 'several documents signed together',
    load: async () => (await import('./commands/sequence/group.ts')).defineSequence,
  },
  {
    name: 'sign',
    group: 'Signing:',
    args: '<process> <signee>',
    summary: 'sign as a signee',
    load: async () => (await import('./commands/documents/sign.ts')).defineSign,
  },
  {
    name: 'remind',
    group: 'Signing:',
    args: '[process] [signee]',
    summary: 'remind a signee to sign',
    load: async () => {
      const { defineRemind } = await import('./commands/remind/remind.ts');
      return (program, start) =>
        defineRemind(program, start, (context, work) =>
          useService(context, ({ reminders }) => work(reminders)),
        );
    },
  },
  {
    name: 'message',
    group: 'Signing:',
    args: '',
    summary: 'mails and text messages on their way',
    load: async () => (await import('./commands/message/group.ts')).defineMessage,
  },
  {
    name: 'webhook',
    group: 'Signing:',
    args: '',
    summary: 'tell other systems what happens',
    load: async () => (await import('./commands/webhook/group.ts')).defineWebhook,
  },
  {
    name: 'activity',
    group: 'Service:',
    args: '',
    summary: 'read and verify the activity log',
    load: async () => (await import('./commands/activity/group.ts')).defineActivity,
  },
  {
    name: 'flow',
    group: 'Signing:',
    args: '',
    summary: 'kinds of processes and the documents they make',
    load: async () => (await import('./commands/flow/group.ts')).defineFlow,
  },
  {
    name: 'template',
    group: 'Signing:',
    args: '',
    summary: 'mail texts of your own',
    load: async () => (await import('./commands/template/group.ts')).defineTemplate,
  },
  {
    name: 'compliance',
    group: 'Persons:',
    args: '',
    summary: 'what is known of persons and businesses',
    load: async () => (await import('./commands/compliance/group.ts')).defineCompliance,
  },
  {
    name: 'screen',
    group: 'Persons:',
    args: '',
    summary: 'look for persons on lists',
    load: async () => (await import('./commands/screen/group.ts')).defineScreen,
  },
  {
    name: 'serve',
    group: 'Service:',
    args: '',
    summary: 'serve the HTTP interface',
    load: async () => (await import('./commands/service/serve.ts')).defineServe,
  },
  {
    name: 'worker',
    group: 'Service:',
    args: '',
    summary: 'do what waits: seal, send, remind, expire',
    load: async () => (await import('./commands/service/worker.ts')).defineWorker,
  },
  {
    name: 'company',
    group: 'Service:',
    args: '',
    summary: 'companies and their API keys',
    load: async () => (await import('./commands/company/group.ts')).defineCompany,
  },
  {
    name: 'init',
    group: 'This machine:',
    args: '',
    summary: 'make the development trust and the first company',
    load: async () => (await import('./commands/program/init.ts')).defineInit,
  },
  {
    name: 'doctor',
    group: 'This machine:',
    args: '',
    summary: 'check that sealing and the service would work',
    load: async () => (await import('./commands/program/doctor.ts')).defineDoctor,
  },
  {
    name: 'store',
    group: 'This machine:',
    args: '',
    summary: 'database and stored contents as a whole',
    load: async () => (await import('./commands/store/group.ts')).defineStore,
  },
  {
    name: 'config',
    group: 'This machine:',
    args: '',
    summary: 'look at the configuration',
    load: async () => (await import('./commands/program/config-explain.ts')).defineConfig,
  },
  {
    name: 'tsa',
    group: 'Service:',
    args: '',
    summary: 'the embedded time-stamp authority',
    load: async () => (await import('./commands/service/tsa-serve.ts')).defineTsa,
  },
  {
    name: 'completion',
    group: 'This machine:',
    args: '<shell> [kind] [of]',
    summary: 'print a completion script',
    load: async () => (await import('./commands/program/completion.ts')).defineCompletion,
  },
  {
    name: 'help',
    group: 'This machine:',
    args: '[name...]',
    summary: 'help on a command or a topic',
    load: async () => (await import('./commands/program/help.ts')).defineHelp,
  },
];

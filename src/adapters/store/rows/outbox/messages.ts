import type { EmailTemplates, Messages } from '../../../../app/ports/index.ts';
import type { EmailTemplate, Message } from '../../../../domain/message/index.ts';
import {
  changes,
  findDecrypted,
  firstOf,
  insertRow,
  insertUnderFreshId,
  rowForm,
} from '../../statements.ts';
import { fromJson, type Session, type Tables, toJson } from '../../tables.ts';

const form = rowForm<Omit<Message, 'values'>>()({
  id: 'id',
  companyKey: 'company_key',
  state: 'state',
  processKey: 'process_key',
  createdAtMs: 'created_at',
});
const templateForm = rowForm<EmailTemplate>()({ id: 'id', flowKey: 'flow_key' });
const newTemplateForm = rowForm<Omit<EmailTemplate, 'id'>>()({ flowKey: 'flow_key' });

/** Mails and text messages; their values, which include one-time codes, are encrypted. */
export function messages(session: Session): Messages {
  const { db, vault } = session;
  const context = (id: string) => `message.secret_values:${id}`;
  const toRow = ({ values, ...rest }: Message): Tables['message'] => {
    const isEmpty = Object.keys(values).length === 0;
    return {
      ...form.row(rest),
      secret_values: isEmpty ? null : vault.encrypt(toJson(values), context(rest.id)),
      held_by: rest.state === 'waiting' ? (rest.heldBy ?? null) : null,
    };
  };
  const valuesOf = ({ id, secret_values: sealed }: Tables['message']): Message['values'] =>
    sealed === null ? {} : fromJson(vault.decrypt(sealed, context(id)));
  const fromRow = (row: Tables['message'], values = valuesOf(row)): Message =>
    Object.assign(form.value(row), { values });
  const listed = (row: Tables['message']) => fromRow(row, findDecrypted(() => valuesOf(row)) ?? {});
  return {
    add: (message) => insertRow(session, 'message', toRow(message)),
    find: (id) => firstOf(db.selectFrom('message').selectAll().where('id', '=', id), fromRow),
    async save(message) {
      const { id, ...rest } = toRow(message);
      await db.updateTable('message').set(rest).where('id', '=', id).execute();
    },
    async ofProcess(key) {
      const query = db.selectFrom('message').selectAll().where('process_key', '=', key);
      return (await query.orderBy('created_at').orderBy('id').execute()).map(listed);
    },
    async eraseOf(key) {
      const own = db.selectFrom('message').selectAll().where('process_key', '=', key);
      for (const message of (await own.execute()).map(listed)) {
        const state = message.state === 'waiting' ? 'canceled' : message.state;
        const { id, ...rest } = toRow({ ...message, to: '', values: {}, state });
        await db.updateTable('message').set(rest).where('id', '=', id).execute();
        const jobs = db.deleteFrom('job').where('kind', '=', 'message');
        await jobs.where('ref', '=', id).execute();
      }
    },
    held: () => countHeld(session),
    list: async (filter) => (await listRows(session, filter)).map(listed),
  };
}

async function countHeld({ db }: Session): ReturnType<Messages['held']> {
  const counted = db
    .selectFrom('message')
    .select((e) => ['held_by', e.fn.countAll<number>().as('n'), e.fn.min('created_at').as('since')])
    .where('held_by', 'is not', null);
  const rows = await counted.groupBy('held_by').orderBy('held_by').execute();
  return rows.map(({ held_by, n, since }) => ({
    code: String(held_by),
    count: Number(n),
    sinceMs: Number(since),
  }));
}

async function listRows(
  { db }: Session,
  { companyKey, states, take, before }: Parameters<Messages['list']>[0],
): Promise<readonly Tables['message'][]> {
  const all = db.selectFrom('message').selectAll().where('company_key', '=', companyKey);
  const own =
    before === undefined
      ? all
      : all.where((e) =>
          e(e.refTuple('created_at', 'id'), '<', e.tuple(before.createdAtMs, before.id)),
        );
  const newest = own.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(take);
  const rows: Tables['message'][] = [];
  // One query per state, so that the index provides the order.
  for (const state of new Set(states)) {
    for (const row of await newest.where('state', '=', state).execute()) rows.push(row);
  }
  const newestFirst = rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
  return newestFirst.slice(0, take);
}

/** E-mail templates of companies. */
export function emailTemplates(session: Session): EmailTemplates {
  const { db } = session;
  return {
    async add(template) {
      const values = newTemplateForm.row(template);
      return insertUnderFreshId(session, 'email_template', template.flowKey, async (id) => {
        const query = db
          .insertInto('email_template')
          .values({ id, ...values })
          .onConflict((conflict) => conflict.column('id').doNothing());
        return changes(query);
      });
    },
    find: (id) =>
      firstOf(db.selectFrom('email_template').selectAll().where('id', '=', id), templateForm.value),
    async forFlow(key) {
      const query = db.selectFrom('email_template').selectAll().where('flow_key', '=', key);
      return (await query.orderBy('id').execute()).map(templateForm.value);
    },
    async save({ id, ...template }) {
      const values = newTemplateForm.row(template);
      await db.updateTable('email_template').set(values).where('id', '=', id).execute();
    },
    remove: (id) => changes(db.deleteFrom('email_template').where('id', '=', id)),
  };
}

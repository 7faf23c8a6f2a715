import type { SessionInfo } from '@openfountain/core'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { auditedOptions, clockOption, databaseOption, withRegistry } from '../settings.ts'
import type { Column } from '../table.ts'

const columns: Column<SessionInfo>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'USER', value: ({ userId }) => userId },
  { heading: 'CREATED', value: ({ createdAt }) => createdAt },
  { heading: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt },
  { heading: 'EXPIRES', value: ({ expiresAt }) => expiresAt },
  { heading: 'DEVICE', value: ({ device }) => device },
]

/** @throws CommandError usage */
export function numberOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/u.test(text)) throw usage(`ID must be a whole number, not ${JSON.stringify(text)}`)
  return Number(text)
}

export const sessionCreate = command({
  name: 'session create',
  summary: 'Signs a user in for thirty days and prints the value of the cookie named session.',
  more: 'The value is shown once: the registry keeps only its hash.',
  options: {
    ...auditedOptions,
    ...clockOption,
    user: { type: 'text', value: 'ID', required: true, about: 'The user to sign in' },
  },
  examples: [
    { line: 'openfountain session create --user ada', does: 'Prints the cookie’s value and nothing else' },
    {
      line: 'openfountain session create --user ada --json',
      does: 'Prints { "session": …, "expiresAt": … }',
    },
  ],
  async run({ user, ...options }, _positionals, context) {
    await withRegistry(options, 'change', context, async (registry) => {
      const session = await registry.sessions.create(user)
      context.out.result(session, () => [session.session])
      if (!context.out.json) context.out.note(`Signed in until ${session.expiresAt}; shown only this once`)
    })
  },
})

export const sessionList = command({
  name: 'session list',
  summary: 'Lists the sessions that are neither expired nor revoked.',
  options: { ...databaseOption, user: { type: 'text', value: 'ID', about: 'Only of this user' } },
  examples: [{ line: 'openfountain session list --user ada', does: 'Shows where Ada is signed in' }],
  async run({ db, user }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const sessions = await registry.sessions.list(user)
      context.out.table({ sessions }, sessions, columns, 'No sessions')
    })
  },
})

export const userSessions = command({
  name: 'user sessions',
  summary: 'Lists where a user is signed in; session revoke ends one.',
  options: {
    ...databaseOption,
    user: { type: 'text', value: 'ID', required: true, about: 'The user' },
  },
  examples: [{ line: 'openfountain user sessions --user ada', does: 'Shows Ada’s devices' }],
  async run({ db, user }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      await registry.users.get(user)
      const sessions = await registry.sessions.list(user)
      context.out.table({ sessions }, sessions, columns, 'No sessions')
    })
  },
})

export const sessionRevoke = command({
  name: 'session revoke',
  summary: 'Revokes a session; it ends at once.',
  positionals: [{ name: 'ID', about: 'Its number, as session list shows it' }],
  options: auditedOptions,
  examples: [{ line: 'openfountain session revoke 3', does: 'Signs that session out' }],
  async run(options, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      await registry.sessions.revoke(number)
      context.out.result({ revoked: number }, () => [`Session ${number} is revoked`])
    })
  },
})

import type { TokenInfo } from '@openfountain/core'
import { command } from '../command.ts'
import { auditedOptions, clockOption, databaseOption, withRegistry } from '../settings.ts'
import type { Column } from '../table.ts'
import { numberOf } from './sessions.ts'

const columns: Column<TokenInfo>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name }) => name },
  { heading: 'OWNER', value: ({ ownerId }) => ownerId },
  { heading: 'CREATED', value: ({ createdAt }) => createdAt },
  { heading: 'REVOKED', value: ({ revokedAt }) => revokedAt },
]

export const tokenCreate = command({
  name: 'token create',
  summary: 'Creates an API token and prints it.',
  more: 'It is shown once: the registry keeps only its hash. Tokens need no XP and may approve, verify and delete; what they write is attributed to their owner, or to the built-in user.',
  options: {
    ...auditedOptions,
    ...clockOption,
    name: { type: 'text', value: 'NAME', required: true, about: 'What it is for' },
    owner: { type: 'text', value: 'ID', about: 'The user to whom its writes are attributed' },
  },
  examples: [
    { line: 'openfountain token create --name "City survey"', does: 'Prints the token and nothing else' },
    { line: 'openfountain token create --name bot --owner ada --json', does: 'Prints { "token": … }' },
  ],
  async run({ name, owner, ...options }, _positionals, context) {
    await withRegistry(options, 'create', context, async (registry) => {
      const token = await registry.tokens.create({ name, ownerId: owner })
      context.out.result(token, () => [token.token])
      if (!context.out.json) context.out.note(`Token ${token.id}; shown only this once`)
    })
  },
})

export const tokenList = command({
  name: 'token list',
  summary: 'Lists all tokens by name and owner, also revoked ones; never the tokens themselves.',
  options: databaseOption,
  examples: [{ line: 'openfountain token list', does: 'Shows names, owners and what was revoked' }],
  async run({ db }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const tokens = await registry.tokens.list()
      context.out.table({ tokens }, tokens, columns, 'No tokens')
    })
  },
})

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revokes a token; it ends at once.',
  positionals: [{ name: 'ID', about: 'Its number, as token list shows it' }],
  options: auditedOptions,
  examples: [{ line: 'openfountain token revoke 2', does: 'Revokes it, also for a server that runs' }],
  async run(options, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      await registry.tokens.revoke(number)
      context.out.result({ revoked: number }, () => [`Token ${number} is revoked`])
    })
  },
})

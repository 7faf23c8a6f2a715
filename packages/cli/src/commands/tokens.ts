import type { TokenInfo } from '@openfountain/core'
import { tokenScopes } from '@openfountain/core/internal'
import { lifetimes } from '@openfountain/core/rules'
import { command } from '../command.ts'
import { auditedOptions, clockOption, databaseOption, withRegistry } from '../settings.ts'
import type { Column } from '../table.ts'
import { numberOf } from './sessions.ts'

const columns: Column<TokenInfo>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name }) => name },
  { heading: 'OWNER', value: ({ ownerId }) => ownerId },
  { heading: 'SCOPE', value: ({ scope }) => scope },
  { heading: 'CREATED', value: ({ createdAt }) => createdAt },
  { heading: 'EXPIRES', value: ({ expiresAt }) => expiresAt },
  { heading: 'REVOKED', value: ({ revokedAt }) => revokedAt },
]

export const tokenCreate = command({
  name: 'token create',
  summary: 'Creates an API token and prints it.',
  more: 'It is shown once: the registry keeps only its hash. What it writes needs no XP, and is attributed to its owner, or to the built-in user. Of scopes each may also what the ones before it may: read reads, contribute adds and edits fountains, moderate also approves, verifies, deletes and decides reports, and administer also names who added a fountain and writes bounding boxes. Give a program the smallest one that it needs, and an end.',
  options: {
    ...auditedOptions,
    ...clockOption,
    name: { type: 'text', value: 'NAME', required: true, about: 'What it is for' },
    owner: { type: 'text', value: 'ID', about: 'The user to whom its writes are attributed' },
    scope: {
      type: 'text',
      value: 'SCOPE',
      choices: tokenScopes,
      default: 'administer',
      about: 'What it may do',
    },
    days: {
      type: 'whole',
      value: 'N',
      min: 1,
      max: lifetimes.apiToken.maxDays,
      about: 'After how many days it ends; default never',
    },
  },
  examples: [
    { line: 'openfountain token create --name "City survey"', does: 'Prints the token and nothing else' },
    {
      line: 'openfountain token create --name "Sensors" --scope contribute --days 365',
      does: 'Creates one that only adds and edits, for a year',
    },
    { line: 'openfountain token create --name bot --owner ada --json', does: 'Prints { "token": … }' },
  ],
  async run({ name, owner, scope, days, ...options }, _positionals, context) {
    await withRegistry(options, 'create', context, async (registry) => {
      const token = await registry.tokens.create({ name, ownerId: owner, scope, days })
      context.out.result(token, () => [token.token])
      const end = token.expiresAt === undefined ? '' : ` until ${token.expiresAt}`
      if (!context.out.json)
        context.out.note(`Token ${token.id} may ${token.scope}${end}; shown only this once`)
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

import { type SessionInfo, type TokenInfo, tokenScopes } from '@openfountain/core/internal'
import { lifetimes } from '@openfountain/core/rules'
import { numbered, text, whole } from '../options.ts'
import { row } from '../row.ts'
import { auditedOptions, clockOption, databaseOption } from '../settings.ts'
import { listLines, type Columns } from '../table.ts'

export const sessionColumns: Columns<SessionInfo> = {
  ID: 'id',
  USER: 'userId',
  CREATED: 'createdAt',
  'LAST USED': 'lastUsedAt',
  EXPIRES: 'expiresAt',
  DEVICE: 'device',
}

const tokenColumns: Columns<TokenInfo> = {
  ID: 'id',
  NAME: 'name',
  OWNER: 'ownerId',
  SCOPE: 'scope',
  CREATED: 'createdAt',
  EXPIRES: 'expiresAt',
  REVOKED: 'revokedAt',
}

const making = { ...auditedOptions, ...clockOption }

export const commands = [
  row('session create', {
    summary: 'Signs a user in for thirty days and prints the value of the cookie named session.',
    more: 'The value is shown once: the registry keeps only its hash.',
    options: { ...making, user: text('ID', 'The user to sign in', { required: true }) },
    examples: {
      'session create --user ada': 'Prints the cookie’s value and nothing else',
      'session create --user ada --json': 'Prints { "session": …, "expiresAt": … }',
    },
    access: 'change',
    call: (registry, { user }) => registry.sessions.create(user),
    text: ({ session }) => session,
    note: ({ expiresAt }) => `Signed in until ${expiresAt}; shown only this once`,
  }),
  row('session revoke', {
    summary: 'Revokes a session; it ends at once.',
    places: { id: { about: 'Its number, as user sessions shows it', ...numbered } },
    options: auditedOptions,
    examples: { 'session revoke 3': 'Signs that session out' },
    access: 'change',
    call: (registry, { id }) => registry.sessions.delete(id),
    json: (_result, { id }) => ({ revoked: id }),
    text: (_result, { id }) => `Session ${id} is revoked`,
  }),
  row('token create', {
    summary: 'Creates an API token and prints it.',
    more: 'It is shown once: the registry keeps only its hash. What it writes needs no XP, and is attributed to its owner, or to the built-in user. Of scopes each may also what the ones before it may: read reads, contribute adds and edits fountains, moderate also approves, verifies, deletes and decides reports, and administer also names who added a fountain and writes bounding boxes. Give a program the smallest one that it needs, and an end.',
    options: {
      ...making,
      name: text('NAME', 'What it is for', { required: true }),
      owner: text('ID', 'The user to whom its writes are attributed'),
      scope: text('SCOPE', 'What it may do', { choices: tokenScopes, default: 'administer' }),
      days: whole('N', 'After how many days it ends; default never', {
        min: 1,
        max: lifetimes.apiToken.maxDays,
      }),
    },
    examples: {
      'token create --name "City survey"': 'Prints the token and nothing else',
      'token create --name "Sensors" --scope contribute --days 365':
        'Creates one that only adds and edits, for a year',
      'token create --name bot --owner ada --json': 'Prints { "token": … }',
    },
    access: 'create',
    call: (registry, { name, owner, scope, days }) =>
      registry.tokens.create({ name, ownerId: owner, scope, days }),
    text: ({ token }) => token,
    note: ({ id, scope, expiresAt }) =>
      `Token ${id} may ${scope}${expiresAt === undefined ? '' : ` until ${expiresAt}`}; shown only this once`,
  }),
  row('token list', {
    summary: 'Lists all tokens by name and owner, also revoked ones; never the tokens themselves.',
    options: databaseOption,
    examples: { 'token list': 'Shows names, owners and what was revoked' },
    call: async (registry) => ({ tokens: await registry.tokens.list() }),
    text: ({ tokens }) => listLines(tokens, tokenColumns, 'No tokens'),
  }),
  row('token revoke', {
    summary: 'Revokes a token; it ends at once.',
    places: { id: { about: 'Its number, as token list shows it', ...numbered } },
    options: auditedOptions,
    examples: { 'token revoke 2': 'Revokes it, also for a server that runs' },
    access: 'change',
    call: (registry, { id }) => registry.tokens.delete(id),
    json: (_result, { id }) => ({ revoked: id }),
    text: (_result, { id }) => `Token ${id} is revoked`,
  }),
]

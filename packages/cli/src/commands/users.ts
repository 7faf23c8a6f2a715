import type { OwnUser, PublicUser } from '@openfountain/core'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import type { Options } from '../options.ts'
import { databaseOption, powerOptions, withRegistry, writingOptions } from '../settings.ts'
import type { Column } from '../table.ts'

const mostXp = 1_000_000_000

const pageOptions = {
  limit: { type: 'whole', value: 'N', min: 1, max: 100, default: 100, about: 'How many at most' },
  offset: {
    type: 'whole',
    value: 'N',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 0,
    about: 'How many to skip',
  },
} as const satisfies Options

const columns: Column<PublicUser>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name }) => name },
  { heading: 'XP', value: ({ xp }) => xp },
  { heading: 'LEVEL', value: ({ level }) => level },
  { heading: 'CREATED', value: ({ stats }) => stats.waypointsCreated },
  { heading: 'EDITED', value: ({ stats }) => stats.waypointsEdited },
  { heading: 'REVIEWS', value: ({ stats }) => stats.reviewsPosted },
  { heading: 'SINCE', value: ({ createdAt }) => createdAt.slice(0, 10) },
]

function facts(user: OwnUser): (readonly [string, string | number | boolean | undefined])[] {
  const { waypointsCreated, waypointsEdited, reviewsPosted } = user.stats
  return [
    ['id', user.id],
    ['name', user.name],
    ['email', user.email],
    ['moderator', user.isModerator],
    ['xp', user.xp],
    ['level', user.level],
    ['waypoints created', waypointsCreated],
    ['waypoints edited', waypointsEdited],
    ['reviews posted', reviewsPosted],
    ['since', user.createdAt],
    ['updated', user.updatedAt],
  ]
}

const userPositional = { name: 'ID', about: 'The user’s id' } as const

export const userAdd = command({
  name: 'user add',
  summary: 'Adds a user, who can contribute.',
  more: 'The registry makes an id that says nothing of them. user invite lets people do the rest by themselves. --xp is recorded in the log as a grant; 20 XP are needed to create waypoints, 10 to edit them.',
  options: {
    ...powerOptions,
    name: { type: 'text', value: 'NAME', required: true, about: 'The name that everybody sees' },
    email: { type: 'text', value: 'ADDRESS', about: 'An e-mail address that only they see' },
    moderator: { type: 'flag', about: 'Lets them approve, verify and delete' },
    xp: { type: 'whole', value: 'N', min: 0, max: mostXp, default: 0, about: 'XP at the start' },
    id: {
      type: 'text',
      value: 'ID',
      about:
        'An id instead of one that the registry makes; it is public for ever, also when they leave, and must say nothing of them',
    },
  },
  examples: [
    { line: 'openfountain user add --name Ada', does: 'Adds Ada with a generated id' },
    {
      line: 'openfountain user add --name Grace --email grace@example.org --moderator --xp 100',
      does: 'Adds a moderator who may create waypoints at once',
    },
  ],
  async run({ name, email, moderator, xp, id, ...options }, _positionals, context) {
    await withRegistry(options, 'create', context, async (registry) => {
      const user = await registry.users.create({ name, email, id, xp, isModerator: moderator })
      context.out.facts({ user }, facts(user))
    })
  },
})

export const userList = command({
  name: 'user list',
  summary: 'Lists the users, oldest first.',
  options: { ...databaseOption, ...pageOptions },
  examples: [
    { line: 'openfountain user list', does: 'Shows the first hundred' },
    { line: 'openfountain user list --json --limit 10 --offset 20', does: 'Prints ten as JSON' },
  ],
  async run({ db, limit, offset }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const page = await registry.users.list({ limit, offset })
      context.out.table(page, page.users, columns, 'No users')
      const next = offset + page.users.length
      if (!context.out.json && page.users.length > 0 && next < page.total)
        context.out.note(`${next} of ${page.total}; continue with --offset ${next}`)
    })
  },
})

export const userShow = command({
  name: 'user show',
  summary: 'Shows a user with the e-mail address and the ways to sign in.',
  positionals: [userPositional],
  options: databaseOption,
  examples: [{ line: 'openfountain user show ada', does: 'Shows Ada' }],
  async run({ db }, [id = ''], context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const user = await registry.users.profile(id)
      const [identities, passkeys] = await Promise.all([
        registry.accounts.identities(id),
        registry.accounts.passkeys(id),
      ])
      const shown = passkeys.map(({ credentialId: _hidden, ...passkey }) => passkey)
      context.out.facts({ user, identities, passkeys: shown }, [
        ...facts(user),
        ...identities.map(({ provider, label }) => ['signs in with', `${provider}: ${label}`] as const),
        ...shown.map(({ name }) => ['signs in with', `passkey: ${name}`] as const),
      ])
    })
  },
})

export const userRename = command({
  name: 'user rename',
  summary: 'Gives a user another name; the id, by which the log has what they did, stays.',
  more: 'Names are not in the log. Sites and exports that were made before have the old one.',
  positionals: [userPositional, { name: 'NAME', about: 'The name that everybody sees' }],
  options: writingOptions,
  examples: [{ line: 'openfountain user rename ada "Ada Byron"', does: 'Calls the user ada Ada Byron' }],
  async run(options, [id = '', name = ''], context) {
    await withRegistry(options, 'change', context, async (registry) => {
      const user = await registry.users.update(id, { name })
      context.out.facts({ user }, facts(user))
    })
  },
})

export const userModerator = command({
  name: 'user moderator',
  summary: 'Makes a user a moderator, or takes that back.',
  positionals: [userPositional],
  options: { ...powerOptions, off: { type: 'flag', about: 'The user is no longer a moderator' } },
  examples: [
    { line: 'openfountain user moderator ada', does: 'Lets Ada approve, verify and delete' },
    { line: 'openfountain user moderator ada --off', does: 'Ends that' },
  ],
  async run({ off, ...options }, [id = ''], context) {
    await withRegistry(options, 'change', context, async (registry) => {
      const user = await registry.users.setModerator(id, !off)
      context.out.facts({ user }, facts(user))
    })
  },
})

export const userGrant = command({
  name: 'user grant',
  summary: 'Gives a user XP as an administrator; the log keeps the reason.',
  positionals: [userPositional],
  options: {
    ...powerOptions,
    xp: {
      type: 'whole',
      value: 'N',
      min: -mostXp,
      max: mostXp,
      required: true,
      about: 'How much; --xp=-N takes XP away',
    },
    reason: { type: 'text', value: 'TEXT', required: true, about: 'Why' },
  },
  examples: [
    {
      line: 'openfountain user grant ada --xp 20 --reason "Surveyed the old town"',
      does: 'Gives Ada what creating waypoints needs',
    },
  ],
  async run({ xp, reason, ...options }, [id = ''], context) {
    if (xp === 0) throw usage('--xp must not be 0')
    await withRegistry(options, 'change', context, async (registry) => {
      const user = await registry.users.grantXp(id, xp, reason)
      context.out.facts({ user }, facts(user))
    })
  },
})

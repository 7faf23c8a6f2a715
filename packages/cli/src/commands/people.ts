import { type OwnUser, type PublicUser, token } from '@openfountain/core'
import type { SignInLink } from '@openfountain/core/internal'
import { limits } from '@openfountain/core/rules'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { instantOf, flag, text, whole } from '../options.ts'
import { addressOptions, siteAddressOf, signInLink, type AddressSettings } from '../public-url.ts'
import { row } from '../row.ts'
import { databaseOption, pageOptions, powerOptions, reasonOption, writingOptions } from '../settings.ts'
import { factLines, listLines, type Columns } from '../table.ts'
import { sessionColumns } from './credentials.ts'

const startXp = whole('N', 'XP at the start', { min: 0, max: limits.xp, default: 0 })
const places = { id: 'The user’s id' }

const columns: Columns<PublicUser> = {
  ID: 'id',
  NAME: 'name',
  XP: 'xp',
  LEVEL: 'level',
  CREATED: ({ stats }) => stats.waypointsCreated,
  EDITED: ({ stats }) => stats.waypointsEdited,
  REVIEWS: ({ stats }) => stats.reviewsPosted,
  SINCE: ({ createdAt }) => createdAt.slice(0, 10),
}

const factsOf = (user: OwnUser) =>
  [
    ['id', user.id],
    ['name', user.name],
    ['email', user.email],
    ['moderator', user.isModerator],
    ['keeps', user.keeps?.map((each) => Object.values(each).join()).join(', ')],
    ['xp', user.xp],
    ['level', user.level],
    ['waypoints created', user.stats.waypointsCreated],
    ['waypoints edited', user.stats.waypointsEdited],
    ['reviews posted', user.stats.reviewsPosted],
    ['since', user.createdAt],
    ['updated', user.updatedAt],
  ] as const

const ofUser = {
  json: (user: OwnUser) => ({ user }),
  text: (user: OwnUser) => factLines(factsOf(user)),
}

/** The output of commands that make a sign-in link; its secret is shown once. */
const ofLink = {
  /** A wrong address must not cost a link. @throws CommandError usage */
  check({ 'public-url': publicUrl }: AddressSettings) {
    if (publicUrl !== undefined) siteAddressOf(publicUrl)
  },
  json: ({ secret, expiresAt }: SignInLink, given: AddressSettings) => ({
    link: signInLink(given, secret),
    secret,
    expiresAt,
  }),
  text: ({ secret }: SignInLink, given: AddressSettings) => signInLink(given, secret),
  note: ({ expiresAt }: SignInLink, given: AddressSettings) =>
    [
      `It signs in once, until ${expiresAt}; shown only this once. Whoever has it can use it.`,
      ...(given['public-url'] === undefined
        ? ['Is the registry at another address? Set it with --public-url URL or OPENFOUNTAIN_PUBLIC_URL']
        : []),
    ].join('\n'),
}

const aboutLinks =
  'The registry keeps only a hash of the secret in it. Nothing has to be configured for it: whoever opens it can add a passkey, to sign in without it later.'

export const commands = [
  row('user invite', {
    summary: 'Prints a link with which somebody gets an account, once, within 24 hours.',
    more: `Send it to them yourself. ${aboutLinks} Where serve has --registration closed it makes no account: it waits until that is changed, or it expires. --xp is recorded in the log as a grant once they join.`,
    options: {
      ...powerOptions,
      name: text('NAME', 'The name that is suggested to them; default they choose it'),
      moderator: flag('Lets them approve, verify, delete and block'),
      xp: startXp,
      ...addressOptions,
    },
    examples: {
      'user invite --public-url https://fountains.example': 'Prints the link and nothing else',
      'user invite --name Ada --moderator': 'Invites a moderator',
      'user invite --xp 20': 'Invites somebody who may add fountains at once',
      'user invite --json': 'Prints { "link": …, "secret": …, "expiresAt": … }',
    },
    access: 'create',
    call: (registry, { name, moderator, xp }) =>
      registry.accounts.invite({ name, isModerator: moderator, xp }),
    ...ofLink,
  }),
  row('user link', {
    summary: 'Prints a link with which a user signs in, once, within 24 hours.',
    more: `For another device, or for somebody who lost every way to sign in: be sure that it is them. ${aboutLinks}`,
    options: {
      ...powerOptions,
      user: text('ID', 'The user to sign in', { required: true }),
      ...addressOptions,
    },
    examples: {
      'user link --user ada': 'Prints the link and nothing else',
      'user link --user ada --json': 'Prints { "link": …, "secret": …, "expiresAt": … }',
    },
    access: 'change',
    call: (registry, { user }) => registry.accounts.link(user),
    ...ofLink,
  }),
  row('user add', {
    summary: 'Adds a user, who can contribute.',
    more: 'The registry makes an id that says nothing of them. user invite lets people do the rest by themselves. --xp is recorded in the log as a grant; 20 XP are needed to create waypoints, 10 to edit them.',
    options: {
      ...powerOptions,
      name: text('NAME', 'The name that everybody sees', { required: true }),
      email: text('ADDRESS', 'An e-mail address that only they see'),
      moderator: flag('Lets them approve, verify and delete'),
      xp: startXp,
      id: text(
        'ID',
        'An id instead of one that the registry makes; it is public for ever, also when they leave, and must say nothing of them',
      ),
    },
    examples: {
      'user add --name Ada': 'Adds Ada with a generated id',
      'user add --name Grace --email grace@example.org --moderator --xp 100':
        'Adds a moderator who may create waypoints at once',
    },
    access: 'create',
    call: (registry, { name, email, moderator, xp, id }) =>
      registry.users.create({ name, email, id, xp, isModerator: moderator }),
    ...ofUser,
  }),
  row('user list', {
    summary: 'Lists the users, oldest first.',
    options: { ...databaseOption, ...pageOptions(100) },
    examples: {
      'user list': 'Shows the first hundred',
      'user list --json --limit 10 --offset 20': 'Prints ten as JSON',
    },
    call: (registry, { limit, offset }) => registry.users.list({ limit, offset }),
    text: ({ users }) => listLines(users, columns, 'No users'),
    note({ users, total }, { offset }) {
      const next = offset + users.length
      return users.length > 0 && next < total
        ? `${next} of ${total}; continue with --offset ${next}`
        : undefined
    },
  }),
  row('user show', {
    summary: 'Shows a user with the e-mail address and the ways to sign in.',
    places,
    options: databaseOption,
    examples: { 'user show ada': 'Shows Ada' },
    async call({ users, accounts }, { id }) {
      const user = await users.profile(id)
      const [identities, passkeys] = await Promise.all([accounts.identities(id), accounts.passkeys(id)])
      return { user, identities, passkeys: passkeys.map(({ credentialId: _hidden, ...shown }) => shown) }
    },
    text: ({ user, identities, passkeys }) =>
      factLines([
        ...factsOf(user),
        ...identities.map(({ provider, label }) => ['signs in with', `${provider}: ${label}`] as const),
        ...passkeys.map(({ name }) => ['signs in with', `passkey: ${name}`] as const),
      ]),
  }),
  row('user rename', {
    summary: 'Gives a user another name; the id, by which the log has what they did, stays.',
    more: 'Names are not in the log. Sites and exports that were made before have the old one.',
    places: { ...places, name: 'The name that everybody sees' },
    options: writingOptions,
    examples: { 'user rename ada "Ada Byron"': 'Calls the user ada Ada Byron' },
    access: 'change',
    call: (registry, { id, name }) => registry.users.update(id, { name }),
    ...ofUser,
  }),
  row('user sessions', {
    summary: 'Lists where a user is signed in; session revoke ends one.',
    options: { ...databaseOption, user: text('ID', 'The user', { required: true }) },
    examples: { 'user sessions --user ada': 'Shows Ada’s devices' },
    async call(registry, { user }) {
      await registry.users.get(user)
      return { sessions: await registry.sessions.list(user) }
    },
    text: ({ sessions }) => listLines(sessions, sessionColumns, 'No sessions'),
  }),
  row('user moderator', {
    summary: 'Makes a user a moderator, or takes that back.',
    places,
    options: { ...powerOptions, off: flag('The user is no longer a moderator') },
    examples: {
      'user moderator ada': 'Lets Ada approve, verify and delete',
      'user moderator ada --off': 'Ends that',
    },
    access: 'change',
    call: (registry, { id, off }) => registry.users.setModerator(id, !off),
    ...ofUser,
  }),
  row('user keeper', {
    summary: 'Makes a user the keeper of the fountains of a maintainer or a source, or ends that.',
    more: 'What a keeper says of them counts as the operator’s word: that one works, is broken, off until a day, or gone. They set their season, and approve, delete and block nothing. A maintainer counts where a source, a moderator, a token or this command gave it: waypoint set --where maintainer=NAME maintainer=NAME confirms those that others gave. Keepers and what they keep are in the public log.',
    places,
    options: {
      ...powerOptions,
      maintainer: text('NAME', 'The maintainer, as the fountains have it'),
      source: text('NAME', 'The source that lists them'),
      off: flag('Ends it'),
    },
    examples: {
      'user keeper ada --maintainer "City of Lund"': 'Lets Ada speak for the fountains of the city',
      'user keeper ada --maintainer "City of Lund" --off': 'Ends that',
    },
    access: 'change',
    check({ maintainer, source }) {
      if ((maintainer === undefined) === (source === undefined))
        throw usage('give --maintainer NAME or --source NAME')
    },
    call: (registry, { id, maintainer, source = '', off }) =>
      registry.users.setKeeper(id, maintainer === undefined ? { source } : { maintainer }, !off),
    ...ofUser,
  }),
  row('user grant', {
    summary: 'Gives a user XP as an administrator; the log keeps the reason.',
    places,
    options: {
      ...powerOptions,
      xp: whole('N', 'How much; --xp=-N takes XP away', { min: -limits.xp, max: limits.xp, required: true }),
      reason: text('TEXT', 'Why', { required: true }),
    },
    examples: {
      'user grant ada --xp 20 --reason "Surveyed the old town"': 'Gives Ada what creating waypoints needs',
    },
    access: 'change',
    check({ xp }) {
      if (xp === 0) throw usage('--xp must not be 0')
    },
    call: (registry, { id, xp, reason }) => registry.users.grantXp(id, xp, reason),
    ...ofUser,
  }),
  row('user block', {
    summary: 'Keeps a user from writing, until a time or without an end.',
    more: 'The user can still read, and is told the reason. Moderators cannot be blocked. Their sessions and personal tokens write no more; API tokens that an operator gave them do until token revoke, and are named. user revert undoes what was written before.',
    places,
    options: {
      ...powerOptions,
      ...reasonOption,
      until: text(
        'TIME',
        'The end, a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z; default none',
        { reads: instantOf },
      ),
    },
    examples: { 'user block eve --reason "Vandalism" --until 2027-01-01': 'Blocks Eve until the new year' },
    access: 'change',
    async call(registry, { id, reason, until }, { out }) {
      const block = { reason, until }
      await registry.users.block(id, block, token())
      const tokens = (await registry.tokens.list()).filter(
        ({ ownerId, revokedAt }) => ownerId === id && revokedAt === undefined,
      )
      if (tokens.length > 0)
        out.note(
          `API tokens whose writes are theirs still write; end them with: ${tokens.map((each) => `openfountain token revoke ${each.id}`).join(', ')}`,
        )
      return { blocked: id, ...block }
    },
    text: ({ reason }, { id, until }) =>
      `${inert(id)} is blocked${until === undefined ? '' : ` until ${until}`}: ${inert(reason)}`,
  }),
  row('user unblock', {
    summary: 'Lets a blocked user write again.',
    places,
    options: powerOptions,
    examples: { 'user unblock eve': 'Ends the block of Eve' },
    access: 'change',
    call: (registry, { id }) => registry.users.unblock(id, token()),
    json: (_result, { id }) => ({ unblocked: id }),
    text: (_result, { id }) => `${inert(id)} is not blocked`,
  }),
]

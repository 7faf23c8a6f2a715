import { notFound } from '../errors.ts'
import { loggedEntry, type StoredEntry } from '../log/entry.ts'
import type { KeptSecret } from '../secrets.ts'
import type { Store } from '../store/port.ts'
import { entriesAbout, entriesBy } from './entries.ts'
import { identityInfo, passkeyInfo } from './ways.ts'

/** Everything that the registry holds about a user, as the text of one JSON document, piece by piece. */
export async function* exportOf({ read }: Store, userId: string): AsyncGenerator<string> {
  const profile = await read.users.get(userId)
  if (profile === undefined || profile.leftAt !== undefined) throw notFound('user', userId)
  // It is among the entries of the log.
  const { block: _block, ...user } = profile
  const [
    identities,
    passkeys,
    sessions,
    tokens,
    apiTokens,
    externals,
    reviews,
    observations,
    reports,
    signedUp,
  ] = await Promise.all([
    read.secrets.list('identity', userId),
    read.secrets.list('passkey', userId),
    read.secrets.list('session', userId),
    read.secrets.list('personal', userId),
    read.secrets.list('token', userId),
    read.secrets.list('external', userId),
    read.reviews.list({ userId, after: 0, limit: Number.MAX_SAFE_INTEGER }),
    read.observations.by(userId),
    read.reports.by(userId),
    read.secrets.list('signedUp', userId),
  ])
  const head = {
    user,
    signedUp: signedUp.length > 0,
    identities: identities.map(identityInfo),
    passkeys: passkeys.map(passkeyInfo),
    sessions: sessions.map(listed),
    tokens: tokens.map(listed),
    apiTokens: apiTokens.map(listed),
    externalIds: externals.map(({ id }) => id.slice('external:'.length)),
    reviews,
    observations,
    // The notes of moderators are not part of it.
    reports: reports.map(({ id: _id, number, by: _by, note: _note, erasedAt: _erasedAt, ...report }) => ({
      id: number,
      ...report,
    })),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`
  yield* elements(entriesBy(read.entries, userId))
  yield '],"about":['
  yield* elements(entriesAbout(read.entries, userId))
  yield ']}'
}

function listed(secret: KeptSecret<'session' | 'personal' | 'token'>) {
  const { number, createdAt, usedAt, expiresAt, endedAt, value } = secret
  return { id: number, createdAt, lastUsedAt: usedAt, expiresAt, endedAt, ...value }
}

/** Entries as the elements of an array in JSON. */
async function* elements(pages: AsyncIterable<readonly StoredEntry[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    const texts = page.map((entry) => JSON.stringify(loggedEntry(entry)))
    if (texts.length > 0) yield `${isFirst ? '' : ','}${texts.join(',')}`
    isFirst &&= texts.length === 0
  }
}

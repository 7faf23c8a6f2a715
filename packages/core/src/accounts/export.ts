import { notFound } from '../errors.ts'
import { loggedEntry, type StoredEntry } from '../log/entry.ts'
import type { StoredSecret, SecretKind } from '../secrets.ts'
import type { Store } from '../store/port.ts'
import { entriesAbout, entriesBy } from './entries.ts'
import { identityInfo, passkeyInfo } from './ways.ts'

/** All data of the registry about a user, as the text of one JSON document, piece by piece. @internal */
export async function* exportOf({ read }: Store, userId: string): AsyncGenerator<string> {
  const profile = await read.users.get(userId)
  if (profile === undefined || profile.leftAt !== undefined) throw notFound('user', userId)
  // It is among the entries of the log.
  const { block: _block, ...user } = profile
  const of = <Kind extends SecretKind>(kind: Kind) => read.secrets.list(kind, userId)
  const reports = await read.reports.by(userId)
  const head = {
    user,
    signedUp: (await of('signedUp')).length > 0,
    identities: (await of('identity')).map(identityInfo),
    passkeys: (await of('passkey')).map(passkeyInfo),
    sessions: (await of('session')).map(listed),
    tokens: (await of('personal')).map(listed),
    apiTokens: (await of('token')).map(listed),
    externalIds: (await of('external')).map(({ id }) => id.slice('external:'.length)),
    reviews: await read.reviews.list({ userId, after: 0, limit: Number.MAX_SAFE_INTEGER }),
    observations: await read.observations.by(userId),
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

function listed(secret: StoredSecret<'session' | 'personal' | 'token'>) {
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

import { fieldsOfAuthor, redactEntry } from '../decide/redaction.ts'
import { notFound } from '../errors.ts'
import { loggedEntry, type StoredEntry } from '../log/entry.ts'
import { pagesOf } from '../paged.ts'
import { answerOf } from '../log/script.ts'
import type { StoredSecret, SecretKind } from '../secrets.ts'
import type { Store } from '../store/port.ts'
import type { Reads } from '../store/reads.ts'
import { identityInfo, passkeyInfo } from './ways.ts'

/** All data of the registry about a user, as the text of one JSON document, piece by piece. @internal */
export async function* exportOf({ read }: Store, userId: string): AsyncGenerator<string> {
  const profile = await read.users.get(userId)
  if (profile === undefined || profile.leftAt !== undefined) throw notFound('user', userId)
  // It is among the entries of the log.
  const { block: _block, ...user } = profile
  const of = <Kind extends SecretKind>(kind: Kind) => read.secrets.list(kind, userId)
  const all = { after: 0, limit: Number.MAX_SAFE_INTEGER }
  const reports = await read.reports.by(userId, all)
  const head = {
    user,
    signedUp: (await of('signedUp')).length > 0,
    identities: (await of('identity')).map(identityInfo),
    passkeys: (await of('passkey')).map(passkeyInfo),
    sessions: (await of('session')).map(listed),
    tokens: (await of('personal')).map(listed),
    apiTokens: (await of('token')).map(listed),
    follows: (await of('follow')).map(({ createdAt, value }) => ({ createdAt, ...value })),
    devices: (await of('push')).map(({ createdAt, value }) => ({
      createdAt,
      service: new URL(value.endpoint).host,
    })),
    externalIds: (await of('external')).map(({ id }) => id.slice('external:'.length)),
    reviews: await read.reviews.list({ userId, ...all }),
    photos: await read.photos.list({ userId, isShown: false }, all),
    observations: await read.observations.by(userId, all),
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

async function* elements(pages: AsyncIterable<readonly StoredEntry[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    const texts = page.map((entry) => JSON.stringify(loggedEntry(entry)))
    if (texts.length > 0) yield `${isFirst ? '' : ','}${texts.join(',')}`
    isFirst &&= texts.length === 0
  }
}

/** The reason of what its author asked for who leaves; it is public. */
export const authorLeft = 'its author left and asked for it'

/** Redacts texts of somebody who leaves, except names of fountains. @returns the entries that lost text @internal */
export async function eraseTexts(
  store: Store,
  userId: string,
  which: 'written as them' | readonly number[],
): Promise<number[]> {
  const { entries } = store.read
  const pages = which === 'written as them' ? entriesBy(entries, userId) : [await all(entries, which)]
  const lost: number[] = []
  for await (const page of pages) {
    const jobs = page.flatMap((entry) => {
      const request = { id: entry.id, fields: fieldsOfAuthor(entry), reason: authorLeft }
      const job = { decide: () => redactEntry(request, { isRepeatable: true }) }
      return request.fields.length === 0 ? [] : [job]
    })
    for (const outcome of await store.writeBatch(jobs)) lost.push(...answerOf(outcome).entries)
  }
  return lost
}

async function all(entries: Store['read']['entries'], ids: readonly number[]): Promise<StoredEntry[]> {
  const found = await Promise.all(ids.map((id) => entries.get(id)))
  return found.filter((entry) => entry !== undefined)
}

const pageSize = 500

type Entries = Reads['entries']

export const entriesBy = (entries: Entries, userId: string): AsyncGenerator<readonly StoredEntry[]> =>
  pagesOf(pageSize, (last) => entries.by(userId, last ?? { subject: '', action: '', id: 0 }, pageSize))

/** The acts of others about a user, such as a block, page by page. */
export async function* entriesAbout(
  entries: Entries,
  userId: string,
): AsyncGenerator<readonly StoredEntry[]> {
  const pages = pagesOf<StoredEntry>(pageSize, (last) => entries.aboutUser(userId, last?.id ?? 0, pageSize))
  for await (const page of pages) yield page.filter(({ by }) => by !== userId)
}
